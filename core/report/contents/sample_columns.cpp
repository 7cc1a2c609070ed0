#include "core/report/contents/sample_columns.h"

#include <algorithm>
#include <cmath>

namespace ulp::report {

using numerics::MetricUnit;

bool hasGainError(const Run& run) {
  return std::ranges::any_of(run.comparisons,
                             [](const Comparison& row) { return !std::isnan(row.gainError); });
}

SampleColumns::SampleColumns(const Report& report, const ExportSelection& selection)
    : m_selection(selection),
      m_floor(report),
      m_hasSamples(
          std::ranges::any_of(report.runs, [](const Run& run) { return run.samples > 1; })),
      m_hasGain(m_hasSamples || std::ranges::any_of(report.runs, hasGainError)) {
  const auto add = [this](std::string id, std::string label, MetricUnit unit) {
    m_columns.push_back({std::move(id), std::move(label), unit});
  };
  if (m_hasSamples) {
    add("samples", "samples", MetricUnit::None);
  }
  if (m_hasGain) {
    add("gain_error", "gain error", MetricUnit::Percent);
  }
  if (m_hasSamples) {
    add("gain_error_sd", "gain error sd", MetricUnit::Percent);
    add("gain_error_ci95", "gain error ±", MetricUnit::Percent);
    add("gain_error_systematic", "gain error systematic", MetricUnit::None);
  }
  if (m_floor.isKnown()) {
    add("is_noise_floor", "noise floor", MetricUnit::None);
  }
  for (const SelectedMetric& metric : selection.metrics) {
    if (m_hasSamples) {
      add(metric.id + "_sd", metric.label + " sd", metric.unit);
      add(metric.id + "_ci95", metric.label + " ±", metric.unit);
    }
    if (m_floor.isKnown()) {
      add(metric.id + "_floor", metric.label + " floor", metric.unit);
      add(metric.id + "_within_floor", metric.label + " within floor", MetricUnit::None);
    }
  }
}

std::vector<double> SampleColumns::values(const Run& run, const Comparison& row) const {
  std::vector<double> values;
  if (m_hasSamples) {
    values.push_back(static_cast<double>(run.samples));
  }
  if (m_hasGain) {
    values.push_back(row.gainError);
  }
  if (m_hasSamples) {
    values.insert(values.end(),
                  {row.gainSpread.sd,
                   halfInterval(row.gainSpread, run.samples),
                   isSystematic(row.gainError, row.gainSpread, run.samples) ? 1.0 : 0.0});
  }
  const bool isFloor = run.role == RunRole::Floor;
  if (m_floor.isKnown()) {
    values.push_back(isFloor ? 1 : 0);
  }
  for (const SelectedMetric& metric : m_selection.metrics) {
    if (m_hasSamples) {
      const Spread spread =
          metric.column < row.spread.size() ? row.spread[metric.column] : Spread{};
      values.push_back(spread.sd);
      values.push_back(halfInterval(spread, run.samples));
    }
    if (m_floor.isKnown()) {
      const bool isCovered =
          !isFloor && m_floor.covers(row.site, metric.column, row.metrics.at(metric.column));
      values.push_back(m_floor.at(row.site, metric.column));
      values.push_back(isCovered ? 1 : 0);
    }
  }
  return values;
}

}  // namespace ulp::report
