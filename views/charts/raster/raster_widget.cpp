#include "views/charts/raster/raster_widget.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtGui/QWheelEvent>

#include "views/charts/raster/raster_accessible.h"

namespace ulp::views::charts {
namespace {

constexpr float kCellBandOpacity = 0.25F;
/// The closest look: so many cells, or all if there are fewer.
constexpr double kFewestCells = 2;

double narrowest(int cells) {
  return std::min(1.0, kFewestCells / std::max(1, cells));
}

}  // namespace

RasterWidget::RasterWidget(QWidget* parent) : QWidget(parent), m_theme(lightTheme()) {
  installRasterAccessibility();
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(200, 120);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Heatmap"));
}

void RasterWidget::setTheme(const Theme& theme) {
  m_theme = theme;
  m_cells = {};
  m_stillIsStale = true;
  update();
}

void RasterWidget::setContent(RasterContent content) {
  m_content = std::move(content);
  m_hovered = {};
  refit();
}

void RasterWidget::setScale(const ColorScale& scale) {
  if (scale == m_scale) {
    return;
  }
  if (scale.kind != m_scale.kind) {
    m_aggregate.reset();
  }
  m_scale = scale;
  m_cells = {};
  m_stillIsStale = true;
  update();
}

void RasterWidget::setCurrent(const RasterCell& cell) {
  if (cell != m_current) {
    m_current = cell;
    m_stillIsStale = true;
    update();
    announceCurrentCell(*this);
  }
}

void RasterWidget::setHovered(const RasterCell& cell) {
  if (cell != m_hovered) {
    m_hovered = cell;
    update();
  }
}

void RasterWidget::showEverything() {
  m_viewport.reset();
  zoomed();
}

void RasterWidget::setViewRange(const Range& x, const Range& y) {
  const Viewport before = m_viewport;
  m_viewport.zoomTo(x, y);
  if (m_viewport != before) {
    rebuild();
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

void RasterWidget::refit() {
  const int columns = m_content.columnCount();
  const int rows = m_content.rowCount();
  m_viewport.setNarrowest(narrowest(columns), narrowest(rows));
  m_viewport.setFull({0, static_cast<double>(std::max(1, columns))},
                     {0, static_cast<double>(std::max(1, rows))});
  rebuild();
}

void RasterWidget::rebuild() {
  m_frame = makeRasterFrame(m_content, m_viewport.x(), m_viewport.y(), QSizeF(size()), font());
  m_gestures.setPlot(m_frame.map.plot);
  m_aggregate.reset();
  m_cells = {};
  m_stillIsStale = true;
  update();
}

void RasterWidget::zoomed() {
  rebuild();
  Q_EMIT viewRangeChanged(m_viewport.x(), m_viewport.y());
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
    m_cells = colorize(*m_aggregate, m_scale, scaleColors(m_scale, m_theme), ratio);
  }
}

void RasterWidget::paintEvent(QPaintEvent* /*event*/) {
  const qreal ratio = devicePixelRatioF();
  if (m_stillIsStale || m_still.size() != size() * ratio) {
    refreshCells();
    m_still = QPixmap(size() * ratio);
    m_still.setDevicePixelRatio(ratio);
    m_still.fill(m_theme.chartBackground);
    QPainter painter(&m_still);
    painter.setFont(font());
    paintRaster(painter,
                m_frame,
                {.content = m_content, .scale = m_scale, .cells = m_cells},
                m_theme,
                m_current);
    m_stillIsStale = false;
  }
  QPainter painter(this);
  painter.drawPixmap(0, 0, m_still);
  painter.setFont(font());
  if (const std::optional<QRectF> band = m_gestures.rubberBand()) {
    paintRubberBand(painter, *band, m_theme.palette.color(QPalette::Highlight), kCellBandOpacity);
    return;
  }
  paintRasterHover(painter, m_frame, m_content, m_theme, m_hovered);
  if (m_showsFocus) {
    paintFocusRing(painter, rect(), m_theme);
  }
}

void RasterWidget::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  rebuild();
}

void RasterWidget::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    rebuild();
  }
}

