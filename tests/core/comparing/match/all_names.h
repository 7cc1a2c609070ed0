#pragma once

#include <numeric>
#include <vector>

#include "core/comparing/match/mapping_names.h"

namespace ulp::analysis {

/// The names of a unit of which nothing is matched.
inline std::vector<OpenName> allNames(const dumps::DumpUnit& unit) {
  std::vector<std::size_t> entries(unit.entries.size());
  std::iota(entries.begin(), entries.end(), std::size_t{0});
  return openNames(unit, entries);
}

}  // namespace ulp::analysis
