#include "core/analysis/depth/divergence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "core/analysis/depth/recorded_inputs.h"
#include "core/analysis/depth/site_inputs.h"
#include "core/base/list_of.h"

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

  void pass(const report::Comparison& row, double error) {
    m_lostFinite = m_lostFinite || losesFinite(row);
    if (std::isnan(error)) {
      return;
    }
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
  bool m_lostFinite = false;
  std::map<Key, double> m_errors;
};

DivergenceStep stepOf(const report::Comparison& row,
                      double error,
                      const Carrier& carrier,
                      const DivergenceLimits& limits) {
  DivergenceStep step{.error = error, .carried = carrier.into(row.site)};
  step.expected = std::hypot(step.carried, limits.roundOff);
  if (losesFinite(row) && !carrier.hasLostFinite()) {
    step.excess = std::numeric_limits<double>::infinity();
  } else if (error == 0) {
    step.excess = 0;
  } else {
    step.excess = error / step.expected;
  }
  step.isMade = step.excess > limits.excess;
  return step;
}

constexpr std::string_view kEqual = "equal_fraction";

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
  const auto found = std::ranges::find_if(run.comparisons, losesFinite);
  if (found == run.comparisons.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(std::distance(run.comparisons.begin(), found));
}

Divergence traceDivergence(const report::Report& report,
                           const report::Run& run,
                           const DivergenceLimits& limits) {
  Divergence trace;
  const int column = report.metricIndex("rms_rel");
  if (column < 0) {
    return trace;
  }
  Carrier carrier(run);
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    for (std::size_t i = 0; i < run.comparisons.size(); ++i) {
      const report::Comparison& row = run.comparisons[i];
      if (row.site.pass != pass || row.site.name == "loss") {
        continue;
      }
      const double error = row.metrics.at(static_cast<std::size_t>(column));
      DivergenceStep step = stepOf(row, error, carrier, limits);
      step.comparison = i;
      if (step.isMade && !trace.first) {
        trace.first = trace.steps.size();
      }
      trace.steps.push_back(step);
      carrier.pass(row, error);
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
    for (std::size_t i = 0; i < run.comparisons.size(); ++i) {
      const report::Comparison& row = run.comparisons[i];
      if (row.site.pass != pass.pass) {
        continue;
      }
      pass.rows.push_back(i);
      if (isEqual(report, row)) {
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
