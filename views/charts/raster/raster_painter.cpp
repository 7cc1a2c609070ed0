#include <algorithm>
#include <cmath>
#include <cstdint>

#include <QtGui/QFontMetricsF>
#include <QtGui/QPainter>
#include <QtGui/QPolygonF>

#include "views/charts/plot/painting.h"
#include "views/charts/raster/raster_frame.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/elided_text.h"

namespace ulp::views::charts {
namespace {

void drawLabels(QPainter& painter,
                const RasterFrame& frame,
                const Theme& theme,
                const RasterCell& current) {
  const QFontMetricsF metrics(painter.font());
  const QRectF& plot = frame.map.plot;
  const QFont plain = painter.font();
  const auto style = [&](bool isCurrent) {
    QFont font = plain;
    font.setBold(isCurrent);
    painter.setFont(font);
    painter.setPen(isCurrent ? theme.palette.color(QPalette::Text) : theme.axisText);
  };
  const double room = plot.left() - kGap - kLabelGap;
  QStringList names;
  for (const Tick& tick : frame.rowTicks) {
    names << tick.label;
  }
  const QStringList shown = elidedNames(names, metrics, room);
  for (std::size_t i = 0; i < frame.rowTicks.size(); ++i) {
    const Tick& tick = frame.rowTicks[i];
    const auto at = static_cast<qsizetype>(i);
    const bool isCurrent = static_cast<int>(tick.position) == current.row;
    const QRectF place(
        kGap, frame.map.pixelY(tick.position) - metrics.height() / 2, room, metrics.height());
    style(isCurrent);
    painter.drawText(
        place,
        Qt::AlignRight | Qt::AlignVCenter,
        (isCurrent ? elidedNames(names, QFontMetricsF(painter.font()), room) : shown).at(at));
  }
  for (const Tick& tick : frame.columnTicks) {
    const double x = frame.map.pixelX(tick.position);
    style(static_cast<int>(tick.position) == current.column);
    painter.drawText(QRectF(x - 100, plot.bottom() + kGap / 2, 200, metrics.height()),
                     Qt::AlignHCenter | Qt::AlignTop,
                     tick.label);
  }
  painter.setFont(plain);
}

void drawSpans(QPainter& painter,
               const RasterFrame& frame,
               const RasterContent& content,
               const Theme& theme) {
  const QFontMetricsF metrics(painter.font());
  const QRectF& plot = frame.map.plot;
  const double top = plot.bottom() + kGap / 2 + metrics.height();
  for (const RasterSpan& span : content.spans) {
    const double left = std::clamp(frame.map.pixelX(span.from), plot.left(), plot.right());
    const double right = std::clamp(frame.map.pixelX(span.to), plot.left(), plot.right());
    if (right - left > metrics.horizontalAdvance(span.caption)) {
      painter.setPen(theme.dimText);
      painter.drawText(
          QRectF(left, top, right - left, metrics.height() + 2), Qt::AlignCenter, span.caption);
    }
    if (span.from > 0 && left > plot.left() && left < plot.right()) {
      // Over the cells the mark is a gap; below them a line that separates the labels.
      painter.fillRect(QRectF(std::round(left) - 1, plot.top(), 3, plot.height()),
                       theme.chartBackground);
      painter.setPen(QPen(theme.gridStrong, 1));
      const double x = std::round(left) + 0.5;
      painter.drawLine(QPointF(x, plot.top()), QPointF(x, top + metrics.height()));
    }
  }
}

/// The middle of the first pixel of a cell: the one whose middle is not before the cell's edge.
double firstPixel(double edge) {
  return std::ceil(edge - 0.5) + 0.5;
}

void drawGaps(QPainter& painter, const RasterFrame& frame, const Theme& theme) {
  const RasterMap& map = frame.map;
  painter.setPen(QPen(theme.chartBackground, 1));
  const std::int64_t lastColumn = std::llround(std::floor(map.x.high));
  for (std::int64_t column = std::llround(std::ceil(map.x.low)); column <= lastColumn; ++column) {
    const double x = firstPixel(map.pixelX(static_cast<double>(column)));
    painter.drawLine(QPointF(x, map.plot.top()), QPointF(x, map.plot.bottom()));
  }
  const std::int64_t lastRow = std::llround(std::floor(map.y.high));
  for (std::int64_t row = std::llround(std::ceil(map.y.low)); row <= lastRow; ++row) {
    const double y = firstPixel(map.pixelY(static_cast<double>(row)));
    painter.drawLine(QPointF(map.plot.left(), y), QPointF(map.plot.right(), y));
  }
}

void drawTexts(QPainter& painter,
               const RasterFrame& frame,
               const RasterContent& content,
               const ColorScale& scale,
               const Theme& theme) {
  const ScaleColors colors = scaleColors(scale, theme);
  const QFont plain = painter.font();
  painter.setFont(fixedFont(plain));
  const QFontMetricsF metrics(painter.font());
  const RasterMap& map = frame.map;
  const RasterGrid& grid = *content.grid;
  const int endRow = std::min(content.rowCount(), static_cast<int>(std::ceil(map.y.high)));
  const int endColumn = std::min(content.columnCount(), static_cast<int>(std::ceil(map.x.high)));
  for (int row = std::max(0, static_cast<int>(map.y.low)); row < endRow; ++row) {
    for (int column = std::max(0, static_cast<int>(map.x.low)); column < endColumn; ++column) {
      const QRectF cell = map.cell(row, column);
      const QString text = content.cellText(row, column);
      const std::optional<std::size_t> index = content.gridAt(row, column);
      if (text.isEmpty() || !index || !map.plot.contains(cell.center())) {
        continue;
      }
      const std::size_t at = *index;
      if (grid.isMissing(at)) {
        painter.setPen(theme.dimText);
      } else if (grid.isBroken(at)) {
        // The hatching stays visible around a plate that carries the text.
        QRectF plate(0, 0, metrics.horizontalAdvance(text) + 4, metrics.height() - 2);
        plate.moveCenter(cell.center());
        painter.fillRect(plate, theme.chartBackground);
        painter.setPen(theme.nonFinite);
      } else {
        painter.setPen(inkOn(QColor(flatColor(scale, colors, grid.values[at])), theme));
      }
      painter.drawText(cell, Qt::AlignCenter, text);
    }
  }
  painter.setFont(plain);
}

/// A corner of every marked cell, seen on every colour.
void drawMarks(QPainter& painter,
               const RasterFrame& frame,
               const RasterContent& content,
               const Theme& theme) {
  constexpr double kSize = 9;
  const RasterMap& map = frame.map;
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < content.marks.size(); ++i) {
    const auto columns = static_cast<std::size_t>(content.columnCount());
    const QRectF cell = map.cell(static_cast<int>(i / columns), static_cast<int>(i % columns));
    if (content.marks[i] == 0 || !cell.intersects(map.plot)) {
      continue;
    }
    const QPointF tip(cell.left(), cell.top());
    const QPolygonF corner({tip, tip + QPointF(kSize, 0), tip + QPointF(0, kSize)});
    painter.setPen(QPen(theme.chartBackground, 1));
    painter.setBrush(theme.broken);
    painter.drawPolygon(corner);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

/// A line between rows that is seen on every colour.
void drawBoundary(QPainter& painter,
                  const RasterFrame& frame,
                  const RasterContent& content,
                  const Theme& theme) {
  const QRectF& plot = frame.map.plot;
  const double y = std::round(frame.map.pixelY(content.rowBoundary));
  if (content.rowBoundary <= 0 || y <= plot.top() || y >= plot.bottom()) {
    return;
  }
  // Its end beside the cells leads to the labels.
  const QRectF line(plot.left() - kLabelGap, y - 1, plot.width() + kLabelGap, 2);
  painter.fillRect(line.adjusted(0, -1, 0, 1), theme.chartBackground);
  painter.fillRect(line, theme.palette.color(QPalette::Text));
}

/// A cell's outline that is seen on every colour: dark within light or light within dark.
void outline(QPainter& painter,
             const RasterMap& map,
             const QRectF& cell,
             const Theme& theme,
             Qt::PenStyle line = Qt::SolidLine) {
  const QRectF shown = QRectF(QPointF(std::round(cell.left()), std::round(cell.top())),
                              QPointF(std::round(cell.right()), std::round(cell.bottom())));
  QRectF box = shown;
  if (box.width() < 5) {
    box.adjust(-(5 - box.width()) / 2, 0, (5 - box.width()) / 2, 0);
  }
  if (box.height() < 5) {
    box.adjust(0, -(5 - box.height()) / 2, 0, (5 - box.height()) / 2);
  }
  painter.save();
  painter.setClipRect(map.plot.adjusted(-3, -3, 3, 3));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.chartBackground, 1));
  painter.drawRect(box.adjusted(-2, -2, 1, 1));
  painter.drawRect(box.adjusted(1, 1, -2, -2));
  painter.setPen(QPen(theme.palette.color(QPalette::Text), 2, line, Qt::SquareCap, Qt::MiterJoin));
  painter.drawRect(box);
  painter.restore();
}

/// Beside the cell, on the side with more room, within the picture.
QPointF readoutPlace(const QRectF& plot, const QRectF& cell, const QSizeF& size) {
  const bool right = cell.center().x() < plot.center().x();
  const double left = right ? std::min(cell.right(), plot.right()) + 12
                            : std::max(cell.left(), plot.left()) - 12 - size.width();
  const double lowest = std::max(plot.top(), plot.bottom() - size.height());
  const double top = std::clamp(cell.center().y() - size.height() / 2, plot.top(), lowest);
  return {std::max(0.0, left), top};
}

Readout readoutOf(const RasterReadout& said, const Theme& theme) {
  Readout readout{.title = said.title};
  for (const auto& [name, value] : said.lines) {
    readout.lines.push_back({.name = name,
                             .values = {value},
                             .nameColor = theme.dimText,
                             .valueColor = theme.palette.color(QPalette::ToolTipText)});
  }
  return readout;
}

}  // namespace

