#include "views/charts/depth_chart/depth_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>

#include "views/charts/depth/depth_intervals.h"

namespace ulp::views::charts {
namespace {

constexpr float kCurveBandOpacity = 0.15F;

}  // namespace

DepthChart::DepthChart(QWidget* parent) : QAbstractScrollArea(parent), m_theme(lightTheme()) {
  installChartAccessibility();
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMinimumSize(240, 160);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  for (QWidget* widget : {static_cast<QWidget*>(this), viewport()}) {
    widget->setAccessibleName(tr("Error by depth"));
  }
}

void DepthChart::setTheme(const Theme& theme) {
  m_theme = theme;
  m_raster.setTheme(theme);
  redraw();
}

void DepthChart::setData(DepthData data) {
  const bool sameCurves = data.curves.size() == m_data.curves.size();
  m_data = std::move(data);
  if (m_data.logarithmic) {
    keepLogs(m_data);
  }
  if (!sameCurves || m_options.visible.size() != m_data.curves.size()) {
    m_options.visible.assign(m_data.curves.size(), true);
  }
  m_hoveredSlot = -1;
  if (m_options.pinnedSlot >= m_data.axis.size()) {
    m_options.pinnedSlot = -1;
  }
  refit();
  announcePointsReplaced(*this);
}

void DepthChart::setLogarithmic(bool logarithmic) {
  m_data.logarithmic = logarithmic;
  if (logarithmic) {
    keepLogs(m_data);
  }
  refit();
}

void DepthChart::setOptions(DepthOptions options) {
  options.visible.resize(m_data.curves.size(), true);
  const bool sameCurves = options.visible == m_options.visible;
  m_options = std::move(options);
  if (sameCurves) {
    redraw();
  } else {
    refit();
  }
}

void DepthChart::setCurrent(int slot, int curve) {
  m_options.currentSlot = slot;
  m_options.currentCurve = curve;
  redraw();
  announceCurrentPoint(*this);
}

void DepthChart::setHoveredSlot(int slot) {
  if (slot != m_hoveredSlot) {
    m_hoveredSlot = slot;
    viewport()->update();
  }
}

void DepthChart::setSamples(int curve, std::vector<SampleCurve> samples) {
  m_data.sampledCurve = curve;
  m_data.samples = std::move(samples);
  refit();
}

void DepthChart::setPinnedSlot(int slot) {
  m_options.pinnedSlot = slot;
  viewport()->update();
  Q_EMIT pinChanged(slot);
}

void DepthChart::togglePin() {
  const int slot = m_hoveredSlot >= 0 ? m_hoveredSlot : m_options.currentSlot;
  setPinnedSlot(slot == m_options.pinnedSlot ? -1 : slot);
}

int DepthChart::readSlot() const {
  return m_hoveredSlot < 0 && m_options.pinnedSlot >= 0 ? m_options.currentSlot : m_hoveredSlot;
}

void DepthChart::showEverything() {
  m_viewport.reset();
  zoomed();
}

void DepthChart::zoomed() {
  redraw();
  Q_EMIT viewRangeChanged();
}

void DepthChart::setViewRange(const Range& x, const Range& y) {
  const Viewport before = m_viewport;
  m_viewport.zoomTo(x, y);
  if (m_viewport != before) {
    redraw();
  }
}

void DepthChart::setLeastExtent(const std::optional<Range>& y) {
  if (y != m_leastExtent) {
    m_leastExtent = y;
    refit();
  }
}

void DepthChart::refit() {
  const DepthExtent extent = extentOf(m_data, m_options.visible);
  m_scale = extent.scale;
  m_extent = extent.y;
  Range full = extent.y;
  if (m_leastExtent) {
    full = {std::min(full.low, m_leastExtent->low), std::max(full.high, m_leastExtent->high)};
  }
  m_viewport.setFull({-0.6, std::max(m_data.axis.size(), 1) - 0.4}, full);
  redraw();
}

void DepthChart::redraw() {
  m_frameIsStale = true;
  m_stillIsStale = true;
  viewport()->update();
}

ViewportGestures& DepthChart::gestures() {
  m_gestures.setPlot(frame().map.plot);
  return m_gestures;
}

const DepthFrame& DepthChart::frame() const {
  if (m_frameIsStale) {
    m_frameIsStale = false;
    m_frame = makeFrame(m_data, m_options, m_viewport, m_scale, QSizeF(viewport()->size()), font());
  }
  return m_frame;
}

void DepthChart::paintStill() {
  const qreal ratio = devicePixelRatioF();
  const QSize size = viewport()->size() * ratio;
  if (m_still.size() != size) {
    m_still = QImage(size, QImage::Format_RGB32);
  }
  m_still.setDevicePixelRatio(ratio);
  {
    QPainter painter(&m_still);
    painter.fillRect(viewport()->rect(), m_theme.chartBackground);
    painter.setFont(font());
    paintBelow(painter, drawing());
    paintIntervals(painter, drawing());
  }
  m_raster.paint(m_still,
                 drawing(),
                 m_gestures.isPanning() ? CurveRaster::Detail::Swift : CurveRaster::Detail::Fine);
  QPainter painter(&m_still);
  painter.setFont(font());
  paintMarks(painter, drawing());
  m_stillIsStale = false;
}

void DepthChart::paintEvent(QPaintEvent* /*event*/) {
  if (m_stillIsStale || m_still.size() != viewport()->size() * devicePixelRatioF()) {
    paintStill();
  }
  QPainter painter(viewport());
  painter.drawImage(0, 0, m_still);
  painter.setFont(font());
  if (const std::optional<QRectF> band = m_gestures.rubberBand()) {
    paintRubberBand(painter, *band, m_theme.palette.color(QPalette::Highlight), kCurveBandOpacity);
    return;
  }
  paintHover(painter, drawing(), readSlot());
  if (m_showsFocus) {
    paintFocusRing(painter, viewport()->rect(), m_theme);
  }
}

void DepthChart::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  redraw();
}

