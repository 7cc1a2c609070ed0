#pragma once

#include <functional>
#include <vector>

#include <QtCore/QPointF>
#include <QtCore/QString>
#include <QtWidgets/QWidget>

#include "views/charts/plot/ticks.h"
#include "views/charts/plot/viewport.h"
#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views {

/// A curve through points, or steps between them (each value holds until the next point). A point
/// with a y that is not a number is a gap.
struct PlotCurve {
  QString name;
  int style = kReferenceStyle;  ///< of Theme::variantStyle(), whose colour the curve has
  bool isDifference = false;    ///< dashed, in the colour of text
  bool isSteps = false;
  bool isFilled = false;
  std::vector<QPointF> points{};
};

/// A horizontal bar above the plot, as wide as what it says on the x axis.
struct PlotBar {
  QString name;
  double from = 0;      ///< full precision from here
  double to = 0;        ///< to here
  double fadeFrom = 0;  ///< and less precision from here on
  QString note;         ///< at the right, above the bar
};

/// Everything that a small chart shows; made anywhere, painted by paintPlot().
struct Plot {
  QString title;
  QString xTitle;
  charts::Range x;
  charts::Range y;
  std::vector<charts::Tick> xTicks;
  std::vector<charts::Tick> yTicks;
  std::vector<PlotCurve> curves;
  std::vector<PlotBar> bars;
  std::vector<double> marks;  ///< x of vertical lines
  bool hasDiagonal = false;
  QString nonFinite;  ///< "3 NaN in B": shown in its own colour; empty: none
  QString empty;      ///< shown instead of everything; empty: there is something
};

/// Where the axes of a plot meet the area that it is painted into.
[[nodiscard]] charts::PlotMap plotMap(const Plot& plot, const QRectF& area, const QFont& font);
/// `below` paints into the plot area first, over the background.
void paintPlot(QPainter& painter,
               const QRectF& area,
               const Plot& plot,
               const Theme& theme,
               const std::function<void(QPainter&, const charts::PlotMap&)>& below = {});

/// Shows a painted chart; on hover a tool tip says what is under the mouse.
class PaintedChart : public QWidget {
  Q_OBJECT

 public:
  using Paint = std::function<void(QPainter&, const QRectF&, const Theme&)>;
  /// Text for a point of the chart's area; empty: nothing there.
  using Readout = std::function<QString(const QPointF&, const QRectF&)>;

  explicit PaintedChart(const QString& name, QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  void setContent(Paint paint, Readout readout, const QString& description);
  [[nodiscard]] const Paint& content() const { return m_paint; }
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  Theme m_theme;
  Paint m_paint;
  Readout m_readout;
};

}  // namespace ulp::views
