#include "views/charts/histogram/histogram_view.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <QtCore/QStringList>
#include <QtGui/QPainter>
#include <QtWidgets/QToolTip>

#include "views/charts/plot/painting.h"

namespace ulp::views::charts {
namespace {

constexpr float kRubberBandAlpha = 0.15F;
/// Bins that the closest look shows.
constexpr double kFewestBins = 4;

}  // namespace

HistogramView::HistogramView(QWidget* parent)
    : ZoomedChart(Upwards::Grows, kRubberBandAlpha, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMinimumSize(240, 140);
  setAccessibleName(tr("Histogram"));
}

void HistogramView::setData(HistogramData data) {
  const bool sameBins = data.bins.bins() == m_data.bins.bins() &&
                        data.bins.firstEdge == m_data.bins.firstEdge &&
                        data.bins.width == m_data.bins.width;
  const bool sameScale = data.isLogarithmic == m_data.isLogarithmic;
  m_data = std::move(data);
  if (!m_data.isEmpty()) {
    const HistogramExtent all = extentOf(m_data);
    m_viewport.setFull(all.values, all.heights);
    m_viewport.setNarrowest(std::min(1.0, kFewestBins / static_cast<double>(m_data.bins.bins())),
                            0.01);
    if (!sameScale) {
      m_viewport.zoomTo(m_viewport.x(), all.heights);
    }
  }
  m_hovered = -1;
  m_current = sameBins ? m_current : -1;
  layOut();
  announcePointsReplaced(*this);
}

void HistogramView::layOut() {
  m_picture.fill(m_data, seen(), theme(), font(), size());
  redraw();
}

QRectF HistogramView::plotArea() const {
  return m_data.isEmpty() ? QRectF() : m_picture.plotArea();
}

QRectF HistogramView::binRect(int bin) const {
  if (m_data.isEmpty()) {
    return {};
  }
  const PlotMap map{plotArea(), m_viewport.x(), m_viewport.y()};
  const auto place = static_cast<std::size_t>(bin);
  const double left = map.pixelX(m_data.bins.edge(place));
  const double right = map.pixelX(m_data.bins.edge(place + 1));
  return QRectF(left, map.plot.top(), right - left, map.plot.height()).intersected(map.plot);
}

int HistogramView::binAt(const QPointF& point) const {
  const PlotMap map{plotArea(), m_viewport.x(), m_viewport.y()};
  if (m_data.isEmpty() || !map.plot.contains(point)) {
    return -1;
  }
  return static_cast<int>(m_data.bins.binOf(map.valueX(point.x())));
}

QString HistogramView::readout(int bin) const {
  std::vector<std::size_t> order(m_data.sets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = static_cast<std::size_t>(bin);
  std::ranges::stable_sort(
      order, std::greater<>(), [&](std::size_t set) { return m_data.bins.counts[set][place]; });
  QStringList lines;
  for (const std::size_t set : order) {
    lines << QStringLiteral("%1: %2").arg(m_data.sets[set].name,
                                          QString::number(m_data.bins.counts[set][place]));
  }
  return lines.join(QLatin1Char('\n'));
}

void HistogramView::paintStill(QImage& picture) {
  picture.fill(theme().chartBackground);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  m_picture.paint(painter, QRectF(rect()));
}

void HistogramView::paintMoving(QPainter& painter) {
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor highlight = theme().palette.color(QPalette::Highlight);
  for (const int bin : {m_hovered, m_current}) {
    if (bin >= 0) {
      painter.fillRect(binRect(bin), translucent(highlight, kBandAlpha));
    }
  }
  if (m_current >= 0 && hasFocus()) {
    painter.setPen(QPen(highlight, 1));
    painter.drawRect(binRect(m_current));
  }
  ZoomedChart::paintMoving(painter);
}

void HistogramView::hoverAt(const QPointF& point) {
  const int bin = binAt(point);
  if (bin != m_hovered) {
    m_hovered = bin;
    update();
  }
  const QString text = bin < 0 ? QString() : pointName(bin) + QLatin1Char('\n') + readout(bin);
  QToolTip::showText(mapToGlobal(point.toPoint()), text, this);
}

void HistogramView::clickAt(const QPointF& point) {
  if (const int bin = binAt(point); bin >= 0) {
    setCurrent(bin);
    Q_EMIT picked(bin, -1);
  }
}

void HistogramView::setCurrent(int bin) {
  const auto bins = static_cast<int>(m_data.bins.bins());
  const int next = bins == 0 ? -1 : std::clamp(bin, 0, bins - 1);
  if (next != m_current) {
    m_current = next;
    showBin(next);
    update();
    announceCurrentPoint(*this);
  }
}

void HistogramView::showBin(int bin) {
  if (bin < 0) {
    return;
  }
  const Range& seen = m_viewport.x();
  const double below = seen.low - m_data.bins.edge(static_cast<std::size_t>(bin));
  const double above = m_data.bins.edge(static_cast<std::size_t>(bin) + 1) - seen.high;
  if (below > 0 || above > 0) {
    m_viewport.pan((below > 0 ? -below : above) / seen.span(), 0);
    layOut();
  }
}

bool HistogramView::walk(const ChartStep& step) {
  if (step.right != 0) {
    setCurrent(m_current + step.right);
  }
  return step.right != 0;
}

bool HistogramView::enter() {
  if (m_current >= 0) {
    Q_EMIT picked(m_current, -1);
  }
  return m_current >= 0;
}

bool HistogramView::press(int key) {
  if (key == Qt::Key_Escape && m_viewport.isZoomed()) {
    showEverything();
    return true;
  }
  return ZoomedChart::press(key);
}

QPointF HistogramView::keyAnchor() const {
  const std::size_t bin = m_current < 0 ? 0 : static_cast<std::size_t>(m_current);
  const bool hasBins = !m_data.isEmpty();
  return {hasBins ? (m_data.bins.edge(bin) + m_data.bins.edge(bin + 1)) / 2 : 0, 0};
}

QString HistogramView::chartSummary() const {
  QStringList names;
  for (const HistogramSet& set : m_data.sets) {
    names << set.name;
  }
  return tr("Histogram of %1 in %2 bins: %3")
      .arg(m_data.quantity, QString::number(m_data.bins.bins()), names.join(QStringLiteral(", ")));
}

int HistogramView::pointCount() const {
  return static_cast<int>(m_data.bins.bins());
}

QString HistogramView::pointName(int point) const {
  return binText(m_data, static_cast<std::size_t>(point));
}

QString HistogramView::pointValue(int point) const {
  return readout(point).replace(QLatin1Char('\n'), QStringLiteral(", "));
}

}  // namespace ulp::views::charts
