#include "views/charts/plot/chart_widget.h"

#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>

#include "views/framework/widgets/accessible_chart.h"

namespace ulp::views::charts {
namespace {

constexpr QPointF kNowhere(-1e6, -1e6);
/// Further than any chart reaches, and far from what an int can hold.
constexpr int kToTheEnd = 1 << 29;

/// A chart that was reached with keys needs a ring around it.
bool isFromKeyboard(const QFocusEvent& event) {
  const Qt::FocusReason reason = event.reason();
  return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
         reason == Qt::ShortcutFocusReason;
}

std::optional<ChartStep> stepOf(int key) {
  switch (key) {
    case Qt::Key_Left:
      return ChartStep{.right = -1};
    case Qt::Key_Right:
      return ChartStep{.right = 1};
    case Qt::Key_Home:
      return ChartStep{.right = -kToTheEnd};
    case Qt::Key_End:
      return ChartStep{.right = kToTheEnd};
    case Qt::Key_Up:
      return ChartStep{.down = -1};
    case Qt::Key_Down:
      return ChartStep{.down = 1};
    case Qt::Key_PageUp:
      return ChartStep{.pages = -1};
    case Qt::Key_PageDown:
      return ChartStep{.pages = 1};
    default:
      return std::nullopt;
  }
}

}  // namespace

ChartWidget::ChartWidget(QWidget* parent) : QWidget(parent) {
  installChartAccessibility();
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void ChartWidget::setTheme(const Theme& theme) {
  m_theme = theme;
  redraw();
}

void ChartWidget::redraw() {
  m_stillIsStale = true;
  update();
}

void ChartWidget::paintEvent(QPaintEvent* /*event*/) {
  const qreal ratio = devicePixelRatioF();
  const QSize pixels = size() * ratio;
  if (m_still.size() != pixels) {
    m_still = QImage(pixels, QImage::Format_RGB32);
    m_stillIsStale = true;
  }
  if (m_stillIsStale) {
    m_still.setDevicePixelRatio(ratio);
    paintStill(m_still);
    m_stillIsStale = false;
  }
  QPainter painter(this);
  painter.drawImage(0, 0, m_still);
  painter.setFont(font());
  paintMoving(painter);
  if (m_showsFocus) {
    painter.setPen(QPen(m_theme.palette.color(QPalette::Highlight), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void ChartWidget::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
}

void ChartWidget::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    layOut();
  }
}

void ChartWidget::focusInEvent(QFocusEvent* event) {
  m_showsFocus = isFromKeyboard(*event);
  QWidget::focusInEvent(event);
  announceCurrentPoint(*this);
}

void ChartWidget::focusOutEvent(QFocusEvent* event) {
  m_showsFocus = false;
  QWidget::focusOutEvent(event);
}

void ChartWidget::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  hoverAt(kNowhere);
}

void ChartWidget::mouseMoveEvent(QMouseEvent* event) {
  hoverAt(event->position());
}

void ChartWidget::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) {
    clickAt(event->position());
  }
}

void ChartWidget::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  const bool enters = key == Qt::Key_Return || key == Qt::Key_Enter;
  const std::optional<ChartStep> step = stepOf(key);
  event->setAccepted(enters ? enter() : step ? walk(*step) : press(key));
}

bool ChartWidget::enter() {
  Q_EMIT activated();
  return true;
}

ZoomedChart::ZoomedChart(Upwards upwards, float bandOpacity, QWidget* parent)
    : ChartWidget(parent), m_gestures(m_viewport, upwards), m_bandOpacity(bandOpacity) {}

void ZoomedChart::setViewRange(const Range& x, const Range& y) {
  const Viewport before = m_viewport;
  m_viewport.zoomTo(x, y);
  if (m_viewport != before) {
    layOut();
  }
}

void ZoomedChart::showEverything() {
  m_viewport.reset();
  zoomed();
}

void ZoomedChart::zoomed() {
  layOut();
  Q_EMIT viewRangeChanged();
}

ViewportGestures::Along ZoomedChart::zoomAlong() const {
  return ViewportGestures::Along::Horizontal;
}

ViewportGestures& ZoomedChart::gestures() {
  m_gestures.setPlot(plotArea());
  return m_gestures;
}

void ZoomedChart::paintMoving(QPainter& painter) {
  const std::optional<QRectF> band = m_gestures.rubberBand();
  if (!band) {
    paintHover(painter);
    return;
  }
  const QColor color = theme().palette.color(QPalette::Highlight);
  QColor wash = color;
  wash.setAlphaF(m_bandOpacity);
  painter.setPen(QPen(color, 1));
  painter.setBrush(wash);
  painter.drawRect(*band);
}

bool ZoomedChart::press(int key) {
  const bool zooms = gestures().key(key, keyAnchor(), zoomAlong());
  if (zooms) {
    zoomed();
  }
  return zooms;
}

void ZoomedChart::mousePressEvent(QMouseEvent* event) {
  event->setAccepted(gestures().press(*event));
}

void ZoomedChart::mouseMoveEvent(QMouseEvent* event) {
  if (!m_gestures.isDragging()) {
    hoverAt(event->position());
    return;
  }
  if (gestures().move(*event) == ViewportGestures::Effect::Zoomed) {
    zoomed();
  }
  update();
}

void ZoomedChart::mouseReleaseEvent(QMouseEvent* event) {
  const bool wasPanning = isPanning();
  const ViewportGestures::Effect effect = gestures().release(*event);
  if (effect == ViewportGestures::Effect::Zoomed) {
    zoomed();
  } else if (wasPanning) {
    // The last picture may have been drawn roughly, while it moved.
    redraw();
  }
  if (effect == ViewportGestures::Effect::Clicked) {
    clickAt(event->position());
  }
  update();
}

void ZoomedChart::mouseDoubleClickEvent(QMouseEvent* event) {
  if (gestures().doubleClick(*event)) {
    zoomed();
  }
}

void ZoomedChart::wheelEvent(QWheelEvent* event) {
  const bool zooms = gestures().wheel(*event, zoomAlong());
  event->setAccepted(zooms);
  if (zooms) {
    zoomed();
  }
}

}  // namespace ulp::views::charts
