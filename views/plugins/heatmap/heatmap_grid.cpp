#include "views/plugins/heatmap/heatmap_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulp::views {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

GridBuilder::GridBuilder(int rows, int columns) : m_grid(std::make_shared<charts::RasterGrid>()) {
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  m_grid->rows = rows;
  m_grid->columns = columns;
  m_grid->values.assign(count, kNan);
  m_grid->nonFinite.assign(count, 0);
  m_grid->missing.assign(count, 1);
}

void GridBuilder::set(int row, int column, double value, std::uint64_t nonFinite) {
  const std::size_t at = m_grid->at(row, column);
  m_grid->values[at] = value;
  m_grid->nonFinite[at] = nonFinite;
  m_grid->missing[at] = std::isnan(value) && nonFinite == 0 ? 1 : 0;
}

void addToExtent(Heatmap& heatmap, double value) {
  if (!std::isfinite(value)) {
    return;
  }
  heatmap.smallest = std::min(heatmap.smallest, value);
  heatmap.largest = std::max(heatmap.largest, value);
  if (value > 0) {
    heatmap.smallestAboveZero = std::min(heatmap.smallestAboveZero, value);
  }
}

std::uint64_t nonFiniteAt(const ReportDocument& document, int variant, int site) {
  const report::Comparison* const found = document.comparison(variant, site);
  return found == nullptr ? 0 : found->variantNonFinite.total();
}

MetricInfo metricInfo(const ReportDocument& document, int metric) {
  return metric < 0 ? MetricInfo{} : document.metrics()[static_cast<std::size_t>(metric)];
}

}  // namespace ulp::views