void RasterWidget::focusInEvent(QFocusEvent* event) {
  m_showsFocus = isFromKeyboard(*event);
  QWidget::focusInEvent(event);
  update();
}

void RasterWidget::focusOutEvent(QFocusEvent* event) {
  m_showsFocus = false;
  QWidget::focusOutEvent(event);
  update();
}

void RasterWidget::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  setHovered({});
  Q_EMIT hovered(-1, -1);
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

QRectF RasterWidget::cellRect(const RasterCell& cell) const {
  return m_frame.map.cell(cell.row, cell.column) & m_frame.map.plot;
}

QString RasterWidget::inWords() const {
  const QString title =
      m_content.title.isEmpty() ? QString() : m_content.title + QStringLiteral(". ");
  return title + tr("Rows: %1. Columns: %2. Arrows walk the cells.")
                     .arg(m_content.rowCount())
                     .arg(m_content.columnCount());
}

QString RasterWidget::cellInWords(const RasterCell& cell) const {
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

void RasterWidget::mousePressEvent(QMouseEvent* event) {
  event->setAccepted(m_gestures.press(*event));
}

void RasterWidget::mouseMoveEvent(QMouseEvent* event) {
  if (!m_gestures.isDragging()) {
    const RasterCell cell = cellAt(event->position());
    setHovered(cell);
    Q_EMIT hovered(cell.row, cell.column);
    return;
  }
  if (m_gestures.move(*event) == ViewportGestures::Effect::Zoomed) {
    zoomed();
  }
  update();
}

void RasterWidget::mouseReleaseEvent(QMouseEvent* event) {
  const ViewportGestures::Effect effect = m_gestures.release(*event);
  if (effect == ViewportGestures::Effect::Zoomed) {
    zoomed();
  }
  const RasterCell cell = cellAt(event->position());
  if (effect == ViewportGestures::Effect::Clicked && cell.isValid()) {
    Q_EMIT picked(cell.row, cell.column);
  }
  update();
}

void RasterWidget::mouseDoubleClickEvent(QMouseEvent* event) {
  if (m_gestures.doubleClick(*event)) {
    zoomed();
  }
}

ViewportGestures::Along RasterWidget::zoomAlong() const {
  const double full = m_frame.map.plot.height() / m_viewport.fullY().span();
  return full < QFontMetricsF(font()).height() ? ViewportGestures::Along::Both
                                               : ViewportGestures::Along::Horizontal;
}

void RasterWidget::wheelEvent(QWheelEvent* event) {
  m_gestures.wheel(*event, zoomAlong());
  zoomed();
  event->accept();
}

void RasterWidget::step(int rows, int columns) {
  if (m_content.rowCount() == 0 || m_content.columnCount() == 0) {
    return;
  }
  const RasterCell next{
      std::clamp(std::max(0, m_current.row) + rows, 0, m_content.rowCount() - 1),
      std::clamp(std::max(0, m_current.column) + columns, 0, m_content.columnCount() - 1)};
  ensureVisible(next);
  Q_EMIT picked(next.row, next.column);
}

void RasterWidget::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return step(0, -1);
    case Qt::Key_Right:
      return step(0, 1);
    case Qt::Key_Up:
      return step(-1, 0);
    case Qt::Key_Down:
      return step(1, 0);
    case Qt::Key_Home:
      return step(0, -m_content.columnCount());
    case Qt::Key_End:
      return step(0, m_content.columnCount());
    case Qt::Key_PageUp:
      return step(-std::max(1, static_cast<int>(m_viewport.y().span())), 0);
    case Qt::Key_PageDown:
      return step(std::max(1, static_cast<int>(m_viewport.y().span())), 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      Q_EMIT activated();
      return;
    default:
      break;
  }
  const QPointF anchor(m_current.column + 0.5, m_current.row + 0.5);
  if (m_gestures.key(event->key(), anchor, zoomAlong())) {
    zoomed();
  } else {
    event->ignore();
  }
}

}  // namespace ulp::views::charts
