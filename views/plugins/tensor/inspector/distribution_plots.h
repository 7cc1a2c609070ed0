#pragma once

#include <optional>

#include "core/analysis/tensors/pair_statistics.h"
#include "core/report/tables/data_table.h"
#include "views/charts/raster/color_scale.h"
#include "views/plugins/tensor/inspector/plot.h"

namespace ulp::views {

/// Names and colours of the two tensors.
struct PairNames {
  QString baseline;
  QString variant;
  int style = 0;  ///< index of the variant
};

/// Histograms of A, B and B − A over one axis that is logarithmic on both sides of zero.
[[nodiscard]] Plot histogramPlot(const analysis::PairStatistics& statistics,
                                 const PairNames& names);
[[nodiscard]] report::DataTable histogramTable(const analysis::PairStatistics& statistics);

/// Exponents of A and B, with the ranges of the narrow formats above them and what of B each of
/// them would lose.
[[nodiscard]] Plot exponentPlot(const analysis::PairStatistics& statistics, const PairNames& names);
[[nodiscard]] report::DataTable exponentTable(const analysis::PairStatistics& statistics);
/// One row a format: what of A and of B would overflow, underflow and lose digits.
[[nodiscard]] report::DataTable formatTable(const analysis::PairStatistics& statistics);

/// B against A, counted over a square; the colours are paintDensity()'s.
[[nodiscard]] Plot densityPlot(const analysis::PairStatistics& statistics, const PairNames& names);
void paintDensity(QPainter& painter,
                  const charts::PlotMap& map,
                  const analysis::DensityGrid& density,
                  const Theme& theme);
[[nodiscard]] report::DataTable densityTable(const analysis::PairStatistics& statistics);

/// A curve of values along a row or a column.
struct Profile {
  QString title;
  QString axis;                   ///< name of the dimension that it runs along
  std::int64_t first = 0;         ///< position of the first value
  std::int64_t step = 1;          ///< between positions
  std::int64_t cursor = 0;        ///< position of the cursor
  std::vector<double> reference;  ///< the value farthest from zero of each step; NaN: none
  std::vector<double> variant;
  std::uint64_t nonFinite = 0;  ///< elements of both that are NaN or infinite
};
[[nodiscard]] Plot profilePlot(const Profile& profile, const PairNames& names);
[[nodiscard]] report::DataTable profileTable(const Profile& profile);

}  // namespace ulp::views
