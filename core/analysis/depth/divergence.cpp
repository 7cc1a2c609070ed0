#include "core/analysis/depth/divergence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "core/analysis/depth/execution_order.h"
#include "core/analysis/depth/recorded_inputs.h"
#include "core/analysis/depth/site_inputs.h"
#include "core/base/list_of.h"
#include "core/base/undefined.h"

namespace ulp::analysis {
namespace {

/// Nothing where no operation was captured, which alone are asked for: between modules the row
/// before and the last layer carry the largest error.
std::optional<SiteInputs> operationInputs(const report::Run& run) {
  if (!run.graph.isEmpty()) {
    return std::nullopt;
  }
  const bool hasOperations = std::ranges::any_of(
      run.comparisons, [](const report::Comparison& row) { return row.site.level == Level::Op; });
  if (!hasOperations) {
    return std::nullopt;
  }
  return SiteInputs(listOf(run.comparisons, &report::Comparison::site));
}

/// What a report tells of the error of a row; NaN: it does not.
struct RowError {
  double relative = kUndefined;
  double difference = kUndefined;  ///< RMS
  double scale = kUndefined;       ///< RMS of the reference
};

class ErrorColumns {
 public:
  explicit ErrorColumns(const report::Report& report)
      : m_relative(report.metricIndex("rms_rel")),
        m_difference(report.metricIndex("rms_diff")),
        m_scale(report.metricIndex("ref_scale")) {}

  [[nodiscard]] bool isKnown() const { return m_relative >= 0; }
  [[nodiscard]] RowError of(const report::Comparison& row) const {
    const auto at = [&row](int column) {
      return column < 0 ? kUndefined : row.metrics.at(static_cast<std::size_t>(column));
    };
    return {at(m_relative), at(m_difference), at(m_scale)};
  }

 private:
  int m_relative;
  int m_difference;
  int m_scale;
};

/// Errors that the next tensor may be computed from.
class Carrier {
 public:
  explicit Carrier(const report::Run& run) : m_inputs(operationInputs(run)) {
    if (!run.graph.isEmpty()) {
      m_graph.emplace(run);
    }
  }

  [[nodiscard]] double into(const Site& site) const {
    if (m_graph && m_graph->knows(site)) {
      double carried = 0;
      for (const Key& input : m_graph->readBy(site)) {
        carried = std::max(carried, errorOf(input));
      }
      return carried;
    }
    double carried = std::max(m_previous, m_layer);
    if (site.pass == Pass::Backward) {
      carried = std::max(carried, errorOf({site.name, Pass::Forward}));
    }
    if (site.level == Level::Op && m_inputs) {
      for (const Key& input : m_inputs->readBy(site)) {
        carried = std::max(carried, errorOf(input));
      }
      // (x + d)² is x² (1 + 2 d/x): a mean of squares has twice the relative error.
      carried *= site.name.ends_with(".variance") ? 2 : 1;
    }
    return carried;
  }
  [[nodiscard]] bool hasLostFinite() const { return m_lostFinite; }
  /// The largest that has passed.
  [[nodiscard]] double largest() const { return m_largest; }
  /// RMS of the last tensor that was not zero; 0: there was none.
  [[nodiscard]] double scale() const { return m_scale; }

  void pass(const report::Comparison& row, double error, double scale) {
    m_lostFinite = m_lostFinite || losesFinite(row);
    m_scale = scale > 0 ? scale : m_scale;
    if (std::isnan(error)) {
      return;
    }
    m_largest = std::max(m_largest, error);
    m_previous = error;
    if (row.site.level == Level::Layer) {
      m_layer = error;
    }
    m_errors[{row.site.name, row.site.pass}] = error;
  }

 private:
  using Key = std::pair<std::string, Pass>;

  /// 0 of what has not passed yet.
  [[nodiscard]] double errorOf(const Key& key) const {
    const auto found = m_errors.find(key);
    return found == m_errors.end() ? 0 : found->second;
  }

