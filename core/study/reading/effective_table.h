#pragma once

#include <string>
#include <vector>

#include "core/study/reading/study.h"

namespace ulp::study {

/// What a key is in every run, and who said so.
struct EffectiveRow {
  std::string key;
  std::vector<Setting> cells;  ///< parallel to EffectiveTable::runs
  bool differs = false;        ///< not all runs have the same value
};

struct EffectiveTable {
  std::vector<std::string> runs;   ///< the reference first, then the variants
  std::vector<EffectiveRow> rows;  ///< every key, in the order of the schema
};

[[nodiscard]] EffectiveTable effectiveTable(const Study& study);

}  // namespace ulp::study
