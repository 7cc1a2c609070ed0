#include "views/plugins/levers/parallel_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QApplication>
#include <QtWidgets/QToolTip>

namespace ulp::views {
namespace {

constexpr double kGrasp = 10;  ///< pixels beside an axis where a drag brushes it
/// So that a line that ends exactly at the edge of a brush is within it.
constexpr double kEdge = 1e-9;

bool haveSameAxes(const ParallelData& a, const ParallelData& b) {
  return std::ranges::equal(
      a.axes, b.axes, [](const ParallelAxis& left, const ParallelAxis& right) {
        return left.toolTip == right.toolTip && left.title == right.title;
      });
}

}  // namespace

ParallelChart::ParallelChart(QWidget* parent) : ChartWidget(parent) {
  setAccessibleName(tr("Settings and errors of the variants"));
}

void ParallelChart::setData(ParallelData data) {
  const bool keepsBrushes = haveSameAxes(m_data, data);
  m_data = std::move(data);
  if (!keepsBrushes) {
    m_look.brushes.assign(m_data.axes.size(), std::nullopt);
  }
  m_look.inside = brushedLines(m_data, m_look.brushes);
  m_look.hovered = {};
  m_drag.reset();
  layOut();
  announcePointsReplaced(*this);
}

void ParallelChart::setCurrent(const ParallelSpot& spot) {
  if (m_look.current == spot) {
    return;
  }
  m_look.current = spot;
  redraw();
  announceCurrentPoint(*this);
}

void ParallelChart::setHoveredLine(int line) {
  if (m_look.hovered.line != line) {
    m_look.hovered = {.line = line};
    redraw();
  }
}

ParallelFrame ParallelChart::frame() const {
  return parallelFrame(m_data, QRectF(rect()), font());
}

void ParallelChart::setBrush(int axis, std::optional<charts::Range> brush) {
  auto& place = m_look.brushes[static_cast<std::size_t>(axis)];
  if (place == brush) {
    return;
  }
  place = brush;
  m_look.inside = brushedLines(m_data, m_look.brushes);
  redraw();
  Q_EMIT brushesChanged();
}

void ParallelChart::clearBrushes() {
  if (isBrushed()) {
    std::ranges::fill(m_look.brushes, std::nullopt);
    m_look.inside = brushedLines(m_data, m_look.brushes);
    redraw();
    Q_EMIT brushesChanged();
  }
}

bool ParallelChart::isBrushed() const {
  return std::ranges::any_of(m_look.brushes, [](const auto& brush) { return brush.has_value(); });
}

QSize ParallelChart::minimumSizeHint() const {
  const int em = fontMetrics().height();
  return {static_cast<int>(std::ceil(parallelWidth(m_data, font()))), 10 * em};
}

QString ParallelChart::chartSummary() const {
  return tr("%n variants over settings and errors (%1).",
            nullptr,
            static_cast<int>(m_data.lines.size()))
      .arg(m_data.metric.label);
}

int ParallelChart::pointCount() const {
  return static_cast<int>(m_data.lines.size() * m_data.axes.size());
}

int ParallelChart::currentPoint() const {
  if (m_look.current.line < 0 || m_look.current.axis < 0) {
    return -1;
  }
  return (m_look.current.line * static_cast<int>(m_data.axes.size())) + m_look.current.axis;
}

QString ParallelChart::pointName(int point) const {
  const ParallelSpot spot = spotOf(point);
  const ParallelAxis& axis = m_data.axes[static_cast<std::size_t>(spot.axis)];
  return QStringLiteral("%1, %2, %3")
      .arg(m_data.lines[static_cast<std::size_t>(spot.line)].run, axis.group, axis.title);
}

QString ParallelChart::pointValue(int point) const {
  const ParallelSpot spot = spotOf(point);
  const AxisPoint& here =
      m_data.lines[static_cast<std::size_t>(spot.line)].points[static_cast<std::size_t>(spot.axis)];
  return here.nonFinite == 0
             ? here.text
             : tr("%1, %2 elements are not finite")
                   .arg(here.text, QString::number(static_cast<qulonglong>(here.nonFinite)));
}

QRect ParallelChart::pointRect(int point) const {
  const ParallelSpot spot = spotOf(point);
  const AxisPoint* here = pointAt(m_data, spot);
  if (here == nullptr) {
    return {};
  }
  const QPointF at = frame().pixelOf(static_cast<std::size_t>(spot.axis), *here);
  return QRectF(at.x() - 6, at.y() - 6, 12, 12).toAlignedRect();
}

ParallelSpot ParallelChart::spotOf(int point) const {
  const int axes = static_cast<int>(m_data.axes.size());
  return {.line = point / axes, .axis = point % axes};
}

QString ParallelChart::readoutOf(const ParallelSpot& spot) const {
  const AxisPoint* point = pointAt(m_data, spot);
  if (point == nullptr) {
    return {};
  }
  const ParallelAxis& axis = m_data.axes[static_cast<std::size_t>(spot.axis)];
  QString text =
      QStringLiteral("%1\n%2: %3")
          .arg(m_data.lines[static_cast<std::size_t>(spot.line)].run,
               axis.isLever ? axis.title : QStringLiteral("%1 · %2").arg(axis.group, axis.title),
               point->text);
  if (!point->site.name.empty()) {
    text += QLatin1Char('\n') + QString::fromStdString(point->site.name);
  }
  if (point->nonFinite > 0) {
    text += QLatin1Char('\n') +
            tr("%1 elements are not finite").arg(static_cast<qulonglong>(point->nonFinite));
  }
  return text;
}

void ParallelChart::layOut() {
  updateGeometry();
  redraw();
}

void ParallelChart::paintStill(QImage& picture) {
  QPainter painter(&picture);
  painter.setFont(font());
  paintParallel(painter, QRectF(rect()), m_data, m_look, theme());
}

int ParallelChart::axisAt(const QPointF& point) const {
  const ParallelFrame here = frame();
  const int axis = spotAt(m_data, here, point).axis;
  const bool isNear =
      axis >= 0 && std::abs(here.x[static_cast<std::size_t>(axis)] - point.x()) <= kGrasp;
  return isNear ? axis : -1;
}

charts::Range ParallelChart::dragRange(const Drag& drag, double y) const {
  const ParallelFrame here = frame();
  const double a = std::clamp(here.placeAt(drag.start.y()), 0.0, kNonFinitePlace);
  const double b = std::clamp(here.placeAt(y), 0.0, kNonFinitePlace);
  return {std::min(a, b) - kEdge, std::max(a, b) + kEdge};
}

void ParallelChart::hoverAt(const QPointF& point) {
  const bool isInside = rect().contains(point.toPoint());
  const ParallelSpot spot = isInside ? spotAt(m_data, frame(), point) : ParallelSpot{};
  // Leaving is always told: setData() forgets what was hovered without a word.
  if (isInside && spot == m_look.hovered) {
    return;
  }
  const ParallelSpot before = std::exchange(m_look.hovered, spot.line < 0 ? ParallelSpot{} : spot);
  QString text = readoutOf(m_look.hovered);
  if (text.isEmpty() && spot.axis >= 0 && point.y() < frame().top) {
    text = m_data.axes[static_cast<std::size_t>(spot.axis)].toolTip;
  }
  QToolTip::showText(mapToGlobal(point.toPoint()), text, this);
  if (m_look.hovered != before) {
    redraw();
  }
  Q_EMIT hovered(m_look.hovered.line, m_look.hovered.axis);
}

void ParallelChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    event->ignore();
    return;
  }
  m_drag = Drag{.axis = axisAt(event->position()), .start = event->position()};
}

