#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// What of a recorded tensor is no finite number.
struct Finiteness {
  bool isKnown = false;  ///< statistics or elements say; else nothing below does
  bool hasNan = false;
  bool hasPositive = false;   ///< +infinity
  bool hasNegative = false;   ///< -infinity
  std::optional<double> min;  ///< of the finite elements, where they are known
  std::optional<double> max;

  [[nodiscard]] bool isFinite() const { return !hasNan && !hasPositive && !hasNegative; }
  /// -infinity among finite numbers and nothing else: what masks look like.
  [[nodiscard]] bool isLikeMask() const {
    return hasNegative && !hasNan && !hasPositive && max.has_value();
  }
  /// Largest |x| of the finite elements.
  [[nodiscard]] std::optional<double> largest() const;
};

/// Of recorded statistics, as torch makes them: a NaN anywhere makes the maximum NaN.
[[nodiscard]] Finiteness finitenessOf(const dumps::DumpRow& row);

/// Parallel to DumpUnit::rows.
struct UnitFiniteness {
  std::vector<Finiteness> rows;
  std::vector<std::string> problems;  ///< tensors that could not be read: `row: file: what`
};

struct FinitenessOptions {
  bool readsElements = true;  ///< of tensors without statistics
  int threads = 0;            ///< 0: one a core
};

/// Statistics where a row has them; else its elements, read in whatever order and by all threads.
/// Errors: Cancelled, OutOfMemory; what cannot be read is in `problems`.
[[nodiscard]] Result<UnitFiniteness> finitenessOf(const dumps::DumpUnit& unit,
                                                  const FinitenessOptions& options,
                                                  const std::stop_token& stop = {},
                                                  const dumps::Progress& progress = {});

}  // namespace ulp::analysis
