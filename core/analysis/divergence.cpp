#include "core/analysis/divergence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace ulp::analysis {
namespace {

bool losesFinite(const report::Comparison& row) {
  return row.variantNonFinite.total() > row.referenceNonFinite.total();
}

/// Errors that the next tensor may be computed from.
class Carrier {
 public:
  [[nodiscard]] double into(const Site& site) const {
    double carried = std::max(m_previous, m_layer);
    if (site.pass == Pass::Backward) {
      const auto forward = m_forward.find(site.name);
      carried = forward == m_forward.end() ? carried : std::max(carried, forward->second);
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
    if (row.site.pass == Pass::Forward) {
      m_forward[row.site.name] = error;
    }
  }

 private:
  double m_previous = 0;
  double m_layer = 0;
  bool m_lostFinite = false;
  std::unordered_map<std::string_view, double> m_forward;
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

}  // namespace

Divergence traceDivergence(const report::Report& report,
                           const report::Run& run,
                           const DivergenceLimits& limits) {
  Divergence trace;
  const int column = report.metricIndex("rms_rel");
  if (column < 0) {
    return trace;
  }
  Carrier carrier;
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

}  // namespace ulp::analysis
