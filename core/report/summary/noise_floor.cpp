#include "core/report/summary/noise_floor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/undefined.h"
#include "core/report/summary/ulp_count.h"

namespace ulp::report {
namespace {

/// Of the reference's values, whatever the variant.
constexpr std::string_view kScale = "ref_scale";

std::string keyOf(const Site& site) {
  return std::string(toString(site.pass)) + ' ' + site.name;
}

std::vector<const Run*> floorRuns(const Report& report) {
  std::vector<const Run*> runs;
  for (const Run& run : report.runs) {
    if (run.role == RunRole::Floor) {
      runs.push_back(&run);
    }
  }
  return runs;
}

}  // namespace

std::string_view floorMeaning(std::string_view run) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMeanings{
      {{"floor.repeat", "the same again"},
       {"floor.float64", "rounding of the reference itself"},
       {"floor.threads", "another number of threads"},
       {"floor.attention", "another attention kernel"},
       {"floor.batch_order", "sequences in reverse order"}}};
  const auto* const found =
      std::ranges::find(kMeanings, run, [](const auto& meaning) { return meaning.first; });
  return found == kMeanings.end() ? std::string_view() : found->second;
}

bool hasNoiseFloor(const Report& report) {
  return std::ranges::any_of(report.runs, [](const Run& run) {
    return run.role == RunRole::Floor && !run.comparisons.empty();
  });
}

numerics::Better betterOf(std::string_view metric) {
  static const numerics::MetricRegistry kMetrics = numerics::builtinMetrics();
  const auto known = kMetrics.indexOf(metric);
  return known ? kMetrics.all()[*known].better : numerics::Better::Lower;
}

bool measuresError(std::string_view metric) {
  return metric != kScale;
}

double worseOf(double a, double b, numerics::Better better) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(a) ? b : a;
  }
  return numerics::isNoWorse(a, b, better) ? b : a;
}

NoiseFloor::NoiseFloor(const Report& report) : NoiseFloor(report.metrics, floorRuns(report)) {}

NoiseFloor::NoiseFloor(const std::vector<MetricColumn>& metrics, std::span<const Run* const> runs) {
  for (const MetricColumn& column : metrics) {
    m_better.push_back(betterOf(column.id));
    m_measuresError.push_back(measuresError(column.id));
    m_countsUlp.push_back(countsUlp(column.id));
  }
  for (const Run* run : runs) {
    for (const Comparison& row : run->comparisons) {
      add(row);
    }
  }
}

void NoiseFloor::add(const Comparison& row) {
  auto& floor = m_rows.try_emplace(keyOf(row.site), m_better.size(), kUndefined).first->second;
  for (std::size_t i = 0; i < std::min(floor.size(), row.metrics.size()); ++i) {
    if (!m_countsUlp[i] || isSensibleUlp(row, row.metrics[i])) {
      floor[i] = worseOf(floor[i], row.metrics[i], m_better[i]);
    }
  }
}

double NoiseFloor::at(const Site& site, std::size_t metric) const {
  const auto found = m_rows.find(keyOf(site));
  return found == m_rows.end() || metric >= found->second.size() || !m_measuresError[metric]
             ? kUndefined
             : found->second[metric];
}

bool NoiseFloor::covers(const Site& site, std::size_t metric, double value) const {
  const double floor = at(site, metric);
  return !std::isnan(floor) && numerics::isNoWorse(value, floor, m_better[metric]);
}

std::string floorLabel(std::string_view run) {
  const std::string_view meaning = floorMeaning(run);
  std::string label(run);
  if (!meaning.empty()) {
    label.append(" (").append(meaning).append(")");
  }
  return label;
}

}  // namespace ulp::report
