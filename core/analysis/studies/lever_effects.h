#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/report/model/report.h"
#include "core/report/summary/summary.h"

namespace ulp::analysis {

/// A key of the configuration in which the compared variants differ, and which one of them at least
/// sets: a key that follows another one everywhere is no lever, nor is one of the whole study.
struct Lever {
  std::string key;
  std::vector<std::string> values;  ///< distinct, in the order in which the variants bring them
  std::vector<int> settings;        ///< of each variant, in `values`; -1: the report does not say
  std::vector<bool> follows;        ///< of each variant: it has the value because of another key
};

/// What moving a lever does to one column of the summary.
struct LeverCell {
  /// Geometric mean of error after over error before, or mean of after minus before
  /// (LeverTable::isRatio); NaN where no pair has numbers. 0/0 counts as 1: nothing changed.
  double effect = 0;
  double low = 0;             ///< of the pair that it helps most; NaN as above
  double high = 0;            ///< of the pair that it helps least
  std::size_t pairs = 0;      ///< that have numbers on both sides
  std::size_t nonFinite = 0;  ///< pairs in which a side holds elements that are not finite
};

/// One lever moved from a value to another, everything else unchanged: all pairs of variants that
/// have the reference and inputs of the first one, and agree in every other lever that one of them
/// sets. What
/// follows the lever in both moves with it, and is no change of its own. Nothing is fitted, so an
/// effect never rests on an assumption about how levers combine; a lever that was never moved alone
/// has no move.
struct LeverMove {
  std::size_t lever = 0;
  int from = 0;  ///< in Lever::values
  int to = 0;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< of LeverTable::variants
  std::vector<LeverCell> cells;                            ///< parallel to summaryColumns()
};

/// Which setting pays: the configurations of the variants beside their errors.
struct LeverTable {
  bool isRatio = true;  ///< false for metrics that are better when higher, and decibels
  std::vector<std::string> variants;  ///< that have comparisons, in report order; no noise floor
  std::vector<std::vector<report::SummaryCell>> errors;  ///< parallel to variants and columns
  std::vector<Lever> levers;                             ///< by key
  std::vector<LeverMove> moves;                          ///< by lever, then values
};

/// `metric` is an id of the report; an unknown one gives a table without variants. A stopped one is
/// incomplete. Errors: CorruptData where the report's configuration cannot be read.
[[nodiscard]] Result<LeverTable> leverTable(const report::Report& report,
                                            std::string_view metric,
                                            const std::stop_token& stop = {});

}  // namespace ulp::analysis
