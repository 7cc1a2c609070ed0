#include <algorithm>
#include <array>
#include <cmath>

#include "core/numerics/metrics/metric_math.h"

/// Metrics of what was recorded in place of elements.
namespace ulp::numerics {
namespace {

double rmsBound(const TensorStatistics& r, const TensorStatistics& v) {
  const double norm = normRel(r, v);
  const double mean = meanRel(r, v);
  return std::isnan(mean) ? norm : std::isnan(norm) ? mean : std::max(norm, mean);
}

/// An extreme's difference, relative to the larger magnitude of the reference's two extremes.
template <double TensorStatistics::*kExtreme>
double relative(const TensorStatistics& r, const TensorStatistics& v) {
  return extremeRel(r, v.*kExtreme - r.*kExtreme);
}

template <double TensorStatistics::*kNumber>
double difference(const TensorStatistics& r, const TensorStatistics& v) {
  return v.*kNumber - r.*kNumber;
}

struct Row {
  const char* id;
  const char* label;
  const char* formula;
  double (*value)(const TensorStatistics& r, const TensorStatistics& v);
};

constexpr int kFirstPlace = 300;
constexpr std::array<Row, 5> kRelative{
    {{"stat.rms_bound",
      "RMS rel, at least",
      "max(norm_rel, mean_rel) of recorded statistics: no RMS rel can be below it",
      rmsBound},
     {"stat.norm_rel", "Norm rel", "| ||v|| - ||r|| | / ||r||, of recorded norms", normRel},
     {"stat.mean_rel",
      "Mean rel",
      "|mean v - mean r| / (||r|| / sqrt(n)), of recorded means and norms",
      meanRel},
     {"stat.max_rel",
      "Largest rel",
      "|max v - max r| / max(|max r|, |min r|), of recorded extremes",
      relative<&TensorStatistics::max>},
     {"stat.min_rel",
      "Smallest rel",
      "|min v - min r| / max(|max r|, |min r|), of recorded extremes",
      relative<&TensorStatistics::min>}}};
constexpr std::array<Row, 4> kSigned{{{"stat.max_diff",
                                       "Max, difference",
                                       "max v - max r, of recorded extremes",
                                       difference<&TensorStatistics::max>},
                                      {"stat.min_diff",
                                       "Min, difference",
                                       "min v - min r, of recorded extremes",
                                       difference<&TensorStatistics::min>},
                                      {"stat.mean_diff",
                                       "Mean, difference",
                                       "mean v - mean r, of recorded means",
                                       difference<&TensorStatistics::mean>},
                                      {"stat.norm_diff",
                                       "Norm, difference",
                                       "||v|| - ||r||, of recorded norms",
                                       difference<&TensorStatistics::norm>}}};

}  // namespace

void registerStat(MetricRegistry& registry) {
  int place = kFirstPlace;
  for (const auto& [id, label, formula, value] : kRelative) {
    registry.add({.id = id,
                  .label = label,
                  .formula = formula,
                  .unit = MetricUnit::Percent,
                  .order = place++,
                  .ofStatistics = value});
  }
  for (const auto& [id, label, formula, value] : kSigned) {
    registry.add({.id = id,
                  .label = label,
                  .formula = formula,
                  .scale = MetricScale::Linear,
                  .order = place++,
                  .ofStatistics = value});
  }
}

}  // namespace ulp::numerics
