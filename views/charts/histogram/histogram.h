#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <QtCore/QRectF>
#include <QtCore/QString>
#include <QtGui/QFont>
#include <QtWidgets/QGraphicsScene>

#include "core/analysis/tensors/difference_histogram.h"
#include "views/charts/plot/viewport.h"
#include "views/framework/look/theme.h"

class QChart;
class QPainter;

namespace ulp::views::charts {

/// One of the outlines of a histogram.
struct HistogramSet {
  QString name;
  int style = 0;           ///< Theme::variantStyle()
  bool isCurrent = false;  ///< filled, with a stronger outline
};

/// Several sets of numbers counted in the same bins.
struct HistogramData {
  analysis::DifferenceHistogram bins;
  std::vector<HistogramSet> sets;  ///< parallel to bins.counts
  QString quantity;                ///< title of the axis of values, with its unit
  QString countTitle;              ///< what is counted
  bool isLogarithmic = true;       ///< counts; an empty bin stands below 1

  [[nodiscard]] bool isEmpty() const { return bins.bins() == 0; }
};

/// What the axes reach over: values, and heights as heightOf() has them.
struct HistogramExtent {
  Range values;
  Range heights;
};
[[nodiscard]] HistogramExtent extentOf(const HistogramData& data);
/// Where a count stands on the axis: itself, or its log10 with half a decade below 1 for none.
[[nodiscard]] double heightOf(std::uint64_t count, bool isLogarithmic);
/// "-0.0100 … -0.0095".
[[nodiscard]] QString binText(const HistogramData& data, std::size_t bin);

/// A histogram as a chart of Qt Charts: the one way in which histograms are drawn. On the thread of
/// the QApplication, which must exist: Qt Charts are items of a graphics scene.
class HistogramPicture {
 public:
  /// Makes the chart anew with `data` in the colours of `theme`; what it held goes. `seen`: what
  /// the axes show. The size decides how many labels they have.
  void fill(const HistogramData& data,
            const HistogramExtent& seen,
            const Theme& theme,
            const QFont& font,
            const QSizeF& size);
  /// On any device, as vectors.
  void paint(QPainter& painter, const QRectF& area);
  /// Where the bins stand, as of fill().
  [[nodiscard]] QRectF plotArea() const;

 private:
  /// Prepares the names of many sets, and returns where they end.
  double makeLegend(const HistogramData& data,
                    const Theme& theme,
                    const QFont& font,
                    const QSizeF& size);

  QGraphicsScene m_scene;
  QChart* m_chart = nullptr;                     ///< owned by the scene; null: not filled yet
  std::function<void(QPainter&)> m_paintLegend;  ///< of many sets; empty: Qt's own serves
};

/// Paints a histogram on any device without keeping its chart. Same thread as HistogramPicture.
void paintHistogram(QPainter& painter,
                    const QRectF& area,
                    const HistogramData& data,
                    const HistogramExtent& seen,
                    const Theme& theme);

}  // namespace ulp::views::charts
