#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {
namespace {

/// In the order of RowOrder.
constexpr std::array kOrderIds{QLatin1StringView("execution"),
                               QLatin1StringView("name"),
                               QLatin1StringView("mean"),
                               QLatin1StringView("maximum"),
                               QLatin1StringView("column")};

/// What a row is ordered by: broken rows, then rows with a number, then missing ones.
struct RowKey {
  int group = 2;     ///< 0: holds what is not a number; 1: a number; 2: nothing
  double value = 0;  ///< larger is worse
  friend auto operator<=>(const RowKey&, const RowKey&) = default;
};

/// Mean or worst of a part of a row, larger being worse.
class RowSummary {
 public:
  explicit RowSummary(const Heatmap& heatmap)
      : m_sign(heatmap.metric.better == numerics::Better::Lower ? 1 : -1) {}

  void add(const charts::RasterGrid& grid, int row, int column) {
    if (grid.isMissing(row, column)) {
      return;
    }
    const double value = grid.value(row, column);
    m_broken = m_broken || grid.isBroken(grid.at(row, column));
    if (std::isfinite(value)) {
      m_sum += m_sign * value;
      m_worst = m_count == 0 ? m_sign * value : std::max(m_worst, m_sign * value);
      ++m_count;
    }
  }
  [[nodiscard]] RowKey key(bool mean) const {
    const double value = m_count == 0 ? 0 : mean ? m_sum / m_count : m_worst;
    return {m_broken ? 0 : m_count > 0 ? 1 : 2, value};
  }

 private:
  double m_sign;
  double m_sum = 0;
  double m_worst = 0;
  int m_count = 0;
  bool m_broken = false;
};

std::vector<RowKey> keysOf(const Heatmap& heatmap, RowOrder order, int column) {
  std::vector<RowKey> keys;
  const int columns = heatmap.columns.size();
  for (int row = 0; row < heatmap.rowCount(); ++row) {
    RowSummary summary(heatmap);
    if (order != RowOrder::Column) {
      for (int i = 0; i < columns; ++i) {
        summary.add(*heatmap.grid, row, i);
      }
    } else if (column >= 0 && column < columns) {
      summary.add(*heatmap.grid, row, column);
    }
    keys.push_back(summary.key(order == RowOrder::Mean));
  }
  return keys;
}

/// Row `to` of the result is row `order[to]` of the source.
template <class T>
std::vector<T> permuted(const std::vector<T>& from,
                        const std::vector<std::size_t>& order,
                        std::size_t columns) {
  std::vector<T> to;
  to.reserve(from.size());
  for (const std::size_t row : order) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * columns);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(columns));
  }
  return to;
}

}  // namespace

QString toText(RowOrder order) {
  return kOrderIds.at(static_cast<std::size_t>(order));
}

std::optional<RowOrder> parseRowOrder(const QString& text) {
  const auto* const found = std::ranges::find(kOrderIds, text);
  return found == kOrderIds.end() ? std::nullopt
                                  : std::optional(static_cast<RowOrder>(found - kOrderIds.begin()));
}

Heatmap sorted(const Heatmap& heatmap, RowOrder order, int column) {
  // Steps, ranks and positions are numbers, which are in order already.
  const bool isNumbered = !heatmap.isEmpty() && heatmap.rows.front().unit.has_value();
  if (order == RowOrder::Execution || heatmap.isEmpty() ||
      (order == RowOrder::Name && isNumbered)) {
    return heatmap;
  }
  std::vector<std::size_t> places(heatmap.rows.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (order == RowOrder::Name) {
    std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) {
      return QString::localeAwareCompare(heatmap.rows[a].label, heatmap.rows[b].label) < 0;
    });
  } else {
    const std::vector<RowKey> keys = keysOf(heatmap, order, column);
    std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) {
      return keys[a].group != keys[b].group ? keys[a].group < keys[b].group
                                            : keys[a].value > keys[b].value;
    });
  }
  Heatmap result = heatmap;
  const auto columns = static_cast<std::size_t>(heatmap.columns.size());
  auto grid = std::make_shared<charts::RasterGrid>();
  grid->rows = heatmap.grid->rows;
  grid->columns = heatmap.grid->columns;
  grid->values = permuted(heatmap.grid->values, places, columns);
  grid->nonFinite = permuted(heatmap.grid->nonFinite, places, columns);
  grid->missing = permuted(heatmap.grid->missing, places, columns);
  result.grid = std::move(grid);
  result.rows = permuted(heatmap.rows, places, 1);
  result.sites = permuted(heatmap.sites, places, columns);
  if (!heatmap.spikes.empty()) {
    result.spikes = permuted(heatmap.spikes, places, columns);
  }
  result.generatedFrom = -1;
  if (!heatmap.tops.empty()) {
    result.tops = permuted(heatmap.tops, places, 1);
  }
  if (!heatmap.variants.empty()) {
    result.variants = permuted(heatmap.variants, places, columns);
    result.counted = permuted(heatmap.counted, places, columns);
  }
  return result;
}

}  // namespace ulp::views
