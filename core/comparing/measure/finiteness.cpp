#include "core/comparing/measure/finiteness.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/analysis/tensors/tensor_statistics.h"
#include "core/base/threads.h"
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

/// Rows whose elements alone tell, shared out among threads.
class Readers {
 public:
  Readers(const dumps::DumpUnit& unit,
          UnitFiniteness& result,
          std::vector<std::size_t> rows,
          const std::stop_token& stop,
          const dumps::Progress& progress)
      : m_unit(unit),
        m_result(result),
        m_rows(std::move(rows)),
        m_problems(m_rows.size()),
        m_stop(stop),
        m_progress(progress) {}

  [[nodiscard]] Result<> run(int threads) {
    const std::size_t most = static_cast<std::size_t>(std::max(threads, 0));
    ULP_TRY(runOnThreads(
        threadsFor(m_rows.size(), most),
        [this](std::size_t thread) { work(thread == 0); },
        &m_isFailed));
    if (m_stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "stopped while looking for what is not finite");
    }
    for (std::string& problem : m_problems) {
      if (!problem.empty()) {
        m_result.problems.push_back(std::move(problem));
      }
    }
    return {};
  }

 private:
  void work(bool isCaller) {
    for (std::size_t i = m_next++; i < m_rows.size() && !m_stop.stop_requested() && !m_isFailed;
         i = m_next++) {
      const std::size_t row = m_rows[i];
      if (const auto known = m_unit.read(row).and_then(ofElements)) {
        m_result.rows[row] = *known;
      } else {
        m_problems[i] = fmt::format("{}: {}", m_unit.rows[row].name, known.error().message());
      }
      ++m_done;
      if (isCaller && m_progress) {
        m_progress(m_done, m_rows.size());
      }
    }
  }

  const dumps::DumpUnit& m_unit;
  UnitFiniteness& m_result;
  std::vector<std::size_t> m_rows;
  std::vector<std::string> m_problems;  ///< parallel to m_rows
  const std::stop_token& m_stop;
  const dumps::Progress& m_progress;
  std::atomic<std::size_t> m_next = 0;
  std::atomic<std::size_t> m_done = 0;
  std::atomic<bool> m_isFailed = false;  ///< of one thread: nothing will come of the rest
};

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
  Readers readers(unit, result, std::move(unknown), stop, progress);
  ULP_TRY(readers.run(options.threads));
  return result;
}

}  // namespace ulp::analysis
