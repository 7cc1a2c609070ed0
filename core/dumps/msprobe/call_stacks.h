#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"

namespace ulp::dumps::msprobe {

/// stack.json: the frames of calls, innermost first; calls from the same place share one record.
struct CallStacks {
  std::vector<std::vector<std::string>> stacks;
  std::unordered_map<std::string, std::size_t> byEntry;  ///< in stacks
  std::vector<std::string> notes;
};

/// Both forms: of 26.x, `{"0": [[entries], [frames]]}`, and the old `{entry: [frames]}`. Errors:
/// NotFound, Io, Cancelled; a file that breaks off gives what is complete, and a note.
[[nodiscard]] Result<CallStacks> readCallStacks(const std::filesystem::path& path,
                                                const std::stop_token& stop = {});

/// construct.json: which module call encloses an entry.
struct Construct {
  std::unordered_map<std::string, std::string> parents;  ///< empty: none above it
  std::vector<std::string> order;                        ///< entries, as they stand in the file
  std::vector<std::string> notes;
};
/// Errors as above.
[[nodiscard]] Result<Construct> readConstruct(const std::filesystem::path& path,
                                              const std::stop_token& stop = {});

}  // namespace ulp::dumps::msprobe