  std::optional<SiteInputs> m_inputs;
  std::optional<RecordedInputs> m_graph;
  double m_previous = 0;
  double m_layer = 0;
  double m_largest = 0;
  double m_scale = 0;
  bool m_lostFinite = false;
  std::map<Key, double> m_errors;
};

/// `judged`: the error that is measured against the expected one.
void judge(DivergenceStep& step,
           const report::Comparison& row,
           double judged,
           const Carrier& carrier,
           const DivergenceLimits& limits) {
  if (losesFinite(row) && !carrier.hasLostFinite()) {
    step.excess = std::numeric_limits<double>::infinity();
  } else {
    step.excess = judged == 0 ? 0 : judged / step.expected;
  }
  step.isMade = step.excess > limits.excess;
}

DivergenceStep stepOf(const report::Comparison& row,
                      const RowError& numbers,
                      const Carrier& carrier,
                      const DivergenceLimits& limits) {
  DivergenceStep step{.error = numbers.relative, .carried = carrier.into(row.site)};
  step.isOfZero = numbers.scale == 0 && numbers.difference > 0 && carrier.scale() > 0;
  if (step.isOfZero) {
    step.error = numbers.difference / carrier.scale();
  }
  step.expected = std::hypot(step.carried, limits.roundOff);
  judge(step, row, step.error, carrier, limits);
  return step;
}

/// Follows errors from activations into what the backward pass leaves behind.
class GradientTracer {
 public:
  GradientTracer(const report::Run& run,
                 const ErrorColumns& columns,
                 const Carrier& carrier,
                 const DivergenceLimits& limits)
      : m_carrier(carrier), m_limits(limits) {
    for (const report::Comparison& row : run.comparisons) {
      if (row.site.pass == Pass::ParameterGradient) {
        double& scale = m_scales[row.site.module];
        scale = std::max(scale, columns.of(row).scale);
      }
    }
  }

  [[nodiscard]] DivergenceStep stepOf(const report::Comparison& row,
                                      const RowError& numbers) const {
    DivergenceStep step{.error = numbers.relative, .carried = m_carrier.largest()};
    if (row.site.pass == Pass::Optimizer) {
      // Elements whose gradient is smaller than its error may change their signs.
      step.carried = std::max(step.carried, std::sqrt(step.carried));
    }
    step.expected = kRoom * std::hypot(step.carried, m_limits.roundOff);
    judge(step, row, judgedOf(row, numbers), m_carrier, m_limits);
    return step;
  }

  /// The error that is measured, and that what is made later may carry.
  [[nodiscard]] double judgedOf(const report::Comparison& row, const RowError& numbers) const {
    const auto scale = m_scales.find(row.site.module);
    const bool isScaled =
        row.site.pass == Pass::ParameterGradient && scale != m_scales.end() && scale->second > 0;
    // A sum that cancels, such as the gradient of a key's bias, has no scale of its own.
    return isScaled ? numbers.difference / scale->second : numbers.relative;
  }

 private:
  /// Sums over all tokens cancel: they are as many times as far off as what they are made of.
  static constexpr double kRoom = 8;

