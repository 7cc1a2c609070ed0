#include "views/charts/depth_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>
#include <QtWidgets/QGraphicsLayout>

#include "views/framework/variant_painter.h"

namespace ulp::views::charts {
namespace {

constexpr double kLineWidth = 1.6;
constexpr double kCurrentLineWidth = 2.6;
constexpr float kBandOpacity = 0.15F;

}  // namespace

DepthChart::DepthChart(QWidget* parent)
    : QChartView(parent),
      m_theme(lightTheme()),
      m_x(new QValueAxis(this)),
      m_y(new QValueAxis(this)),
      m_referenceY(new QValueAxis(this)) {
  installChartAccessibility();
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setRenderHint(QPainter::Antialiasing);
  setMinimumSize(240, 160);
  viewport()->setMouseTracking(true);
  QChart* const area = chart();
  area->setBackgroundVisible(false);
  area->setMargins({});
  area->layout()->setContentsMargins(0, 0, 0, 0);
  area->legend()->hide();
  area->setAnimationOptions(QChart::NoAnimation);
  for (QValueAxis* axis : {m_x, m_y, m_referenceY}) {
    axis->setVisible(false);
  }
  area->addAxis(m_x, Qt::AlignBottom);
  area->addAxis(m_y, Qt::AlignLeft);
  area->addAxis(m_referenceY, Qt::AlignRight);
  for (QWidget* widget : {static_cast<QWidget*>(this), viewport()}) {
    widget->setAccessibleName(tr("Error by depth"));
  }
}

DepthChart::~DepthChart() = default;

void DepthChart::setTheme(const Theme& theme) {
  m_theme = theme;
  rebuild();
}

void DepthChart::setData(DepthData data) {
  const bool sameCurves = data.curves.size() == m_data.curves.size();
  m_data = std::move(data);
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
  refit();
}

void DepthChart::setVisibleCurves(std::vector<bool> visible) {
  visible.resize(m_data.curves.size(), true);
  m_options.visible = std::move(visible);
  refit();
}

void DepthChart::setReferenceShown(bool shown) {
  m_options.referenceShown = shown;
  rebuild();
}

void DepthChart::setDirectLabels(bool shown) {
  m_options.directLabels = shown;
  rebuild();
}

void DepthChart::setCurrent(int slot, int curve) {
  m_options.currentSlot = slot;
  m_options.currentCurve = curve;
  rebuild();
  announceCurrentPoint(*this);
}

void DepthChart::setHoveredSlot(int slot) {
  if (slot != m_hoveredSlot) {
    m_hoveredSlot = slot;
    viewport()->update();
  }
}

void DepthChart::setJumpsShown(bool shown) {
  m_options.jumpsShown = shown;
  rebuild();
}

void DepthChart::setGuideShown(bool shown) {
  m_options.guideShown = shown;
  rebuild();
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
  rebuild();
  Q_EMIT viewRangeChanged();
}

void DepthChart::setViewRange(const Range& x, const Range& y) {
  const Viewport before = m_viewport;
  m_viewport.zoomTo(x, y);
  if (m_viewport != before) {
    rebuild();
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
  rebuild();
}

void DepthChart::rebuild() {
  m_frame = makeFrame(m_data, m_options, m_viewport, m_scale, QSizeF(viewport()->size()), font());
  m_gestures.setPlot(m_frame.map.plot);
  placeSeries();
  m_stillIsStale = true;
  viewport()->update();
}

QPen DepthChart::curvePen(int curve) const {
  const int style = m_data.curves[static_cast<std::size_t>(curve)].style;
  return variantPen(m_theme.variantStyle(style),
                    curve == m_options.currentCurve ? kCurrentLineWidth : kLineWidth);
}

void DepthChart::placeSeries() {
  m_x->setRange(m_frame.map.x.low, m_frame.map.x.high);
  m_y->setRange(m_frame.map.y.low, m_frame.map.y.high);
  m_usedSeries = 0;
  if (!m_frame.reference.empty()) {
    m_referenceY->setRange(m_frame.referenceMap.y.low, m_frame.referenceMap.y.high);
    QColor color = m_theme.reference;
    color.setAlphaF(0.55F);
    for (const QList<QPointF>& points : m_frame.reference) {
      addLine(points, QPen(color, 1), *m_referenceY);
    }
  }
  for (const SceneCurve& curve : m_frame.scene.curves) {
    for (const QList<QPointF>& points : curve.segments) {
      addLine(points, curvePen(curve.curve), *m_y);
    }
  }
  for (std::size_t i = m_usedSeries; i < m_series.size(); ++i) {
    m_series[i]->setVisible(false);
  }
  chart()->setPlotArea(m_frame.map.plot);
}

void DepthChart::addLine(const QList<QPointF>& points, const QPen& pen, QValueAxis& y) {
  if (m_usedSeries == m_series.size()) {
    auto* made = new QLineSeries(this);
    chart()->addSeries(made);
    made->attachAxis(m_x);
    m_series.push_back(made);
  }
  QLineSeries* const series = m_series[m_usedSeries++];
  const QList<QAbstractAxis*> axes = series->attachedAxes();
  if (!axes.contains(&y)) {
    for (QAbstractAxis* axis : axes) {
      if (axis != m_x) {
        series->detachAxis(axis);
      }
    }
    series->attachAxis(&y);
  }
  series->setPen(pen);
  series->replace(points);
  series->setVisible(true);
}

void DepthChart::paintEvent(QPaintEvent* /*event*/) {
  const qreal ratio = devicePixelRatioF();
  const QSize size = viewport()->size();
  if (m_stillIsStale || m_still.size() != size * ratio) {
    m_still = QPixmap(size * ratio);
    m_still.setDevicePixelRatio(ratio);
    QPainter painter(&m_still);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    render(&painter, QRectF(QPointF(), size), QRect(QPoint(), size));
    m_stillIsStale = false;
  }
  QPainter painter(viewport());
  painter.drawPixmap(0, 0, m_still);
  painter.setFont(font());
  if (const std::optional<QRectF> band = m_gestures.rubberBand()) {
    paintRubberBand(painter, *band, m_theme.palette.color(QPalette::Highlight), kBandOpacity);
    return;
  }
  paintHover(painter, m_frame, m_data, m_options, m_theme, readSlot());
  if (m_showsFocus) {
    painter.setPen(QPen(m_theme.palette.color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

void DepthChart::drawBackground(QPainter* painter, const QRectF& rect) {
  painter->fillRect(rect, m_theme.chartBackground);
  painter->setFont(font());
  paintBelow(*painter, m_frame, m_data, m_options, m_theme);
}

void DepthChart::drawForeground(QPainter* painter, const QRectF& /*rect*/) {
  painter->setFont(font());
  paintAbove(*painter, m_frame, m_data, m_options, m_theme);
}

void DepthChart::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  rebuild();
}

void DepthChart::focusInEvent(QFocusEvent* event) {
  const Qt::FocusReason reason = event->reason();
  m_showsFocus = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                 reason == Qt::ShortcutFocusReason;
  QChartView::focusInEvent(event);
  viewport()->update();
  announceCurrentPoint(*this);
}

void DepthChart::focusOutEvent(QFocusEvent* event) {
  m_showsFocus = false;
  QChartView::focusOutEvent(event);
  viewport()->update();
}

void DepthChart::changeEvent(QEvent* event) {
  QChartView::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    rebuild();
  }
}

int DepthChart::slotAt(const QPointF& point) const {
  if (m_data.axis.size() == 0 || !m_frame.map.plot.adjusted(-8, -8, 8, 24).contains(point)) {
    return -1;
  }
  const int slot = static_cast<int>(std::lround(m_frame.map.valueX(point.x())));
  return std::clamp(slot, 0, m_data.axis.size() - 1);
}

void DepthChart::hoverAt(const QPointF& point) {
  const int slot = slotAt(point);
  setHoveredSlot(slot);
  const int curve =
      slot < 0
          ? -1
          : nearestCurve(m_data, m_options.visible, m_scale, slot, m_frame.map.valueY(point.y()));
  Q_EMIT hovered(slot, curve);
}

void DepthChart::mousePressEvent(QMouseEvent* event) {
  event->setAccepted(m_gestures.press(*event));
}

void DepthChart::mouseMoveEvent(QMouseEvent* event) {
  if (!m_gestures.isDragging()) {
    hoverAt(event->position());
    return;
  }
  if (m_gestures.move(*event) == ViewportGestures::Effect::Zoomed) {
    zoomed();
  }
  viewport()->update();
}

void DepthChart::mouseReleaseEvent(QMouseEvent* event) {
  const ViewportGestures::Effect effect = m_gestures.release(*event);
  if (effect == ViewportGestures::Effect::Zoomed) {
    zoomed();
  }
  const int slot = slotAt(event->position());
  if (effect == ViewportGestures::Effect::Clicked && slot >= 0) {
    const double position = m_frame.map.valueY(event->position().y());
    Q_EMIT picked(slot, nearestCurve(m_data, m_options.visible, m_scale, slot, position));
  }
  viewport()->update();
}

void DepthChart::mouseDoubleClickEvent(QMouseEvent* event) {
  if (m_gestures.doubleClick(*event)) {
    zoomed();
  }
}

void DepthChart::wheelEvent(QWheelEvent* event) {
  m_gestures.wheel(*event, ViewportGestures::Along::Horizontal);
  zoomed();
  event->accept();
}

bool DepthChart::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) {
    setHoveredSlot(-1);
    Q_EMIT hovered(-1, -1);
  }
  return QChartView::viewportEvent(event);
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
  if (m_gestures.key(event->key(), anchor, ViewportGestures::Along::Horizontal)) {
    zoomed();
  } else {
    // QChartView would scroll; keys without a meaning here belong to the window.
    event->ignore();
  }
}

}  // namespace ulp::views::charts
