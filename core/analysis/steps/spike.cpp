#include "core/analysis/steps/spike.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ulp::analysis {
namespace {

/// Of the last `window` values, not empty.
double medianOf(const std::vector<double>& values, std::size_t window) {
  const std::size_t count = std::min(window, values.size());
  std::vector<double> last(values.end() - static_cast<std::ptrdiff_t>(count), values.end());
  const auto middle = last.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::ranges::nth_element(last, middle);
  if (count % 2 == 1) {
    return *middle;
  }
  return (*std::max_element(last.begin(), middle) + *middle) / 2;
}

/// The runs of one series of steps, by step.
using StepRuns = std::vector<std::pair<std::int64_t, std::size_t>>;

std::vector<StepRuns> seriesOf(const report::Report& report) {
  using SeriesKey =
      std::tuple<std::string, std::optional<std::int64_t>, std::optional<std::int64_t>>;
  std::map<SeriesKey, StepRuns> byRest;
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    const std::optional<UnitAxes>& axes = report.runs[i].axes;
    if (axes && axes->step && !report.runs[i].comparisons.empty()) {
      byRest[{axes->run, axes->rank, axes->token}].emplace_back(*axes->step, i);
    }
  }
  std::vector<StepRuns> series;
  for (auto& [rest, runs] : byRest) {
    std::ranges::stable_sort(runs, {}, [](const auto& one) { return one.first; });
    if (runs.size() > 1) {
      series.push_back(std::move(runs));
    }
  }
  return series;
}

/// One tensor over the steps; missing steps are not known.
struct TensorSeries {
  std::vector<StepValue> values;
  std::vector<std::size_t> rows;  ///< parallel
};

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void addSpikes(const report::Report& report,
               const StepRuns& steps,
               std::size_t metric,
               const SpikeLimits& limits,
               const std::stop_token& stop,
               std::vector<TensorSpike>& found) {
  std::unordered_map<std::string, TensorSeries> tensors;
  for (std::size_t place = 0; place < steps.size(); ++place) {
    const std::vector<report::Comparison>& rows = report.runs[steps[place].second].comparisons;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (stop.stop_requested()) {
        return;
      }
      const report::Comparison& row = rows[i];
      TensorSeries& series = tensors[row.site.name + '|' + std::string(toString(row.site.pass))];
      series.values.resize(steps.size(), StepValue{.value = kUnknown});
      series.rows.resize(steps.size());
      series.values[place] = {.value = metric < row.metrics.size() ? row.metrics[metric] : kUnknown,
                              .isBroken = row.variantNonFinite.total() > 0};
      series.rows[place] = i;
    }
  }
  for (const auto& [name, series] : tensors) {
    if (const auto spike = findSpike(series.values, limits)) {
      const auto& [step, run] = steps[spike->at];
      found.push_back({.run = run, .row = series.rows[spike->at], .step = step, .spike = *spike});
    }
  }
}

}  // namespace

std::optional<Spike> findSpike(std::span<const StepValue> series, const SpikeLimits& limits) {
  std::vector<double> known;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const StepValue& here = series[i];
    const bool isBroken = here.isBroken || std::isinf(here.value);
    if (!isBroken && std::isnan(here.value)) {
      continue;
    }
    if (isBroken) {
      // What was never finite, such as a mask, does not begin here.
      return known.empty() ? std::nullopt
                           : std::optional(Spike{.at = i,
                                                 .value = here.value,
                                                 .median = medianOf(known, limits.window),
                                                 .isNonFinite = true});
    }
    if (known.size() >= limits.least) {
      const double median = medianOf(known, limits.window);
      if (median > 0 && here.value > limits.factor * median) {
        return Spike{.at = i, .value = here.value, .median = median};
      }
    }
    known.push_back(here.value);
  }
  return std::nullopt;
}

std::vector<TensorSpike> findSpikes(const report::Report& report,
                                    std::string_view metric,
                                    const SpikeLimits& limits,
                                    const std::stop_token& stop) {
  const int column = report.metricIndex(metric);
  std::vector<TensorSpike> found;
  if (column < 0) {
    return found;
  }
  for (const StepRuns& steps : seriesOf(report)) {
    addSpikes(report, steps, static_cast<std::size_t>(column), limits, stop, found);
  }
  if (stop.stop_requested()) {
    return {};
  }
  std::ranges::sort(
      found, {}, [](const TensorSpike& one) { return std::tuple(one.step, one.run, one.row); });
  return found;
}

}  // namespace ulp::analysis
