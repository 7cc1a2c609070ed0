#include "views/charts/histogram/histogram_view.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <QtCharts/QChart>
#include <QtCore/QStringList>
#include <QtGui/QKeyEvent>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>
#include <QtWidgets/QToolTip>

#include "views/charts/plot/chart_measures.h"

namespace ulp::views::charts {
namespace {

constexpr int kLeastWidth = 240;
constexpr int kLeastHeight = 140;
constexpr float kRubberBandAlpha = 0.15F;
/// Bins that the closest look shows.
constexpr double kFewestBins = 4;

}  // namespace

HistogramView::HistogramView(QWidget* parent) : QChartView(parent) {
  installChartAccessibility();
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setRenderHint(QPainter::Antialiasing);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (QWidget* widget : {static_cast<QWidget*>(this), viewport()}) {
    widget->setAccessibleName(tr("Histogram"));
  }
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
  rebuild();
  announcePointsReplaced(*this);
}

void HistogramView::setTheme(const Theme& theme) {
  m_theme = theme;
  rebuild();
}

void HistogramView::rebuild() {
  setBackgroundBrush(m_theme.chartBackground);
  fillHistogram(*chart(), m_data, seen(), m_theme, font(), size());
  viewport()->update();
}

QSize HistogramView::minimumSizeHint() const {
  return {kLeastWidth, kLeastHeight};
}

QRectF HistogramView::plotRect() const {
  return chart()->mapToScene(chart()->plotArea()).boundingRect();
}

ViewportGestures& HistogramView::gestures() {
  m_gestures.setPlot(plotRect());
  return m_gestures;
}

QRectF HistogramView::binRect(int bin) const {
  if (m_data.isEmpty()) {
    return {};
  }
  const PlotMap map{plotRect(), m_viewport.x(), m_viewport.y()};
  const auto place = static_cast<std::size_t>(bin);
  const double left = map.pixelX(m_data.bins.edge(place));
  const double right = map.pixelX(m_data.bins.edge(place + 1));
  return QRectF(left, map.plot.top(), right - left, map.plot.height()).intersected(map.plot);
}

int HistogramView::binAt(const QPointF& point) const {
  const PlotMap map{plotRect(), m_viewport.x(), m_viewport.y()};
  if (m_data.isEmpty() || !map.plot.contains(point)) {
    return -1;
  }
  return static_cast<int>(m_data.bins.binOf(map.valueX(point.x())));
}

QString HistogramView::readout(int bin) const {
  std::vector<std::size_t> order;
  for (std::size_t set = 0; set < m_data.sets.size(); ++set) {
    order.push_back(set);
  }
  const auto place = static_cast<std::size_t>(bin);
  std::ranges::stable_sort(
      order, std::greater<>(), [&](std::size_t set) { return m_data.bins.counts[set][place]; });
  QStringList lines;
  for (const std::size_t set : order) {
    lines << QStringLiteral("%1: %2")
                 .arg(m_data.sets[set].name)
                 .arg(static_cast<qulonglong>(m_data.bins.counts[set][place]));
  }
  return lines.join(QLatin1Char('\n'));
}

void HistogramView::drawForeground(QPainter* painter, const QRectF& /*rect*/) {
  for (const int bin : {m_hovered, m_current}) {
    if (bin >= 0) {
      QColor band = m_theme.palette.color(QPalette::Highlight);
      band.setAlphaF(kBandAlpha);
      painter->fillRect(binRect(bin), band);
    }
  }
  if (m_current >= 0 && hasFocus()) {
    painter->setPen(QPen(m_theme.palette.color(QPalette::Highlight), 1));
    painter->drawRect(binRect(m_current));
  }
  if (const auto band = m_gestures.rubberBand()) {
    paintRubberBand(*painter, *band, m_theme.palette.color(QPalette::Highlight), kRubberBandAlpha);
  }
}

void HistogramView::hoverAt(const QMouseEvent& event) {
  const int bin = binAt(event.position());
  if (bin != m_hovered) {
    m_hovered = bin;
    viewport()->update();
  }
  const QString text = bin < 0 ? QString() : pointName(bin) + QLatin1Char('\n') + readout(bin);
  QToolTip::showText(event.globalPosition().toPoint(), text, this);
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_gestures.isDragging()) {
    hoverAt(*event);
    return;
  }
  if (gestures().move(*event) == ViewportGestures::Effect::Zoomed) {
    rebuild();
  }
  viewport()->update();
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
  event->setAccepted(!m_data.isEmpty() && gestures().press(*event));
}