void paintRaster(QPainter& painter,
                 const RasterFrame& frame,
                 const ColoredRaster& raster,
                 const Theme& theme,
                 const RasterSelection& selected) {
  const RasterCell& current = selected.cell;
  const RasterContent& content = raster.content;
  const QRectF& plot = frame.map.plot;
  const QFontMetricsF metrics(painter.font());
  if (content.rowCount() == 0 || content.columnCount() == 0) {
    return;
  }
  painter.save();
  painter.drawImage(plot, raster.cells);
  painter.setClipRect(plot);
  if (frame.hasGaps) {
    drawGaps(painter, frame, theme);
  }
  if (frame.hasTexts) {
    drawTexts(painter, frame, content, raster.scale, theme);
  }
  drawMarks(painter, frame, content, theme);
  painter.setClipping(false);
  drawSpans(painter, frame, content, theme);
  drawBoundary(painter, frame, content, theme);
  drawLabels(painter, frame, theme, current);
  if (!content.title.isEmpty()) {
    painter.setPen(theme.palette.color(QPalette::Text));
    const QRectF line(kGap, kGap / 2, plot.right() - kGap, metrics.height());
    painter.drawText(line,
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(content.title, Qt::ElideRight, line.width()));
  }
  const bool exists = current.column >= 0 && current.row < content.rowCount() &&
                      current.column < content.columnCount();
  if (exists && frame.map.cellOrColumn(current).intersects(plot)) {
    outline(painter,
            frame.map,
            frame.map.cellOrColumn(current),
            theme,
            selected.isAround ? Qt::DashLine : Qt::SolidLine);
  }
  painter.restore();
}

