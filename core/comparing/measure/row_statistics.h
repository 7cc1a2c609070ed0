#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::analysis {

/// What is known of the numbers of a recorded tensor.
struct RowStatistics {
  /// As they were recorded; of elements that were read the finite ones alone.
  dumps::Statistics numbers;
  /// Counted, or at least so many where `isCounted` is false.
  numerics::NonFiniteCounts nonFinite;
  bool isCounted = false;  ///< elements were read, or recorded numbers prove that there are none
  bool isRead = false;     ///< from elements

  [[nodiscard]] bool isKnown() const { return isRead || !numbers.isEmpty(); }
};

/// Parallel to DumpUnit::rows.
struct UnitStatistics {
  std::vector<RowStatistics> rows;
  std::vector<std::string> problems;  ///< tensors that could not be read: `row: file: what`
};

struct UnitStatisticsOptions {
  bool readsElements = true;  ///< of tensors whose recorded numbers are missing or not finite
  int threads = 0;            ///< 0: one a core
};

/// Tells of recorded numbers alone, without reading anything.
[[nodiscard]] RowStatistics recordedStatisticsOf(const dumps::DumpRow& row);

/// What was recorded of every row, else what its elements tell, read by all threads. Errors:
/// Cancelled, OutOfMemory; what cannot be read is in `problems`.
[[nodiscard]] Result<UnitStatistics> statisticsOf(const dumps::DumpUnit& unit,
                                                  const UnitStatisticsOptions& options,
                                                  const std::stop_token& stop = {},
                                                  const dumps::Progress& progress = {});

}  // namespace ulp::analysis
