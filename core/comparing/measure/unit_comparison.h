#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/tokens/token_distance.h"
#include "core/base/result.h"
#include "core/comparing/match/entry_matching.h"
#include "core/comparing/measure/row_difference.h"
#include "core/dumps/model/dump.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

struct DumpComparison;

struct DumpCompareOptions {
  SiteMapping mapping{};
  int threads = 0;             ///< 0: one a core
  bool readsElements = true;   ///< false: by what was written beside them alone
  std::size_t worstCount = 8;  ///< elements of largest difference to keep of each tensor
  ChecksumKinds checksums{};
  /// Is handed, on the thread that called, the rows that are done of a unit that takes longer than
  /// `soFarEvery`, and those of one that was stopped. compareDumps() sets it for itself.
  std::function<void(std::vector<report::Comparison>)> rowsSoFar{};
  /// Of compareDumps(): is handed, on the thread that called, the comparison so far after every
  /// unit, and within a unit whenever rowsSoFar is, with its run as Running and no verdict.
  std::function<void(const DumpComparison&)> soFar{};
  std::chrono::milliseconds soFarEvery{2000};
  /// Of compareDumps(): is handed, on the thread that called, what was finished when it ends with
  /// Cancelled or OutOfMemory, unless that is nothing. Rows of the unit at hand are among it only
  /// where there is soFar.
  std::function<void(const DumpComparison&)> stopped{};
};

/// The next-token distributions of two tensors of logits, [.., tokens, vocabulary], of one shape.
struct LogitsDistance {
  DType baseline = DType::Float32;  ///< as read
  DType candidate = DType::Float32;
  std::vector<TokenDistance> tokens;
};

/// Two units, row by row.
struct UnitComparison {
  dumps::DumpUnitPtr baseline;
  dumps::DumpUnitPtr candidate;
  UnitMatching matching;
  std::vector<RowDifference> rows;  ///< parallel to matching.rows
  /// Of the rows that are tensors, with every metric of numerics::builtinMetrics() in its order;
  /// NaN where their basis does not give it.
  std::vector<report::Comparison> comparisons;
  std::vector<std::size_t> comparedRows;  ///< parallel to comparisons: in matching.rows
  /// Of forward logits that were compared by their elements, by number in matching.rows.
  std::map<std::size_t, LogitsDistance> logits;
  /// Tensors that could not be read: `row: file: what`. They are compared by what stands beside.
  std::vector<std::string> problems;
  std::vector<std::size_t> unreadRows;  ///< parallel to problems: in matching.rows

  [[nodiscard]] std::size_t equalRows() const;
};

/// Both rows are tensors, rather than other arguments of a call.
[[nodiscard]] bool isTensorPair(const dumps::DumpUnit& baseline,
                                const dumps::DumpUnit& candidate,
                                const RowPair& pair);

/// Where the tensor of matching.rows[row] stands, by the name that the report gives it: names that
/// repeat are numbered there.
[[nodiscard]] Site siteOfPair(const UnitComparison& units, std::size_t row);

/// Compares what two units have in common: elements where both sides have them (dimensions of size
/// 1 aside, shapes must agree), one pair of files after another, so that memory stays small
/// whatever the size of the dumps; else statistics, checksums and values. Equal checksums prove
/// equality and leave files unread; where one side alone has one, it is made of the other's
/// elements. Logits are then read once more, for their distributions. The result does not depend on
/// the number of threads. Errors: Cancelled, OutOfMemory; what cannot be read is in `problems`.
[[nodiscard]] Result<UnitComparison> compareUnits(dumps::DumpUnitPtr baseline,
                                                  dumps::DumpUnitPtr candidate,
                                                  const DumpCompareOptions& options,
                                                  const std::stop_token& stop = {},
                                                  const dumps::Progress& progress = {});

}  // namespace ulp::analysis
