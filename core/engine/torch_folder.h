#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace ulp::engine {

/// The LibTorch that the engine is compiled against; no other has the same interface.
inline constexpr const char* kTorchVersion = "2.11.0";
inline constexpr const char* kTorchFolderVariable = "ULP_TORCH_DIR";

/// A place where a torch package may lie.
struct TorchPlace {
  std::string source;              ///< who named it: "ULP_TORCH_DIR", "/usr/bin/python3"
  std::filesystem::path folder{};  ///< .../site-packages/torch; empty: there is none
  std::string version{};           ///< "2.11.0+cu130"; empty: no torch package

  /// Whether the engine can use it. What stands behind "+", for what it was built, does not matter.
  [[nodiscard]] bool isFit() const;
};

/// The folder of the package that this program was built with; empty in programs of a package.
[[nodiscard]] std::filesystem::path builtTorchFolder();

/// Lists where LibTorch is looked for, in this order: the folder that $ULP_TORCH_DIR names, else
/// `built`, where that is still there; each ends the search. Else
/// the package that findPython()'s Python would import, which is started for that, and
/// $XDG_DATA_HOME/ulpscope/python/torch, where people put one for Ulpscope alone.
[[nodiscard]] std::vector<TorchPlace> findTorch(
    const std::filesystem::path& built = builtTorchFolder());

/// The command that installs a LibTorch for Ulpscope alone, where findTorch() looks last.
[[nodiscard]] std::string torchInstallCommand();

/// Opens the LibTorch of the first place that fits, so that an engine which is loaded after it uses
/// that one; the one that this program was built with is opened by the engine itself. Error:
/// Unsupported, with what was found in each place and the remedy.
[[nodiscard]] Result<> openTorch();

}  // namespace ulp::engine
