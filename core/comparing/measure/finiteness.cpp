#include "core/comparing/measure/finiteness.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/analysis/tensors/tensor_statistics.h"
#include "core/comparing/measure/row_threads.h"
#include "core/tensors/archive/page_use.h"

namespace ulp::analysis {
namespace {

Result<Finiteness> ofElements(const tensors::Tensor& tensor) {
  const TensorStatistics counted = statisticsOf(tensor.view);
  Finiteness result{.isKnown = true,
                    .hasNan = counted.nonFinite.nan > 0,
                    .hasPositive = counted.nonFinite.positiveInfinity > 0,
                    .hasNegative = counted.nonFinite.negativeInfinity > 0};
  if (!std::isnan(counted.minimum)) {
    result.min = counted.minimum;
    result.max = counted.maximum;
  }
  tensors::giveBack(tensor, 0, tensor.view.count());
  ULP_TRY(tensors::checkIntact(tensor));
  return result;
}

}  // namespace

std::optional<double> Finiteness::largest() const {
  return min && max ? std::optional(std::max(std::abs(*min), std::abs(*max))) : std::nullopt;
}

Finiteness finitenessOf(const dumps::DumpRow& row) {
  const dumps::Statistics& numbers = row.statistics;
  Finiteness result{.isKnown = numbers.max && numbers.min};
  if (!result.isKnown) {
    return result;
  }
  // A mean is NaN where both infinities are added, too.
  result.hasNan = std::isnan(*numbers.max) || std::isnan(*numbers.min) ||
                  (std::isnan(numbers.mean.value_or(0)) && std::isfinite(*numbers.max) &&
                   std::isfinite(*numbers.min));
  for (const double extreme : {*numbers.min, *numbers.max}) {
    result.hasPositive = result.hasPositive || (std::isinf(extreme) && extreme > 0);
    result.hasNegative = result.hasNegative || (std::isinf(extreme) && extreme < 0);
  }
  if (std::isfinite(*numbers.max)) {
    result.max = *numbers.max;
  }
  if (std::isfinite(*numbers.min)) {
    result.min = *numbers.min;
  }
  return result;
}

Result<UnitFiniteness> finitenessOf(const dumps::DumpUnit& unit,
                                    const FinitenessOptions& options,
                                    const std::stop_token& stop,
                                    const dumps::Progress& progress) {
  UnitFiniteness result;
  std::vector<std::size_t> unknown;
  result.rows.reserve(unit.rows.size());
  for (std::size_t row = 0; row < unit.rows.size(); ++row) {
    result.rows.push_back(finitenessOf(unit.rows[row]));
    if (!result.rows.back().isKnown && unit.rows[row].hasElements && options.readsElements) {
      unknown.push_back(row);
    }
  }
  std::vector<std::string> problems(unknown.size());
  std::atomic<std::size_t> done = 0;
  ULP_TRY(forEachRow({.rows = unknown.size(), .threads = options.threads},
                     stop,
                     "stopped while looking for what is not finite",
                     [&](std::size_t i, bool isCaller) {
                       const std::size_t row = unknown[i];
                       if (const auto known = unit.read(row).and_then(ofElements)) {
                         result.rows[row] = *known;
                       } else {
                         problems[i] =
                             fmt::format("{}: {}", unit.rows[row].name, known.error().message());
                       }
                       ++done;
                       if (isCaller && progress) {
                         progress(done, unknown.size());
                       }
                     }));
  std::erase_if(problems, [](const std::string& problem) { return problem.empty(); });
  result.problems = std::move(problems);
  return result;
}

}  // namespace ulp::analysis
