#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QtCore/QRectF>
#include <QtCore/QString>
#include <QtGui/QFont>
#include <QtGui/QImage>

#include "views/charts/plot/ticks.h"
#include "views/charts/raster/raster.h"
#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views::charts {

struct RasterCell {
  int row = -1;
  int column = -1;

  [[nodiscard]] bool isValid() const { return row >= 0 && column >= 0; }
  friend bool operator==(const RasterCell&, const RasterCell&) = default;
};

/// Cells to pixels and back, rows downwards; a cell reaches from its index to the next.
struct RasterMap : PlotMap {
  [[nodiscard]] double cellWidth() const { return plot.width() / x.span(); }
  [[nodiscard]] double cellHeight() const { return plot.height() / y.span(); }
  [[nodiscard]] QRectF cell(int row, int column) const {
    return {QPointF(pixelX(column), pixelY(row)), QPointF(pixelX(column + 1), pixelY(row + 1))};
  }
  /// Without a row, the column as far as it is seen.
  [[nodiscard]] QRectF cellOrColumn(const RasterCell& place) const {
    const QRectF cells = cell(place.row, place.column);
    return place.row < 0 ? QRectF(cells.left(), plot.top(), cells.width(), plot.height()) : cells;
  }
};

/// Names of the rows or columns.
struct RasterAxis {
  QString title;                            ///< "Token", "Layer"; read aloud, not drawn
  std::function<QString(int)> label;        ///< of a row or column; empty: its index
  std::function<QString(int)> description;  ///< in full, for read-outs; empty: the label
  using WidthOf = std::function<double(const QString&)>;
  /// Labels that do not touch, at the middles of their cells (index + 0.5), of the visible part.
  /// Empty: every 1st, 2nd, 5th, 10th … label.
  std::function<std::vector<Tick>(const Range& visible, double pixelsPerCell, const WidthOf&)>
      ticks;

  [[nodiscard]] QString labelOf(int index) const;
  [[nodiscard]] QString descriptionOf(int index) const;
};

/// A caption below columns that belong together, with a thin mark between neighbours.
struct RasterSpan {
  int from = 0;
  int to = 0;  ///< one behind
  QString caption;
};

/// Box beside the cell under the mouse.
struct RasterReadout {
  QString title;
  std::vector<std::pair<QString, QString>> lines;  ///< name, value
};

/// Where a grid lies that is coarser than the rows and columns of a raster, or only a part of them:
/// matrices that are too large for memory are shown through such grids.
struct RasterPlacement {
  int rows = 0;  ///< of the raster
  int columns = 0;
  int firstRow = 0;  ///< of the grid
  int firstColumn = 0;
  int rowsPerCell = 1;
  int columnsPerCell = 1;

  /// A cell of the grid stands for one of the raster.
  [[nodiscard]] bool isExact() const { return rowsPerCell == 1 && columnsPerCell == 1; }
  friend bool operator==(const RasterPlacement&, const RasterPlacement&) = default;
};

/// What a raster shows. The functions are called while it is painted.
struct RasterContent {
  RasterGridPtr grid;  ///< null: nothing
  /// Empty: each cell of the grid is one of the raster. Else the grid covers at least what is seen,
  /// or is null while it is being read.
  std::optional<RasterPlacement> placement;
  QString title;  ///< above the picture: what the colours mean
  RasterAxis rows;
  RasterAxis columns;
  std::vector<RasterSpan> spans;
  Prefer prefer = Prefer::Magnitude;
  double tallestCell = 0;  ///< pixels; few rows do not fill a tall window. 0: they do
  std::function<QString(int row, int column)> cellText;  ///< short; empty: none
  /// Cells with a mark in their corner, row-major; empty: none has one.
  std::vector<std::uint8_t> marks;
  /// Row in front of which a line parts the picture; 0 or less: there is none.
  int rowBoundary = 0;
  std::function<RasterReadout(int row, int column)> readout;

  [[nodiscard]] int rowCount() const;
  [[nodiscard]] int columnCount() const;
  /// A part of the rows or columns of the raster, in cells of the grid.
  [[nodiscard]] Range gridRows(const Range& part) const;
  [[nodiscard]] Range gridColumns(const Range& part) const;
  /// Index in the grid of the cell that shows a cell of the raster; nothing where the grid has
  /// none, or only coarser ones.
  [[nodiscard]] std::optional<std::size_t> gridAt(int row, int column) const;
};

/// Where everything of a picture goes; pixels. Computed without a window.
struct RasterFrame {
  RasterMap map;
  std::vector<Tick> rowTicks;
  std::vector<Tick> columnTicks;
  bool hasGaps = false;   ///< cells are large enough for a line between them
  bool hasTexts = false;  ///< and for their text
};

/// Height beyond which a picture with a tallest cell has nothing more to show.
[[nodiscard]] double usefulRasterHeight(const RasterContent& content, const QFont& font);

[[nodiscard]] RasterFrame makeRasterFrame(const RasterContent& content,
                                          const Range& x,
                                          const Range& y,
                                          const QSizeF& size,
                                          const QFont& font);

/// The selected cell, as RasterWidget::setCurrent() has it.
struct RasterSelection {
  RasterCell cell;
  bool isAround = false;
};

/// What paintRaster() shows; lives no longer than the call.
struct ColoredRaster {
  const RasterContent& content;
  const ColorScale& scale;
  const QImage& cells;  ///< the frame's plot area, coloured by the scale
};

/// Title, cells, labels; `current` is outlined.
void paintRaster(QPainter& painter,
                 const RasterFrame& frame,
                 const ColoredRaster& raster,
                 const Theme& theme,
                 const RasterSelection& selected);
/// Crosshair and read-out at a cell.
void paintRasterHover(QPainter& painter,
                      const RasterFrame& frame,
                      const RasterContent& content,
                      const Theme& theme,
                      const RasterCell& cell);

/// Everything at once into `area`, for a file or the clipboard.
void paintWholeRaster(QPainter& painter,
                      const QRectF& area,
                      const RasterContent& content,
                      const ColorScale& scale,
                      const Theme& theme);

/// Every 1st, 2nd, 5th, 10th … of the cells in `visible`, as densely as labels of `size` pixels
/// along the axis fit; with labels of the axis.
[[nodiscard]] std::vector<Tick> thinnedTicks(const RasterAxis& axis,
                                             const Range& visible,
                                             int count,
                                             double pixelsPerCell,
                                             const std::function<double(const QString&)>& sizeOf);

}  // namespace ulp::views::charts