void HistogramView::mouseReleaseEvent(QMouseEvent* event) {
  const ViewportGestures::Effect effect = gestures().release(*event);
  const int bin = binAt(event->position());
  if (effect == ViewportGestures::Effect::Zoomed) {
    rebuild();
  } else if (effect == ViewportGestures::Effect::Clicked && bin >= 0) {
    setCurrent(bin);
    Q_EMIT binPicked(bin);
  }
  viewport()->update();
}

void HistogramView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (gestures().doubleClick(*event)) {
    rebuild();
  }
}

void HistogramView::wheelEvent(QWheelEvent* event) {
  if (m_data.isEmpty()) {
    event->ignore();
    return;
  }
  gestures().wheel(*event, ViewportGestures::Along::Horizontal);
  rebuild();
  event->accept();
}

void HistogramView::leaveEvent(QEvent* event) {
  QChartView::leaveEvent(event);
  m_hovered = -1;
  viewport()->update();
}

void HistogramView::setCurrent(int bin) {
  const auto bins = static_cast<int>(m_data.bins.bins());
  const int next = bins == 0 ? -1 : std::clamp(bin, 0, bins - 1);
  if (next != m_current) {
    m_current = next;
    showBin(next);
    viewport()->update();
    announceCurrentPoint(*this);
  }
}

/// Moves what is seen just as far as the bin needs.
void HistogramView::showBin(int bin) {
  if (bin < 0) {
    return;
  }
  const Range& seen = m_viewport.x();
  const double below = seen.low - m_data.bins.edge(static_cast<std::size_t>(bin));
  const double above = m_data.bins.edge(static_cast<std::size_t>(bin) + 1) - seen.high;
  if (below > 0 || above > 0) {
    m_viewport.pan((below > 0 ? -below : above) / seen.span(), 0);
    rebuild();
  }
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return setCurrent(m_current - 1);
    case Qt::Key_Right:
      return setCurrent(m_current + 1);
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(static_cast<int>(m_data.bins.bins()) - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_current >= 0) {
        Q_EMIT binPicked(m_current);
        return;
      }
      break;
    case Qt::Key_Escape:
      if (isZoomed()) {
        m_viewport.reset();
        return rebuild();
      }
      break;
    default:
      break;
  }
  const std::size_t bin = m_current < 0 ? 0 : static_cast<std::size_t>(m_current);
  const double anchor =
      m_data.isEmpty() ? 0 : (m_data.bins.edge(bin) + m_data.bins.edge(bin + 1)) / 2;
  if (!m_data.isEmpty() &&
      m_gestures.key(event->key(), {anchor, 0}, ViewportGestures::Along::Horizontal)) {
    rebuild();
  } else {
    event->ignore();
  }
}

void HistogramView::focusInEvent(QFocusEvent* event) {
  QChartView::focusInEvent(event);
  announceCurrentPoint(*this);
}

void HistogramView::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  rebuild();
}

void HistogramView::changeEvent(QEvent* event) {
  QChartView::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    rebuild();
  }
}

QString HistogramView::chartSummary() const {
  QStringList names;
  for (const HistogramSet& set : m_data.sets) {
    names << set.name;
  }
  return tr("Histogram of %1 in %2 bins: %3")
      .arg(m_data.quantity)
      .arg(m_data.bins.bins())
      .arg(names.join(QStringLiteral(", ")));
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

QRect HistogramView::pointRect(int point) const {
  return binRect(point).toAlignedRect();
}

}  // namespace ulp::views::charts