void ParallelChart::mouseMoveEvent(QMouseEvent* event) {
  if (!m_drag) {
    hoverAt(event->position());
    return;
  }
  const double moved = (event->position() - m_drag->start).manhattanLength();
  m_drag->moved = m_drag->moved || moved >= QApplication::startDragDistance();
  if (m_drag->moved && m_drag->axis >= 0) {
    setBrush(m_drag->axis, dragRange(*m_drag, event->position().y()));
  }
}

void ParallelChart::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_drag || event->button() != Qt::LeftButton) {
    return;
  }
  if (!std::exchange(m_drag, std::nullopt)->moved) {
    clickAt(event->position());
  }
}

void ParallelChart::clickAt(const QPointF& point) {
  const ParallelSpot spot = spotAt(m_data, frame(), point);
  const int axis = axisAt(point);
  if (spot.line >= 0) {
    Q_EMIT picked(spot.line, spot.axis);
  } else if (axis >= 0) {
    setBrush(axis, std::nullopt);
  }
}

/// To the next line above or below on the current axis, as the eye goes.
void ParallelChart::stepLine(int direction) {
  const int axis = std::max(0, m_look.current.axis);
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(m_data.lines.size()); ++i) {
    if (pointAt(m_data, {.line = i, .axis = axis}) != nullptr) {
      order.push_back(i);
    }
  }
  if (order.empty()) {
    return;
  }
  std::ranges::stable_sort(
      order, {}, [&](int line) { return pointAt(m_data, {.line = line, .axis = axis})->place; });
  const auto current = std::ranges::find(order, m_look.current.line);
  const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
  const std::ptrdiff_t next =
      current == order.end()
          ? 0
          : std::clamp<std::ptrdiff_t>(current - order.begin() + direction, 0, last);
  Q_EMIT picked(order[static_cast<std::size_t>(next)], axis);
}

void ParallelChart::brushAtCurrent() {
  const AxisPoint* point = pointAt(m_data, m_look.current);
  if (point == nullptr) {
    return;
  }
  const auto place = static_cast<std::size_t>(m_look.current.axis);
  if (m_look.brushes[place]) {
    setBrush(m_look.current.axis, std::nullopt);
    return;
  }
  const ParallelAxis& axis = m_data.axes[place];
  if (axis.isLever) {
    const double half = 0.5 / static_cast<double>(axis.ticks.size());
    const auto tick = std::ranges::min_element(
        axis.ticks, {}, [&](const AxisTick& each) { return std::abs(each.place - point->place); });
    setBrush(m_look.current.axis, charts::Range{tick->place - half, tick->place + half});
    return;
  }
  const bool isLowerBetter = m_data.metric.better == numerics::Better::Lower;
  setBrush(m_look.current.axis,
           isLowerBetter ? charts::Range{-kEdge, point->place + kEdge}
                         : charts::Range{point->place - kEdge, 1 + kEdge});
}

bool ParallelChart::walk(const charts::ChartStep& step) {
  if (step.down != 0) {
    stepLine(-step.down);
  } else if (step.right != 0 && pointCount() > 0) {
    const int last = static_cast<int>(m_data.axes.size()) - 1;
    Q_EMIT picked(std::max(0, m_look.current.line),
                  std::clamp(m_look.current.axis + step.right, 0, last));
  }
  return step.pages == 0;
}

bool ParallelChart::press(int key) {
  if (key == Qt::Key_Space) {
    brushAtCurrent();
    return true;
  }
  if (key == Qt::Key_Escape && isBrushed()) {
    clearBrushes();
    return true;
  }
  return false;
}

}  // namespace ulp::views
