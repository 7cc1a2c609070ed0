#include "views/charts/raster/raster_widget.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>

namespace ulp::views::charts {
namespace {

constexpr float kCellBandOpacity = 0.25F;
/// In pixels: cells that are smaller cannot be told apart, and how large they are made then.
constexpr double kSmallestCell = 3;
constexpr double kWideCell = 12;
/// The closest look: so many cells, or all if there are fewer.
constexpr double kFewestCells = 2;

double narrowest(int cells) {
  return std::min(1.0, kFewestCells / std::max(1, cells));
}

}  // namespace

RasterWidget::RasterWidget(QWidget* parent)
    : ZoomedChart(Upwards::Shrinks, kCellBandOpacity, parent) {
  setMinimumSize(200, 120);
  setAccessibleName(tr("Heatmap"));
}

void RasterWidget::setContent(RasterContent content) {
  m_content = std::move(content);
  m_hovered = {};
  const int columns = m_content.columnCount();
  const int rows = m_content.rowCount();
  m_viewport.setNarrowest(narrowest(columns), narrowest(rows));
  m_viewport.setFull({0, static_cast<double>(std::max(1, columns))},
                     {0, static_cast<double>(std::max(1, rows))});
  layOut();
}

void RasterWidget::setScale(const ColorScale& scale) {
  if (scale == m_scale) {
    return;
  }
  if (scale.kind != m_scale.kind) {
    m_aggregate.reset();
  }
  m_scale = scale;
  recolor();
}

void RasterWidget::recolor() {
  m_cells = {};
  redraw();
}

void RasterWidget::setCurrent(const RasterCell& cell, bool isAround) {
  if (cell != m_current || isAround != m_isAround) {
    m_current = cell;
    m_isAround = isAround;
    redraw();
    announceCurrentPoint(*this);
  }
}

void RasterWidget::setHovered(const RasterCell& cell) {
  if (cell != m_hovered) {
    m_hovered = cell;
    update();
  }
}

void RasterWidget::ensureVisible(const RasterCell& cell) {
  const auto moved = [](const Range& seen, int index) {
    if (index < 0) {
      return seen;
    }
    const double shift = index < seen.low        ? index - seen.low
                         : index + 1 > seen.high ? index + 1 - seen.high
                                                 : 0;
    return Range{seen.low + shift, seen.high + shift};
  };
  const Range x = moved(m_viewport.x(), cell.column);
  const Range y = moved(m_viewport.y(), cell.row);
  if (x != m_viewport.x() || y != m_viewport.y()) {
    m_viewport.zoomTo(x, y);
    zoomed();
  }
}

void RasterWidget::bringIntoSight(const RasterCell& cell) {
  const auto widened = [](const Range& seen, int index, double pixels) {
    const bool isNarrow = index >= 0 && pixels > 0 && pixels < seen.span() * kSmallestCell;
    const double half = pixels / kWideCell / 2;
    return isNarrow ? Range{index + 0.5 - half, index + 0.5 + half} : seen;
  };
  const Range x = widened(m_viewport.x(), cell.column, m_frame.map.plot.width());
  const Range y = widened(m_viewport.y(), cell.row, m_frame.map.plot.height());
  if (x != m_viewport.x() || y != m_viewport.y()) {
    m_viewport.zoomTo(x, y);
    zoomed();
  }
  ensureVisible(cell);
}

void RasterWidget::layOut() {
  m_frame = makeRasterFrame(m_content, m_viewport.x(), m_viewport.y(), QSizeF(size()), font());
  m_aggregate.reset();
  recolor();
}

void RasterWidget::refreshCells() {
  const double ratio = devicePixelRatioF();
  const QSize pixels = (m_frame.map.plot.size() * ratio).toSize();
  if (!m_content.grid) {
    return;
  }
  if (!m_aggregate || m_aggregate->pixels() != pixels) {
    m_aggregate = aggregate(*m_content.grid,
                            m_content.gridColumns(m_frame.map.x),
                            m_content.gridRows(m_frame.map.y),
                            pixels,
                            m_scale.kind,
                            m_content.prefer);
    m_cells = {};
  }
  if (m_cells.isNull()) {
    m_cells = colorize(*m_aggregate, m_scale, scaleColors(m_scale, theme()), ratio);
  }
}

void RasterWidget::paintStill(QImage& picture) {
  refreshCells();
  picture.fill(theme().chartBackground);
  QPainter painter(&picture);
  painter.setFont(font());
  paintRaster(painter,
              m_frame,
              {.content = m_content, .scale = m_scale, .cells = m_cells},
              theme(),
              {.cell = m_current, .isAround = m_isAround});
}

void RasterWidget::paintHover(QPainter& painter) {
  paintRasterHover(painter, m_frame, m_content, theme(), m_hovered);
}

RasterCell RasterWidget::cellAt(const QPointF& point) const {
  if (!m_frame.map.plot.contains(point)) {
    return {};
  }
  const RasterCell cell{static_cast<int>(std::floor(m_frame.map.valueY(point.y()))),
                        static_cast<int>(std::floor(m_frame.map.valueX(point.x())))};
  const bool exists =
      cell.isValid() && cell.row < m_content.rowCount() && cell.column < m_content.columnCount();
  return exists ? cell : RasterCell{};
}

int RasterWidget::pointCount() const {
  const std::int64_t count = std::int64_t{m_content.rowCount()} * m_content.columnCount();
  return static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
}

int RasterWidget::pointOf(const RasterCell& cell) const {
  const std::int64_t point = std::int64_t{cell.row} * m_content.columnCount() + cell.column;
  return cell.isValid() && point < pointCount() ? static_cast<int>(point) : -1;
}

RasterCell RasterWidget::cellOf(int point) const {
  const int columns = std::max(1, m_content.columnCount());
  return {point / columns, point % columns};
}

QRectF RasterWidget::cellRect(const RasterCell& cell) const {
  return m_frame.map.cellOrColumn(cell) & m_frame.map.plot;
}

QString RasterWidget::chartSummary() const {
  const QString title =
      m_content.title.isEmpty() ? QString() : m_content.title + QStringLiteral(". ");
  return title + tr("Rows: %1. Columns: %2. Arrows walk the cells.")
                     .arg(m_content.rowCount())
                     .arg(m_content.columnCount());
}

QString RasterWidget::pointName(int point) const {
  const RasterCell cell = cellOf(point);
  const QString place = QStringLiteral("%1, %2").arg(m_content.rows.descriptionOf(cell.row),
                                                     m_content.columns.descriptionOf(cell.column));
  const std::optional<std::size_t> at = m_content.gridAt(cell.row, cell.column);
  if (at && m_content.grid->isMissing(*at)) {
    return tr("%1: missing").arg(place);
  }
  const QString value = m_content.cellText ? m_content.cellText(cell.row, cell.column)
                        : at               ? QString::number(m_content.grid->values[*at])
                                           : QString();
  return QStringLiteral("%1: %2").arg(place, value);
}

void RasterWidget::hoverAt(const QPointF& point) {
  const RasterCell cell = cellAt(point);
  setHovered(cell);
  Q_EMIT hovered(cell.row, cell.column);
}

void RasterWidget::clickAt(const QPointF& point) {
  if (const RasterCell cell = cellAt(point); cell.isValid()) {
    Q_EMIT picked(cell.row, cell.column);
  }
}

ZoomedChart::Along RasterWidget::zoomAlong() const {
  const double full = m_frame.map.plot.height() / m_viewport.fullY().span();
  return full < QFontMetricsF(font()).height() ? Along::Both : Along::Horizontal;
}

QPointF RasterWidget::keyAnchor() const {
  return {m_current.column + 0.5, m_current.row + 0.5};
}

bool RasterWidget::walk(const ChartStep& step) {
  const int rows = m_content.rowCount();
  const int columns = m_content.columnCount();
  if (rows > 0 && columns > 0) {
    const int page = std::max(1, static_cast<int>(m_viewport.y().span()));
    const RasterCell next{
        std::clamp(std::max(0, m_current.row) + step.down + step.pages * page, 0, rows - 1),
        std::clamp(std::max(0, m_current.column) + step.right, 0, columns - 1)};
    ensureVisible(next);
    Q_EMIT picked(next.row, next.column);
  }
  return true;
}

}  // namespace ulp::views::charts