void paintRasterHover(QPainter& painter,
                      const RasterFrame& frame,
                      const RasterContent& content,
                      const Theme& theme,
                      const RasterCell& cell) {
  const bool columnSeen = cell.column >= 0 && cell.column < content.columnCount();
  if (!columnSeen || cell.row >= content.rowCount()) {
    return;
  }
  const QRectF& plot = frame.map.plot;
  const double x = std::round(frame.map.pixelX(cell.column + 0.5)) + 0.5;
  painter.save();
  painter.setPen(QPen(theme.axisText, 0, Qt::DashLine));
  if (cell.row < 0) {
    // Another view points at the column alone.
    if (x > plot.left() && x < plot.right()) {
      painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    painter.restore();
    return;
  }
  const QRectF place = frame.map.cell(cell.row, cell.column);
  if (!place.intersects(plot)) {
    painter.restore();
    return;
  }
  const double y = std::round(frame.map.pixelY(cell.row + 0.5)) + 0.5;
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, std::max(plot.top(), place.top())));
  painter.drawLine(QPointF(x, std::min(plot.bottom(), place.bottom())), QPointF(x, plot.bottom()));
  painter.drawLine(QPointF(plot.left(), y), QPointF(std::max(plot.left(), place.left()), y));
  painter.drawLine(QPointF(std::min(plot.right(), place.right()), y), QPointF(plot.right(), y));
  outline(painter, frame.map, place, theme);
  painter.setRenderHint(QPainter::Antialiasing);
  if (content.readout) {
    paintReadout(painter,
                 readoutOf(content.readout(cell.row, cell.column), theme),
                 theme,
                 [&](const QSizeF& size) { return readoutPlace(plot, place, size); });
  }
  painter.restore();
}

void paintWholeRaster(QPainter& painter,
                      const QRectF& area,
                      const RasterContent& content,
                      const ColorScale& scale,
                      const Theme& theme) {
  painter.save();
  painter.translate(area.topLeft());
  painter.fillRect(QRectF(QPointF(), area.size()), theme.chartBackground);
  const Range x{0, static_cast<double>(std::max(1, content.columnCount()))};
  const Range y{0, static_cast<double>(std::max(1, content.rowCount()))};
  const RasterFrame frame = makeRasterFrame(content, x, y, area.size(), painter.font());
  if (content.grid) {
    const QSize pixels = (frame.map.plot.size() * kFileRatio).toSize();
    const QImage cells = colorize(aggregate(*content.grid,
                                            content.gridColumns(x),
                                            content.gridRows(y),
                                            pixels,
                                            scale.kind,
                                            content.prefer),
                                  scale,
                                  scaleColors(scale, theme),
                                  kFileRatio);
    paintRaster(painter, frame, {.content = content, .scale = scale, .cells = cells}, theme, {});
  }
  painter.restore();
}

}  // namespace ulp::views::charts
