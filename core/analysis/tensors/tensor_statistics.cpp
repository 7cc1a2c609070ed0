#include "core/analysis/tensors/tensor_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/stop_pace.h"
#include "core/remote/captures/host_numbers.h"

namespace ulp::analysis {
namespace {

void countNonFinite(double value, numerics::NonFiniteCounts& counts) {
  if (std::isnan(value)) {
    ++counts.nan;
  } else if (value > 0) {
    ++counts.positiveInfinity;
  } else {
    ++counts.negativeInfinity;
  }
}

/// Calls `use` with every element, until the caller's work is stopped.
template <class Use>
void eachElement(const numerics::TensorView& tensor, const Use& use) {
  constexpr std::size_t kBlock = 2048;
  std::array<double, kBlock> block{};
  const std::size_t count = tensor.count();
  StopPace pace(kBlock * kBlock);
  for (std::size_t first = 0; first < count && !pace.isStopped(kBlock); first += kBlock) {
    const std::span<double> values = std::span(block).first(std::min(kBlock, count - first));
    numerics::readElements(tensor, static_cast<std::int64_t>(first), 1, values);
    std::ranges::for_each(values, use);
  }
}

/// All elements were seen, and were there.
Result<> checkComplete(const tensors::Tensor& tensor) {
  return currentStop().stop_requested() ? Result<>(ulp::stopped()) : tensors::checkIntact(tensor);
}

/// All numbers, in one order.
template <class UseCount, class UseReal>
void visitNumbers(TensorStatistics& statistics, const UseCount& count, const UseReal& real) {
  count(statistics.count);
  count(statistics.zeros);
  count(statistics.nonFinite.nan);
  count(statistics.nonFinite.positiveInfinity);
  count(statistics.nonFinite.negativeInfinity);
  real(statistics.minimum);
  real(statistics.maximum);
  real(statistics.mean);
  real(statistics.rms);
}

}  // namespace

TensorStatistics statisticsOf(const numerics::TensorView& tensor) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  TensorStatistics result{.count = tensor.count()};
  double lowest = kInfinity;
  double highest = -kInfinity;
  double sum = 0;
  double sumOfSquares = 0;
  eachElement(tensor, [&](double value) {
    if (!std::isfinite(value)) {
      countNonFinite(value, result.nonFinite);
      return;
    }
    result.zeros += value == 0 ? 1 : 0;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
    sum += value;
    sumOfSquares += value * value;
  });
  const auto finite = static_cast<double>(result.count - result.nonFinite.total());
  const bool hasFinite = finite > 0;
  result.minimum = hasFinite ? lowest : std::nan("");
  result.maximum = hasFinite ? highest : std::nan("");
  result.mean = sum / finite;
  result.rms = std::sqrt(sumOfSquares / finite);
  return result;
}

double Histogram::lowerEdge(std::size_t bin) const {
  return lower + (upper - lower) * static_cast<double>(bin) / static_cast<double>(counts.size());
}

Histogram histogramOf(const numerics::TensorView& tensor,
                      const TensorStatistics& statistics,
                      std::size_t bins) {
  Histogram histogram{statistics.minimum, statistics.maximum, {}};
  if (std::isnan(statistics.minimum)) {
    return histogram;
  }
  // Halves, because the span of float64 values can exceed float64.
  const double span = statistics.maximum / 2 - statistics.minimum / 2;
  histogram.counts.assign(span > 0 ? bins : 1, 0);
  eachElement(tensor, [&](double value) {
    if (!std::isfinite(value)) {
      return;
    }
    const double place = span > 0 ? (value / 2 - statistics.minimum / 2) / span : 0;
    const auto bin = static_cast<std::size_t>(place * static_cast<double>(bins));
    ++histogram.counts[std::min(bin, histogram.counts.size() - 1)];
  });
  return histogram;
}

Result<TensorStatistics> statisticsOf(const tensors::Tensor& tensor) {
  const std::array one{&tensor};
  auto there = ULP_TRY(remote::numbersThere(one, {{"what", "statistics"}, {"bins", 0}}));
  if (!there) {
    const TensorStatistics statistics = statisticsOf(tensor.view);
    ULP_TRY(checkComplete(tensor));
    return statistics;
  }
  TensorStatistics statistics;
  visitNumbers(
      statistics,
      [&](std::uint64_t& number) { number = there->whole(); },
      [&](double& number) { number = there->real(); });
  ULP_TRY(there->checkWhole());
  return statistics;
}

Result<Histogram> histogramOf(const tensors::Tensor& tensor,
                              const TensorStatistics& statistics,
                              std::size_t bins) {
  const std::array one{&tensor};
  auto there = ULP_TRY(remote::numbersThere(one, {{"what", "statistics"}, {"bins", bins}}));
  if (!there) {
    Histogram histogram = histogramOf(tensor.view, statistics, bins);
    ULP_TRY(checkComplete(tensor));
    return histogram;
  }
  Histogram histogram{statistics.minimum, statistics.maximum, {}};
  for (std::size_t left = there->count(); left > 0; --left) {
    histogram.counts.push_back(there->whole());
  }
  ULP_TRY(there->checkWhole());
  return histogram;
}

Result<remote::Numbers> answerStatistics(const json::Value& question,
                                         std::span<const tensors::Tensor> tensors,
                                         const std::stop_token& stop) {
  constexpr std::size_t kMostBins = 100'000;
  const auto bins = static_cast<std::size_t>(question.at("bins").integer());
  if (tensors.size() != 1 || bins > kMostBins) {
    return fail(ErrorCode::Unsupported, "statistics: not of one tensor, or too many bins");
  }
  const StopScope scope(stop);
  auto statistics = ULP_TRY(statisticsOf(tensors[0]));
  remote::Numbers numbers;
  if (bins == 0) {
    const auto add = [&](auto number) { numbers.add(number); };
    visitNumbers(statistics, add, add);
    return numbers;
  }
  const auto histogram = ULP_TRY(histogramOf(tensors[0], statistics, bins));
  numbers.add(std::uint64_t{histogram.counts.size()});
  for (const std::uint64_t count : histogram.counts) {
    numbers.add(count);
  }
  return numbers;
}

}  // namespace ulp::analysis