void DepthChart::focusInEvent(QFocusEvent* event) {
  m_showsFocus = isFromKeyboard(*event);
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
  announceCurrentPoint(*this);
}

void DepthChart::focusOutEvent(QFocusEvent* event) {
  m_showsFocus = false;
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

void DepthChart::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    redraw();
  }
}

int DepthChart::slotAt(const QPointF& point) const {
  if (m_data.axis.size() == 0 || !frame().map.plot.adjusted(-8, -8, 8, 24).contains(point)) {
    return -1;
  }
  const int slot = static_cast<int>(std::lround(frame().map.valueX(point.x())));
  return std::clamp(slot, 0, m_data.axis.size() - 1);
}

int DepthChart::curveAt(int slot, const QPointF& point) const {
  return slot < 0 ? -1
                  : nearestCurve(
                        m_data, m_options.visible, m_scale, slot, frame().map.valueY(point.y()));
}

void DepthChart::hoverAt(const QPointF& point) {
  const int slot = slotAt(point);
  setHoveredSlot(slot);
  Q_EMIT hovered(slot, curveAt(slot, point));
}

void DepthChart::mousePressEvent(QMouseEvent* event) {
  event->setAccepted(gestures().press(*event));
}

void DepthChart::mouseMoveEvent(QMouseEvent* event) {
  if (!m_gestures.isDragging()) {
    hoverAt(event->position());
    return;
  }
  if (gestures().move(*event) == ViewportGestures::Effect::Zoomed) {
    zoomed();
  }
  viewport()->update();
}

void DepthChart::mouseReleaseEvent(QMouseEvent* event) {
  const bool wasPanning = m_gestures.isPanning();
  const ViewportGestures::Effect effect = gestures().release(*event);
  if (effect == ViewportGestures::Effect::Zoomed) {
    zoomed();
  } else if (wasPanning) {
    // The last picture was drawn roughly, while it moved.
    redraw();
  }
  const int slot = slotAt(event->position());
  if (effect == ViewportGestures::Effect::Clicked && slot >= 0) {
    Q_EMIT picked(slot, curveAt(slot, event->position()));
  }
  viewport()->update();
}

void DepthChart::mouseDoubleClickEvent(QMouseEvent* event) {
  if (gestures().doubleClick(*event)) {
    zoomed();
  }
}

void DepthChart::wheelEvent(QWheelEvent* event) {
  gestures().wheel(*event, ViewportGestures::Along::Horizontal);
  zoomed();
  event->accept();
}

bool DepthChart::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) {
    setHoveredSlot(-1);
    Q_EMIT hovered(-1, -1);
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void DepthChart::stepSlot(int slot) {
  if (m_data.axis.size() > 0) {
    Q_EMIT picked(std::clamp(slot, 0, m_data.axis.size() - 1), m_options.currentCurve);
  }
}

void DepthChart::stepCurve(int direction) {
  const int count = static_cast<int>(m_data.curves.size());
  int curve = m_options.currentCurve;
  for (int i = 0; i < count; ++i) {
    curve = (curve + direction + count) % count;
    if (m_options.visible[static_cast<std::size_t>(curve)]) {
      Q_EMIT picked(std::max(0, m_options.currentSlot), curve);
      return;
    }
  }
}

void DepthChart::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return stepSlot(m_options.currentSlot - 1);
    case Qt::Key_Right:
      return stepSlot(m_options.currentSlot + 1);
    case Qt::Key_Home:
      return stepSlot(0);
    case Qt::Key_End:
      return stepSlot(m_data.axis.size() - 1);
    case Qt::Key_Up:
      return stepCurve(-1);
    case Qt::Key_Down:
      return stepCurve(1);
    case Qt::Key_X:
      return togglePin();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT activated();
      return;
    default:
      break;
  }
  const QPointF anchor(m_options.currentSlot, 0);
  if (gestures().key(event->key(), anchor, ViewportGestures::Along::Horizontal)) {
    zoomed();
  } else {
    // QAbstractScrollArea would scroll; keys without a meaning here belong to the window.
    event->ignore();
  }
}

}  // namespace ulp::views::charts
