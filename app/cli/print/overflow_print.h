#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/text/sentence.h"
#include "core/comparing/origin/overflow_origin.h"
#include "core/report/tables/data_table.h"

namespace ulp::cli {

/// Where the numbers of one unit of a dump stop being finite.
struct UnitOverflow {
  std::string label;  ///< "step 0, rank 1"; empty for the only unit
  analysis::OverflowSearch search;
  std::vector<std::string> problems;  ///< tensors that could not be read
  std::vector<Sentence> notes;        ///< of the unit
};

/// Of a whole dump.
struct DumpOverflow {
  std::string name;
  std::string format;  ///< for people: "msprobe 26.x, statistics, level mix"
  std::vector<UnitOverflow> units;
  std::vector<Sentence> notes;

  [[nodiscard]] bool hasOrigin() const;
};

/// What people read. `longest` bounds lists of names; what is left out is counted.
[[nodiscard]] std::string overflowText(const DumpOverflow& overflow, std::size_t longest);
/// Schema ulpscope.overflow/1, documented in docs/cli.md.
[[nodiscard]] std::string overflowJson(const DumpOverflow& overflow);
/// One row an origin.
[[nodiscard]] report::DataTable overflowTable(const DumpOverflow& overflow);

}  // namespace ulp::cli
