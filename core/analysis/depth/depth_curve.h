#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// The metric of a column (Report::metricIndex()); NaN where the row has none.
[[nodiscard]] double metricAt(const report::Comparison& row, int column);

/// A metric at one row of the model.
struct DepthPoint {
  int x = 0;  ///< position on the folded axis, the same for all variants of a report
  Site site;
  double value = 0;             ///< NaN: undefined, or nothing to compare
  double referenceScale = 0;    ///< RMS of the reference's tensor; NaN when the report has none
  std::uint64_t nonFinite = 0;  ///< NaN and infinite elements of the variant
};

/// A metric over the depth of the model, for one variant: forward rows in order of execution, then
/// backward rows in order of execution.
struct DepthCurve {
  std::string run;
  std::vector<DepthPoint> points;  ///< rising x; rows that the variant lacks are left out
};

/// Curves of all variants that have comparisons; runs of a noise floor are none. `level` chooses
/// the rows: Layer, or Module for all. Parameter gradients have no depth and are left out. Errors:
/// InvalidArgument for a metric that the report does not hold.
[[nodiscard]] Result<std::vector<DepthCurve>> depthCurves(const report::Report& report,
                                                          std::string_view metric,
                                                          Level level = Level::Layer);

/// Where an error grows at once.
struct Jump {
  std::size_t point = 0;         ///< in DepthCurve::points
  double factor = 0;             ///< over the row before; infinity after an error of zero
  bool startsNonFinite = false;  ///< first NaN or infinite elements of its pass
};

/// What findJumps() looks at of a row.
struct JumpRow {
  Pass pass = Pass::Forward;
  double value = 0;  ///< NaN: undefined
  std::uint64_t nonFinite = 0;
};

/// Rows whose value is at least `factor` times that of the row before in the same pass, or where
/// elements stop being finite. Undefined rows are passed over.
[[nodiscard]] std::vector<Jump> findJumps(std::span<const JumpRow> rows, double factor = 4);
[[nodiscard]] std::vector<Jump> findJumps(const DepthCurve& curve, double factor = 4);

/// Gives how bad a metric gets where nothing was changed: at each place the worst value of runs
/// that only repeat the baseline. `repeats`: the values of one run each, all as long; NaN and
/// infinities say nothing. NaN in the result: no run says anything there.
[[nodiscard]] std::vector<double> noiseFloor(std::span<const std::vector<double>> repeats,
                                             numerics::Better better);

}  // namespace ulp::analysis
