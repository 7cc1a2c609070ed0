#include "views/charts/histogram/histogram.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <QtCharts/QAreaSeries>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLegendMarker>
#include <QtCharts/QLineSeries>
#include <QtGui/QPainter>
#include <QtWidgets/QGraphicsLayout>

#include "core/base/text/format_number.h"
#include "views/charts/plot/painting.h"
#include "views/charts/plot/ticks.h"
#include "views/charts/plot/wrapped_legend.h"
#include "views/framework/look/variant_painter.h"

namespace ulp::views::charts {
namespace {

/// log10 of the height of an empty bin: a count of one then stands visibly above none.
constexpr double kNoneLogarithmic = -0.5;
constexpr double kHeadroom = 1.06;
constexpr double kPixelsPerValueLabel = 90;
constexpr double kPixelsPerCountLabel = 44;
/// Names that stand in one line above the chart; more are wrapped.
constexpr std::size_t kMostInLine = 6;
constexpr double kMostLegend = 0.4;  ///< of the height
constexpr float kCurrentFill = 0.28F;
constexpr float kOtherFill = 0.07F;

/// The outline of a set: a line that rises and falls at the edges of its bins.
QList<QPointF> outline(const HistogramData& data, std::size_t set) {
  QList<QPointF> points;
  const std::vector<std::uint64_t>& counts = data.bins.counts[set];
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const double height = heightOf(counts[bin], data.isLogarithmic);
    points << QPointF(data.bins.edge(bin), height) << QPointF(data.bins.edge(bin + 1), height);
  }
  return points;
}

std::unique_ptr<QAreaSeries> areaOf(const HistogramData& data,
                                    std::size_t set,
                                    const Theme& theme) {
  const HistogramSet& drawn = data.sets[set];
  const double none = heightOf(0, data.isLogarithmic);
  auto area = std::make_unique<QAreaSeries>();
  auto* upper = new QLineSeries(area.get());
  upper->replace(outline(data, set));
  auto* lower = new QLineSeries(area.get());
  lower->replace(
      QList<QPointF>{{data.bins.edge(0), none}, {data.bins.edge(data.bins.bins()), none}});
  area->setUpperSeries(upper);
  area->setLowerSeries(lower);
  area->setName(drawn.name.toHtmlEscaped());
  const VariantStyle style = theme.variantStyle(drawn.style);
  area->setPen(variantPen(style, drawn.isCurrent ? 2 : 1.2));
  area->setBrush(translucent(style.color, drawn.isCurrent ? kCurrentFill : kOtherFill));
  return area;
}

void setLook(QAbstractAxis& axis, const QString& title, const Theme& theme, const QFont& font) {
  axis.setTitleText(title.toHtmlEscaped());
  axis.setTitleFont(font);
  axis.setTitleBrush(theme.axisText);
  axis.setLabelsFont(font);
  axis.setLabelsBrush(theme.axisText);
  axis.setGridLinePen(QPen(theme.grid, 1));
  axis.setLinePen(QPen(theme.gridStrong, 1));
  axis.setShadesVisible(false);
}

/// Labels of our own choice: those of Qt's axes would write -0.000 and 1e+03.
std::unique_ptr<QCategoryAxis> axisOf(const Range& range, const std::vector<Tick>& ticks) {
  auto axis = std::make_unique<QCategoryAxis>();
  axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
  axis->setStartValue(range.low);
  axis->setRange(range.low, range.high);
  for (const Tick& tick : ticks) {
    if (!tick.label.isEmpty() && range.contains(tick.position)) {
      axis->append(tick.label, tick.position);
    }
  }
  return axis;
}

std::vector<Tick> countTicks(const HistogramData& data, const Range& heights, int labels) {
  std::vector<Tick> ticks = data.isLogarithmic
                                ? logTicks({std::max(0.0, heights.low), heights.high}, labels)
                                : linearTicks(heights, labels);
  // There is no half of a token.
  std::erase_if(ticks, [&data](const Tick& tick) {
    const double count = data.isLogarithmic ? std::pow(10.0, tick.position) : tick.position;
    return std::abs(count - std::round(count)) > 1e-9 * std::max(1.0, count);
  });
  return ticks;
}

/// How far a label at the right end reaches beyond the plot.
double beyondPlot(const std::vector<Tick>& ticks,
                  const Range& values,
                  double width,
                  const QFont& font) {
  const QFontMetricsF metrics(font);
  double beyond = 0;
  for (const Tick& tick : ticks) {
    const double room = (values.high - tick.position) / values.span() * width;
    beyond = room < 0 ? beyond : std::max(beyond, metrics.horizontalAdvance(tick.label) / 2 - room);
  }
  return std::ceil(beyond);
}

int labelsIn(double pixels, double pixelsPerLabel) {
  return std::max(2, static_cast<int>(pixels / pixelsPerLabel));
}

}  // namespace

double heightOf(std::uint64_t count, bool isLogarithmic) {
  if (!isLogarithmic) {
    return static_cast<double>(count);
  }
  return count == 0 ? kNoneLogarithmic : std::log10(static_cast<double>(count));
}

