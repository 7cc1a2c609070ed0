#include "views/charts/plot/viewport_gestures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QMouseEvent>
#include <QtGui/QWheelEvent>
#include <QtWidgets/QApplication>

namespace ulp::views::charts {
namespace {

constexpr double kWheelStep = 0.8;
constexpr double kWheelNotch = 120.0;
/// A drag that is flatter than this zooms one axis alone; pixels.
constexpr double kFlatDrag = 12;

double anchorIn(const Range& seen, double wanted) {
  return seen.contains(wanted) ? wanted : (seen.low + seen.high) / 2;
}

}  // namespace

bool ViewportGestures::press(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || m_plot.isEmpty()) {
    return false;
  }
  m_drag = Drag{.start = event.position(),
                .last = event.position(),
                .pans = event.modifiers().testFlag(Qt::ShiftModifier)};
  return true;
}

ViewportGestures::Effect ViewportGestures::move(const QMouseEvent& event) {
  if (!m_drag) {
    return Effect::None;
  }
  const QPointF moved = event.position() - m_drag->start;
  m_drag->moved = m_drag->moved || moved.manhattanLength() >= QApplication::startDragDistance();
  const QPointF step = event.position() - std::exchange(m_drag->last, event.position());
  if (!m_drag->pans || !m_drag->moved) {
    return Effect::None;
  }
  const double upwards = m_upwards == Upwards::Grows ? 1 : -1;
  m_viewport.pan(-step.x() / m_plot.width(), upwards * step.y() / m_plot.height());
  return Effect::Zoomed;
}

ViewportGestures::Effect ViewportGestures::release(const QMouseEvent& event) {
  if (!m_drag || event.button() != Qt::LeftButton) {
    return Effect::None;
  }
  const Drag drag = *std::exchange(m_drag, std::nullopt);
  if (!drag.moved) {
    return Effect::Clicked;
  }
  const bool zooms =
      !drag.pans && zoomTo(QRectF(drag.start, drag.last).normalized().intersected(m_plot));
  return zooms ? Effect::Zoomed : Effect::None;
}

bool ViewportGestures::zoomTo(const QRectF& area) {
  if (area.isEmpty()) {
    return false;
  }
  const PlotMap here = map();
  const Range x = area.width() < kFlatDrag
                      ? m_viewport.x()
                      : Range{here.valueX(area.left()), here.valueX(area.right())};
  const double edge = here.valueY(area.top());
  const double other = here.valueY(area.bottom());
  const Range y = area.height() < kFlatDrag ? m_viewport.y()
                                            : Range{std::min(edge, other), std::max(edge, other)};
  m_viewport.zoomTo(x, y);
  return true;
}

bool ViewportGestures::doubleClick(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton) {
    return false;
  }
  m_drag.reset();
  m_viewport.reset();
  return true;
}

bool ViewportGestures::wheel(const QWheelEvent& event, Along along) {
  if (m_plot.isEmpty()) {
    return false;
  }
  const double factor = std::pow(kWheelStep, event.angleDelta().y() / kWheelNotch);
  const bool verticalAlone = event.modifiers().testFlag(Qt::ControlModifier);
  if (!verticalAlone) {
    m_viewport.zoomX(factor, map().valueX(event.position().x()));
  }
  if (verticalAlone || along == Along::Both) {
    m_viewport.zoomY(factor, map().valueY(event.position().y()));
  }
  return true;
}

bool ViewportGestures::key(int key, const QPointF& anchor, Along along) {
  if (m_plot.isEmpty()) {
    return false;
  }
  switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus: {
      const double factor = key == Qt::Key_Minus ? 1 / kWheelStep : kWheelStep;
      m_viewport.zoomX(factor, anchorIn(m_viewport.x(), anchor.x()));
      if (along == Along::Both) {
        m_viewport.zoomY(factor, anchorIn(m_viewport.y(), anchor.y()));
      }
      return true;
    }
    case Qt::Key_0:
    case Qt::Key_F:
      m_viewport.reset();
      return true;
    default:
      return false;
  }
}

std::optional<QRectF> ViewportGestures::rubberBand() const {
  if (!m_drag || !m_drag->moved || m_drag->pans) {
    return std::nullopt;
  }
  return QRectF(m_drag->start, m_drag->last).normalized().intersected(m_plot);
}

}  // namespace ulp::views::charts
