#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/dumps/exporters/argument_tree.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// The value of an entry in dump.json.
struct MsprobeEntry {
  ArgumentNode root;
  /// What names the file of a row behind its entry: "input.0", "parameters.weight", "".
  std::vector<std::pair<std::size_t, std::string>> files;  ///< by row, in the order of rows
};

/// Whether an entry is written as a value that a user saved ("name.0.debug") rather than as a call.
[[nodiscard]] bool isSavedValue(const DumpEntry& entry);

/// An entry of a unit with those of its rows that are chosen.
[[nodiscard]] MsprobeEntry makeMsprobeEntry(const DumpUnit& unit,
                                            const DumpEntry& entry,
                                            const std::vector<bool>& isChosen);

}  // namespace ulp::dumps