HistogramExtent extentOf(const HistogramData& data) {
  const double none = heightOf(0, data.isLogarithmic);
  const double most =
      heightOf(std::max<std::uint64_t>(1, data.bins.largestCount()), data.isLogarithmic);
  return {.values = {data.bins.edge(0), data.bins.edge(data.bins.bins())},
          .heights = {none, none + (most - none) * kHeadroom}};
}

QString binText(const HistogramData& data, std::size_t bin) {
  const auto text = [](double value) {
    constexpr int kDigits = 4;
    return QString::fromStdString(formatSignificant(value, kDigits));
  };
  return QStringLiteral("%1 … %2").arg(text(data.bins.edge(bin)), text(data.bins.edge(bin + 1)));
}

void HistogramPicture::fill(const HistogramData& data,
                            const HistogramExtent& seen,
                            const Theme& theme,
                            const QFont& font,
                            const QSizeF& size) {
  // Always another chart: what is taken out of one goes only once the event loop has come round.
  m_scene.clear();
  m_paintLegend = {};
  m_chart = std::make_unique<QChart>().release();
  m_scene.addItem(m_chart);
  m_chart->setAnimationOptions(QChart::NoAnimation);
  m_chart->setBackgroundVisible(false);
  m_chart->setBackgroundRoundness(0);
  m_chart->setDropShadowEnabled(false);
  m_chart->setMargins({4, 4, 4, 4});
  m_chart->layout()->setContentsMargins(0, 0, 0, 0);
  m_chart->legend()->setAlignment(Qt::AlignTop);
  const bool isWrapped = data.sets.size() > kMostInLine;
  m_chart->legend()->setVisible(data.sets.size() > 1 && !isWrapped);
  m_chart->legend()->setFont(font);
  m_chart->legend()->setLabelBrush(theme.palette.color(QPalette::Text));
  if (!data.isEmpty()) {
    const std::vector<Tick> ticks =
        linearTicks(seen.values, labelsIn(size.width(), kPixelsPerValueLabel));
    const int beyond = static_cast<int>(beyondPlot(ticks, seen.values, size.width(), font));
    m_chart->setMargins({4, 4, 4 + beyond, 4});
    auto values = axisOf(seen.values, ticks);
    auto heights =
        axisOf(seen.heights,
               countTicks(data, seen.heights, labelsIn(size.height(), kPixelsPerCountLabel)));
    setLook(*values, data.quantity, theme, font);
    setLook(*heights, data.countTitle, theme, font);
    QCategoryAxis* horizontal = values.get();
    QCategoryAxis* vertical = heights.get();
    // The chart takes axes and series over.
    m_chart->addAxis(values.release(), Qt::AlignBottom);
    m_chart->addAxis(heights.release(), Qt::AlignLeft);
    for (std::size_t set = 0; set < data.sets.size(); ++set) {
      QAreaSeries* area = areaOf(data, set, theme).release();
      m_chart->addSeries(area);
      area->attachAxis(horizontal);
      area->attachAxis(vertical);
      // The fill of an outline is too faint to tell runs apart.
      const QColor color = theme.variantStyle(data.sets[set].style).color;
      for (QLegendMarker* marker : m_chart->legend()->markers(area)) {
        marker->setBrush(color);
        marker->setPen(QPen(color));
      }
    }
  }
  const double top = isWrapped ? makeLegend(data, theme, font, size) : 0;
  m_chart->setGeometry(QRectF(0, top, size.width(), size.height() - top));
  m_chart->layout()->activate();
  m_scene.setSceneRect(QRectF(QPointF(), size));
}

void HistogramPicture::paint(QPainter& painter, const QRectF& area) {
  m_scene.render(&painter, area, m_scene.sceneRect(), Qt::IgnoreAspectRatio);
  if (m_paintLegend) {
    painter.save();
    painter.translate(area.topLeft());
    m_paintLegend(painter);
    painter.restore();
  }
}

double HistogramPicture::makeLegend(const HistogramData& data,
                                    const Theme& theme,
                                    const QFont& font,
                                    const QSizeF& size) {
  std::vector<DrawnEntry> entries;
  for (const HistogramSet& set : data.sets) {
    entries.push_back({set.name, set.style});
  }
  const double width = size.width() - 2 * kGap;
  const LegendLayout layout = legendLayout(entries, width, QFontMetricsF(font));
  const QRectF area(
      kGap, kGap / 2, width, std::min(layout.height() - kGap, kMostLegend * size.height()));
  m_paintLegend = [entries, layout, area, theme, font](QPainter& painter) {
    painter.setFont(font);
    paintLegend(painter, area, layout, entries, theme);
  };
  return area.bottom();
}

QRectF HistogramPicture::plotArea() const {
  return m_chart == nullptr ? QRectF() : m_chart->mapToScene(m_chart->plotArea()).boundingRect();
}

void paintHistogram(QPainter& painter,
                    const QRectF& area,
                    const HistogramData& data,
                    const HistogramExtent& seen,
                    const Theme& theme) {
  HistogramPicture picture;
  picture.fill(data, seen, theme, painter.font(), area.size());
  picture.paint(painter, area);
}

}  // namespace ulp::views::charts
