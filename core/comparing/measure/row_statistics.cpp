#include "core/comparing/measure/row_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/tensors/tensor_statistics.h"
#include "core/comparing/measure/row_threads.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {
namespace {

std::optional<double> defined(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

Result<RowStatistics> readStatistics(const tensors::Tensor& tensor) {
  const TensorStatistics counted = ULP_TRY(statisticsOf(tensor));
  const std::uint64_t finite = counted.count - counted.nonFinite.total();
  RowStatistics result{
      .numbers = {.max = defined(counted.maximum),
                  .min = defined(counted.minimum),
                  .mean = defined(counted.mean),
                  .norm = defined(counted.rms * std::sqrt(static_cast<double>(finite)))},
      .nonFinite = counted.nonFinite,
      .isCounted = true,
      .isRead = true};
  tensors::giveBack(tensor, 0, tensor.view.count());
  return result;
}

bool isWholeAndFinite(const dumps::Statistics& numbers) {
  return std::ranges::all_of(numbers.all(), [](const std::optional<double>& number) {
    return number && std::isfinite(*number);
  });
}

}  // namespace

RowStatistics recordedStatisticsOf(const dumps::DumpRow& row) {
  RowStatistics result{.numbers = row.statistics};
  const double max = row.statistics.max.value_or(0);
  const double min = row.statistics.min.value_or(0);
  const double mean = row.statistics.mean.value_or(0);
  const double norm = row.statistics.norm.value_or(0);
  // Mean and norm may become NaN by infinities alone, and infinite without any.
  const bool isNan =
      std::isnan(max) || std::isnan(min) ||
      (std::isfinite(max) && std::isfinite(min) && (std::isnan(mean) || std::isnan(norm)));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  result.nonFinite = {.nan = isNan ? 1U : 0U,
                      .positiveInfinity = max == kInfinity || min == kInfinity ? 1U : 0U,
                      .negativeInfinity = max == -kInfinity || min == -kInfinity ? 1U : 0U};
  result.isCounted = row.statistics.max && row.statistics.min && result.nonFinite.total() == 0;
  return result;
}

Result<UnitStatistics> statisticsOf(const dumps::DumpUnit& unit,
                                    const UnitStatisticsOptions& options,
                                    const std::stop_token& stop,
                                    const dumps::Progress& progress) {
  UnitStatistics result;
  std::vector<std::size_t> unread;
  result.rows.reserve(unit.rows.size());
  for (std::size_t row = 0; row < unit.rows.size(); ++row) {
    const dumps::DumpRow& own = unit.rows[row];
    result.rows.push_back(recordedStatisticsOf(own));
    if (options.readsElements && own.hasElements && !isWholeAndFinite(own.statistics)) {
      unread.push_back(row);
    }
  }
  result.problems = ULP_TRY(lookAtTensors({.unit = unit,
                                           .rows = unread,
                                           .threads = options.threads,
                                           .stop = stop,
                                           .stopped = "stopped while reading tensors",
                                           .progress = progress},
                                          result.rows,
                                          readStatistics));
  return result;
}

}  // namespace ulp::analysis
