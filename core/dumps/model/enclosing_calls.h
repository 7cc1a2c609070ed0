#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// True if `isSought(call)` is for a call around `entry`; it is asked from the innermost outwards,
/// until it is true. Calls nested more than 64 deep are not asked: a damaged dump can name a
/// circle.
template <class IsSought>
bool anyEnclosing(const DumpUnit& unit, std::size_t entry, IsSought&& isSought) {
  constexpr std::size_t kDeepest = 64;
  std::size_t call = unit.entries[entry].parent;
  for (std::size_t depth = 0; depth < kDeepest && call != kNone; ++depth) {
    if (isSought(call)) {
      return true;
    }
    call = unit.entries[call].parent;
  }
  return false;
}

/// Names of the calls around `entry`, the innermost first.
[[nodiscard]] inline std::vector<std::string> enclosingCalls(const DumpUnit& unit,
                                                             std::size_t entry) {
  std::vector<std::string> names;
  anyEnclosing(unit, entry, [&](std::size_t call) {
    names.push_back(unit.entries[call].name);
    return false;
  });
  return names;
}

}  // namespace ulp::dumps
