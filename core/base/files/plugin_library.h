#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp {

/// A shared library of ours that is opened when it is needed, because what it links is heavy.
struct PluginLibrary {
  std::string what;      ///< for messages: "engine"
  std::string file;      ///< "libulpscope_engine.so"
  std::string variable;  ///< of the environment: names another file
  std::string symbol;    ///< its one entry point
  std::string remedy;    ///< what the user does when it is not there
};

struct OpenPlugin {
  std::filesystem::path file;
  void* entry =
      nullptr;  ///< address of the symbol; the library stays loaded until the process ends
};

/// Lists where a file that is installed with the program may lie: the one path that the environment
/// variable `variable` holds, where it is set; else beside the program and in ../folder. Nothing
/// where the program does not know its own place (no /proc).
[[nodiscard]] std::vector<std::filesystem::path> installedAt(const std::string& variable,
                                                             const std::string& file,
                                                             std::string_view folder);

/// Looks at $variable alone when it is set, else beside the program and in ../lib. Errors:
/// Unsupported, with what was tried and the remedy.
[[nodiscard]] Result<OpenPlugin> openPlugin(const PluginLibrary& library);

/// The library was built from other headers than the program.
[[nodiscard]] Error otherVersion(const OpenPlugin& plugin, const PluginLibrary& library);

}  // namespace ulp
