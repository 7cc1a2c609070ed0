#include "views/charts/plot/chart_widget.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>
#include <QtWidgets/QApplication>

#include "views/charts/plot/painting.h"
#include "views/framework/widgets/accessible_chart.h"

namespace ulp::views::charts {
namespace {

constexpr QPointF kNowhere(-1e6, -1e6);
/// Further than any chart reaches, and far from what an int can hold.
constexpr int kToTheEnd = 1 << 29;
constexpr double kWheelStep = 0.8;
constexpr double kWheelNotch = 120.0;
/// A drag that is flatter than this zooms one axis alone; pixels.
constexpr double kFlatDrag = 12;

/// A chart that was reached with keys needs a ring around it.
bool isFromKeyboard(const QFocusEvent& event) {
  const Qt::FocusReason reason = event.reason();
  return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
         reason == Qt::ShortcutFocusReason;
}

double anchorIn(const Range& seen, double wanted) {
  return seen.contains(wanted) ? wanted : (seen.low + seen.high) / 2;
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
  layOut();
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
    : ChartWidget(parent), m_upwards(upwards), m_bandOpacity(bandOpacity) {}

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

void ZoomedChart::zoomTo(const QRectF& area) {
  const PlotMap here = map();
  const Range x = area.width() < kFlatDrag
                      ? m_viewport.x()
                      : Range{here.valueX(area.left()), here.valueX(area.right())};
  const double edge = here.valueY(area.top());
  const double other = here.valueY(area.bottom());
  const Range y = area.height() < kFlatDrag ? m_viewport.y()
                                            : Range{std::min(edge, other), std::max(edge, other)};
  m_viewport.zoomTo(x, y);
  zoomed();
}

std::optional<QRectF> ZoomedChart::rubberBand() const {
  if (!m_drag || !m_drag->moved || m_drag->pans) {
    return std::nullopt;
  }
  return QRectF(m_drag->start, m_drag->last).normalized().intersected(plotArea());
}

void ZoomedChart::paintMoving(QPainter& painter) {
  const std::optional<QRectF> band = rubberBand();
  if (!band) {
    paintHover(painter);
    return;
  }
  const QColor color = theme().palette.color(QPalette::Highlight);
  painter.setPen(QPen(color, 1));
  painter.setBrush(translucent(color, m_bandOpacity));
  painter.drawRect(*band);
}

bool ZoomedChart::press(int key) {
  if (plotArea().isEmpty()) {
    return false;
  }
  switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus: {
      const double factor = key == Qt::Key_Minus ? 1 / kWheelStep : kWheelStep;
      m_viewport.zoomX(factor, anchorIn(m_viewport.x(), keyAnchor().x()));
      if (zoomAlong() == Along::Both) {
        m_viewport.zoomY(factor, anchorIn(m_viewport.y(), keyAnchor().y()));
      }
      zoomed();
      return true;
    }
    case Qt::Key_0:
    case Qt::Key_F:
      showEverything();
      return true;
    default:
      return false;
  }
}

void ZoomedChart::mousePressEvent(QMouseEvent* event) {
  event->setAccepted(event->button() == Qt::LeftButton && !plotArea().isEmpty());
  if (event->isAccepted()) {
    m_drag = Drag{.start = event->position(),
                  .last = event->position(),
                  .pans = event->modifiers().testFlag(Qt::ShiftModifier)};
  }
}

void ZoomedChart::mouseMoveEvent(QMouseEvent* event) {
  const QPointF here = event->position();
  if (!m_drag) {
    hoverAt(here);
    return;
  }
  m_drag->moved = m_drag->moved ||
                  (here - m_drag->start).manhattanLength() >= QApplication::startDragDistance();
  const QPointF step = here - std::exchange(m_drag->last, here);
  if (isPanning()) {
    const QRectF plot = plotArea();
    const double upwards = m_upwards == Upwards::Grows ? 1 : -1;
    m_viewport.pan(-step.x() / plot.width(), upwards * step.y() / plot.height());
    zoomed();
  }
  update();
}

void ZoomedChart::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_drag || event->button() != Qt::LeftButton) {
    return;
  }
  const std::optional<QRectF> band = rubberBand();
  const Drag drag = *std::exchange(m_drag, std::nullopt);
  if (!drag.moved) {
    clickAt(event->position());
  } else if (drag.pans) {
    // The last picture may have been drawn roughly, while it moved.
    redraw();
  } else if (band && !band->isEmpty()) {
    zoomTo(*band);
  }
  update();
}

void ZoomedChart::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) {
    m_drag.reset();
    showEverything();
  }
}

void ZoomedChart::wheelEvent(QWheelEvent* event) {
  const PlotMap here = map();
  event->setAccepted(!here.plot.isEmpty());
  if (here.plot.isEmpty()) {
    return;
  }
  const double factor = std::pow(kWheelStep, event->angleDelta().y() / kWheelNotch);
  const bool verticalAlone = event->modifiers().testFlag(Qt::ControlModifier);
  if (!verticalAlone) {
    m_viewport.zoomX(factor, here.valueX(event->position().x()));
  }
  if (verticalAlone || zoomAlong() == Along::Both) {
    m_viewport.zoomY(factor, here.valueY(event->position().y()));
  }
  zoomed();
}

}  // namespace ulp::views::charts