  const Carrier& m_carrier;
  const DivergenceLimits& m_limits;
  std::map<std::string, double> m_scales;  ///< the largest gradient's RMS, by module
};

constexpr std::string_view kEqual = "equal_fraction";

template <class IsWanted>
std::optional<std::size_t> firstRow(const report::Run& run, const IsWanted& isWanted) {
  const auto found = std::ranges::find_if(run.comparisons, isWanted);
  if (found == run.comparisons.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(std::distance(run.comparisons.begin(), found));
}

}  // namespace

std::uint64_t addedNonFinite(const report::Comparison& row) {
  const numerics::NonFiniteCounts& reference = row.referenceNonFinite;
  const numerics::NonFiniteCounts& variant = row.variantNonFinite;
  std::uint64_t added = 0;
  for (const auto kind : {&numerics::NonFiniteCounts::nan,
                          &numerics::NonFiniteCounts::positiveInfinity,
                          &numerics::NonFiniteCounts::negativeInfinity}) {
    added += variant.*kind - std::min(variant.*kind, reference.*kind);
  }
  // More than both hold is what was compared with something else, or never compared.
  const std::uint64_t apart = row.count - std::min(row.compared, row.count);
  const bool isOfThese = apart <= reference.total() + variant.total();
  return isOfThese && apart > reference.total() ? std::max(added, apart - reference.total())
                                                : added;
}

bool losesFinite(const report::Comparison& row) {
  return addedNonFinite(row) > 0;
}

std::optional<std::size_t> firstNonFinite(const report::Run& run) {
  return firstRow(run, losesFinite);
}

bool isLikeMask(const report::Comparison& row) {
  const numerics::NonFiniteCounts& counts = row.referenceNonFinite;
  return counts.nan == 0 && counts.positiveInfinity == 0 && counts.negativeInfinity < row.count;
}

std::optional<std::size_t> firstNonFiniteReference(const report::Run& run) {
  return firstRow(run, [](const report::Comparison& row) {
    return row.referenceNonFinite.total() > 0 && !isLikeMask(row);
  });
}

Divergence traceDivergence(const report::Report& report,
                           const report::Run& run,
                           const DivergenceLimits& limits) {
  Divergence trace;
  const ErrorColumns columns(report);
  if (!columns.isKnown()) {
    return trace;
  }
  Carrier carrier(run);
  GradientTracer gradients(run, columns, carrier, limits);
  for (const Pass pass : kPasses) {
    for (const std::size_t i : executionOrder(run, pass)) {
      const report::Comparison& row = run.comparisons[i];
      if (row.site.name == "loss") {
        continue;
      }
      const RowError numbers = columns.of(row);
      DivergenceStep step = isOfParameters(pass) ? gradients.stepOf(row, numbers)
                                                 : stepOf(row, numbers, carrier, limits);
      step.comparison = i;
      if (step.isMade && !trace.first) {
        trace.first = trace.steps.size();
      }
      trace.steps.push_back(step);
      const double passed = isOfParameters(pass) ? gradients.judgedOf(row, numbers) : step.error;
      carrier.pass(row, passed, numbers.scale);
    }
  }
  return trace;
}

std::size_t ExactDivergence::tensors() const {
  std::size_t count = 0;
  for (const PassDifference& pass : passes) {
    count += pass.rows.size();
  }
  return count;
}

std::size_t ExactDivergence::equal() const {
  std::size_t count = 0;
  for (const PassDifference& pass : passes) {
    count += pass.equal;
  }
  return count;
}

bool isEqual(const report::Report& report, const report::Comparison& row) {
  const double share = row.metrics.at(static_cast<std::size_t>(report.metricIndex(kEqual)));
  return (share == 1 || row.count == 0) && row.referenceNonFinite == row.variantNonFinite;
}

Result<ExactDivergence> exactDivergence(const report::Report& report, const report::Run& run) {
  if (report.metricIndex(kEqual) < 0) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("the report does not hold the metric '{}', from which equality is told",
                            kEqual));
  }
  if (run.comparisons.empty()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' holds no tensor that was compared", run.name));
  }
  ExactDivergence divergence;
  for (std::size_t p = 0; p < kPasses.size(); ++p) {
    PassDifference& pass = divergence.passes[p];
    pass.pass = kPasses[p];
    pass.rows = executionOrder(run, pass.pass);
    for (const std::size_t i : pass.rows) {
      if (isEqual(report, run.comparisons[i])) {
        ++pass.equal;
      } else if (!pass.first) {
        pass.first = i;
      }
    }
    if (!divergence.first) {
      divergence.first = pass.first;
    }
  }
  return divergence;
}

}  // namespace ulp::analysis
