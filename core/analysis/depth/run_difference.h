#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/depth/divergence.h"
#include "core/base/result.h"
#include "core/base/site.h"
#include "core/report/model/report.h"

/// Two runs number by number, as data: what the command line prints and the window shows.
namespace ulp::analysis {

/// By how much a rotation is off at a position.
struct AngleError {
  std::int64_t position = 0;
  double radians = 0;
};

/// The first difference of a pass, and what becomes of it. Indices are those of Run::comparisons.
struct FirstUnequal {
  std::size_t row = 0;
  /// What the tensor is computed from, as far as its name tells and it was compared; of parameters
  /// nothing is asked.
  std::vector<Site> equalInputs;
  std::vector<Site> differentInputs;
  /// Operations of one run alone that the tensor was made from: what these read is no input above.
  std::vector<std::string> operations;
  std::vector<std::string> baselineOperations;
  std::vector<std::size_t> equalBefore;  ///< tensors of the pass
  std::vector<std::size_t> equalBehind;
  /// The next that differ, layers behind them, and the last of the pass; of parameters none.
  std::vector<std::size_t> consequences;
  /// Of inverse frequencies of a rotary embedding, which turn queries and keys by another angle the
  /// further a token stands; else empty.
  std::vector<AngleError> angles;

  [[nodiscard]] bool isOfParameters(const report::Run& run) const {
    return ulp::isOfParameters(run.comparisons[row].site.pass);
  }
};

struct RunDifference {
  ExactDivergence divergence;
  /// Parallel to divergence.passes; nothing: every tensor of the pass is equal, or it has none.
  std::vector<std::optional<FirstUnequal>> firsts;
  std::size_t sampled = 0;  ///< tensors of which only samples were compared
  /// Parameters that have a gradient in one of the two runs alone.
  std::vector<std::string> loneGradients;

  /// Whether a tensor that both have has another number in one of them.
  [[nodiscard]] bool hasFirst() const { return divergence.first.has_value(); }
  [[nodiscard]] bool isEqual() const { return !hasFirst() && loneGradients.empty(); }
};

/// Tells where a run first holds another number than its baseline. Errors: those of
/// exactDivergence().
[[nodiscard]] Result<RunDifference> runDifference(const report::Report& report,
                                                  const report::Run& run);

/// Finds the row of a tensor; null: the run has none.
[[nodiscard]] const report::Comparison* findRow(const report::Run& run,
                                                std::string_view name,
                                                Pass pass);
/// Gives a metric of a row; NaN where the report does not hold the metric.
[[nodiscard]] double metricOf(const report::Report& report,
                              const report::Comparison& row,
                              std::string_view id);

/// What is told of a tensor of two runs; NaN where the report does not hold it.
struct DifferenceNumbers {
  double equal = 0;     ///< share of its elements
  double rms = 0;       ///< relative error
  double maxRel = 0;    ///< largest relative error
  double meanDiff = 0;  ///< of |d|
  double maxDiff = 0;   ///< of |d|
};
[[nodiscard]] DifferenceNumbers numbersOf(const report::Report& report,
                                          const report::Comparison& row);

/// Whether the row stands for samples of its tensor alone.
[[nodiscard]] bool isOfSamples(const report::Comparison& row);
/// "0.61 %", or "+Inf" and "NaN" without the sign.
[[nodiscard]] std::string ratioText(double ratio);
/// Of a share of equal elements: "35.7 %"; never "100 %" of what is not equal.
[[nodiscard]] std::string equalShareText(double share);
/// The same without the sign, for columns whose heading has it.
[[nodiscard]] std::string equalPercentText(double share);

}  // namespace ulp::analysis
