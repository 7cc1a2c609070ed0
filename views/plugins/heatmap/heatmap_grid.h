#pragma once

#include <cstdint>
#include <memory>

#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {

/// Fills a grid cell by cell, everything missing at first.
class GridBuilder {
 public:
  GridBuilder(int rows, int columns);
  /// An undefined value is missing unless it is undefined because of elements that are no numbers.
  void set(int row, int column, double value, std::uint64_t nonFinite);
  [[nodiscard]] charts::RasterGridPtr take() { return std::move(m_grid); }

 private:
  std::shared_ptr<charts::RasterGrid> m_grid;
};

/// Takes a value into what the colours reach over; ignores one that is not finite.
void addToExtent(Heatmap& heatmap, double value);

/// Elements of a variant's tensor that are no numbers.
[[nodiscard]] std::uint64_t nonFiniteAt(const ReportDocument& document, int variant, int site);
[[nodiscard]] MetricInfo metricInfo(const ReportDocument& document, int metric);

}  // namespace ulp::views
