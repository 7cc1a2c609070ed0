#include "views/charts/raster/raster_frame.h"

#include <algorithm>
#include <cmath>

#include <QtGui/QFontMetricsF>

#include "views/charts/plot/painting.h"
#include "views/framework/tables/table_tools.h"

namespace ulp::views::charts {
namespace {

constexpr double kWidestLabels = 0.34;  ///< of the width
constexpr int kMeasuredLabels = 400;
constexpr double kSmallestGapCell = 7;
constexpr int kMostTexts = 3000;

/// Indices of the cells that a range touches.
std::pair<int, int> touched(const Range& visible, int count) {
  return {std::clamp(static_cast<int>(std::floor(visible.low)), 0, std::max(0, count - 1)),
          std::clamp(static_cast<int>(std::ceil(visible.high)), 0, count)};
}

/// As bold as the label of the current row is.
double widestRowLabel(const RasterContent& content, QFont font) {
  font.setBold(true);
  const QFontMetricsF metrics(font);
  const int count = content.rowCount();
  const int step = std::max(1, count / kMeasuredLabels);
  double widest = 0;
  for (int row = 0; row < count; row += step) {
    widest = std::max(widest, metrics.horizontalAdvance(content.rows.labelOf(row)));
  }
  return count > 0 ? std::max(widest, metrics.horizontalAdvance(content.rows.labelOf(count - 1)))
                   : 0;
}

double titleHeight(const RasterContent& content, double line) {
  return content.title.isEmpty() ? kGap / 2 : kGap + line;
}

/// Below the plot.
double labelHeight(const RasterContent& content, double line) {
  return kGap + line * (content.spans.empty() ? 1 : 2);
}

/// Whether the text of every visible cell fits into its cell.
bool textsFit(const RasterContent& content, const RasterMap& map, const QFont& font) {
  const bool isCoarse = content.placement && !content.placement->isExact();
  if (!content.cellText || isCoarse || map.cellHeight() < QFontMetricsF(font).height() ||
      map.x.span() * map.y.span() > kMostTexts) {
    return false;
  }
  const QFontMetricsF fixed(fixedFont(font));
  const double room = map.cellWidth() - kLabelGap;
  if (room < fixed.horizontalAdvance(QLatin1Char('0'))) {
    return false;
  }
  const auto [firstRow, endRow] = touched(map.y, content.rowCount());
  const auto [firstColumn, endColumn] = touched(map.x, content.columnCount());
  for (int row = firstRow; row < endRow; ++row) {
    for (int column = firstColumn; column < endColumn; ++column) {
      if (fixed.horizontalAdvance(content.cellText(row, column)) > room) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

QString RasterAxis::labelOf(int index) const {
  return label ? label(index) : QString::number(index);
}

QString RasterAxis::descriptionOf(int index) const {
  return description ? description(index) : labelOf(index);
}

int RasterContent::rowCount() const {
  return placement ? placement->rows : grid ? grid->rows : 0;
}

int RasterContent::columnCount() const {
  return placement ? placement->columns : grid ? grid->columns : 0;
}

Range RasterContent::gridRows(const Range& part) const {
  return placement ? Range{(part.low - placement->firstRow) / placement->rowsPerCell,
                           (part.high - placement->firstRow) / placement->rowsPerCell}
                   : part;
}

Range RasterContent::gridColumns(const Range& part) const {
  return placement ? Range{(part.low - placement->firstColumn) / placement->columnsPerCell,
                           (part.high - placement->firstColumn) / placement->columnsPerCell}
                   : part;
}

std::optional<std::size_t> RasterContent::gridAt(int row, int column) const {
  const RasterPlacement place = placement.value_or(RasterPlacement{});
  const int gridRow = row - place.firstRow;
  const int gridColumn = column - place.firstColumn;
  const bool exists = grid && place.isExact() && gridRow >= 0 && gridColumn >= 0 &&
                      gridRow < grid->rows && gridColumn < grid->columns;
  return exists ? std::optional(grid->at(gridRow, gridColumn)) : std::nullopt;
}

std::vector<Tick> thinnedTicks(const RasterAxis& axis,
                               const Range& visible,
                               int count,
                               double pixelsPerCell,
                               const std::function<double(const QString&)>& sizeOf) {
  const auto [first, end] = touched(visible, count);
  double largest = 0;
  const int probe = std::max(1, (end - first) / kMeasuredLabels);
  for (int i = first; i < end; i += probe) {
    largest = std::max(largest, sizeOf(axis.labelOf(i)));
  }
  const int step = labelStep(pixelsPerCell, largest);
  std::vector<Tick> ticks;
  for (int i = (first + step - 1) / step * step; i < end; i += step) {
    const double middle = i + 0.5;
    if (visible.contains(middle)) {
      ticks.push_back({middle, axis.labelOf(i), false});
    }
  }
  return ticks;
}

double usefulRasterHeight(const RasterContent& content, const QFont& font) {
  const double line = std::ceil(QFontMetricsF(font).height());
  return titleHeight(content, line) + labelHeight(content, line) +
         std::ceil(content.tallestCell * content.rowCount());
}

RasterFrame makeRasterFrame(const RasterContent& content,
                            const Range& x,
                            const Range& y,
                            const QSizeF& size,
                            const QFont& font) {
  const QFontMetricsF metrics(font);
  const double line = std::ceil(metrics.height());
  RasterFrame frame;
  const double labels =
      std::ceil(std::min(widestRowLabel(content, font), size.width() * kWidestLabels));
  const double top = titleHeight(content, line);
  const double bottom = labelHeight(content, line);
  const double left = kGap + labels + kLabelGap;
  double plotHeight = std::max(1.0, std::floor(size.height() - top - bottom));
  if (content.tallestCell > 0) {
    plotHeight = std::min(plotHeight, std::ceil(content.tallestCell * y.span()));
  }
  const double plotWidth = std::max(1.0, std::floor(size.width() - left - 2 * kGap));
  frame.map = {{QRectF(left, top, plotWidth, plotHeight), x, y, Upwards::Shrinks}};
  if (content.rowCount() == 0 || content.columnCount() == 0) {
    return frame;
  }
  const double height = frame.map.cellHeight();
  const double width = frame.map.cellWidth();
  frame.rowTicks = thinnedTicks(
      content.rows, y, content.rowCount(), height, [line](const QString&) { return line - 2; });
  const auto widthOf = [&metrics](const QString& text) { return metrics.horizontalAdvance(text); };
  frame.columnTicks =
      content.columns.ticks
          ? content.columns.ticks(x, width, widthOf)
          : thinnedTicks(
                content.columns, x, content.columnCount(), width, [&](const QString& text) {
                  return widthOf(text) + 2 * kLabelGap;
                });
  frame.hasGaps = std::min(width, height) >= kSmallestGapCell;
  frame.hasTexts = textsFit(content, frame.map, font);
  return frame;
}

}  // namespace ulp::views::charts
