#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/text/numbers_by_name.h"

namespace ulp::dumps::msprobe {

/// stack.json: the frames of calls, innermost first; calls from the same place share one record.
struct CallStacks {
  std::vector<std::vector<std::string>> stacks;
  NumbersByName byEntry;  ///< in stacks
  std::vector<std::string> notes;
};

/// Both forms: of 26.x, `{"0": [[entries], [frames]]}`, and the old `{entry: [frames]}`. Errors:
/// NotFound, Io, Cancelled; a file that breaks off gives what is complete, and a note.
[[nodiscard]] Result<CallStacks> readCallStacks(const std::filesystem::path& path,
                                                const std::stop_token& stop = {});

/// construct.json: which module call encloses an entry.
struct Construct {
  /// Entries, as they stand in the file, and their parents; no parent: none above it.
  struct Call {
    std::string name;
    std::string parent;
  };
  std::vector<Call> calls;
  NumbersByName places;  ///< in calls
  std::vector<std::string> notes;

  /// Null: the file does not name it.
  [[nodiscard]] const Call* find(std::string_view name) const {
    const auto place = places.find(name);
    return place ? &calls[*place] : nullptr;
  }
};
/// Errors as above.
[[nodiscard]] Result<Construct> readConstruct(const std::filesystem::path& path,
                                              const std::stop_token& stop = {});

}  // namespace ulp::dumps::msprobe
