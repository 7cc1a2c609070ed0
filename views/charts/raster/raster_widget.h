#pragma once

#include <optional>

#include <QtGui/QImage>

#include "views/charts/plot/chart_widget.h"
#include "views/charts/raster/raster_frame.h"
#include "views/framework/widgets/accessible_chart.h"

namespace ulp::views::charts {

/// A grid of values as coloured cells. The values that fall on each pixel are gathered once for a
/// zoom; other colours only colour them anew.
///
/// Mouse: hover reads values, click picks, drag zooms, Shift-drag pans, wheel zooms at the cursor
/// (with Ctrl along the rows alone), double click shows everything. Keys: arrows walk cells, Home
/// and End jump in the row, Page up and Page down in the column, + and - zoom, 0 shows everything,
/// Return goes deeper. To assistive technology it is a table.
class RasterWidget : public ZoomedChart, public AccessibleChart {
  Q_OBJECT

 public:
  explicit RasterWidget(QWidget* parent = nullptr);

  /// Keeps the zoom when rows and columns are as many as before.
  void setContent(RasterContent content);
  void setScale(const ColorScale& scale);
  /// The selected cell; outlined, as the whole column is without a row. One of them may be -1.
  /// `isAround`: what is selected is not drawn but lies in it; the outline is broken then.
  void setCurrent(const RasterCell& cell, bool isAround = false);
  /// The crosshair, also from another chart; row -1: the whole column.
  void setHovered(const RasterCell& cell);
  /// Moves a cell into sight without changing the zoom.
  void ensureVisible(const RasterCell& cell);
  /// The same, but zooms in where cells are too small to be told apart.
  void bringIntoSight(const RasterCell& cell);

  [[nodiscard]] const RasterContent& content() const { return m_content; }
  [[nodiscard]] const ColorScale& scale() const { return m_scale; }
  [[nodiscard]] const RasterFrame& frame() const { return m_frame; }
  [[nodiscard]] RasterCell current() const { return m_current; }
  [[nodiscard]] RasterCell hoveredCell() const { return m_hovered; }
  /// Invalid outside the cells.
  [[nodiscard]] RasterCell cellAt(const QPointF& point) const;
  /// A cell's place in the widget, clipped to what is seen of it; without a row, that of its
  /// column.
  [[nodiscard]] QRectF cellRect(const RasterCell& cell) const;

 protected:
  [[nodiscard]] QString chartSummary() const override;
  [[nodiscard]] int pointCount() const override;
  [[nodiscard]] int currentPoint() const override { return pointOf(m_current); }
  /// "bf16, decoder.11: 19.9 %".
  [[nodiscard]] QString pointName(int point) const override;
  [[nodiscard]] QString pointValue(int /*point*/) const override { return {}; }
  [[nodiscard]] QRect pointRect(int point) const override {
    return cellRect(cellOf(point)).toAlignedRect();
  }
  [[nodiscard]] int pointUnder(const QPoint& place) const override {
    return pointOf(cellAt(place));
  }
  [[nodiscard]] int columnCount() const override { return m_content.columnCount(); }
  [[nodiscard]] QString rowName(int row) const override {
    return m_content.rows.descriptionOf(row);
  }
  [[nodiscard]] QString columnName(int column) const override {
    return m_content.columns.descriptionOf(column);
  }

  void layOut() override;
  void paintStill(QImage& picture) override;
  void paintHover(QPainter& painter) override;
  void hoverAt(const QPointF& point) override;
  void clickAt(const QPointF& point) override;
  bool walk(const ChartStep& step) override;
  [[nodiscard]] QRectF plotArea() const override { return m_frame.map.plot; }
  [[nodiscard]] QPointF keyAnchor() const override;
  /// Zooming along the columns alone is of no use where rows cannot be told apart.
  [[nodiscard]] Along zoomAlong() const override;

 private:
  void refreshCells();
  /// Has the cells coloured anew.
  void recolor();
  [[nodiscard]] int pointOf(const RasterCell& cell) const;
  [[nodiscard]] RasterCell cellOf(int point) const;

  RasterContent m_content;
  ColorScale m_scale;
  RasterFrame m_frame;
  RasterCell m_current;
  bool m_isAround = false;
  RasterCell m_hovered;
  std::optional<RasterAggregate> m_aggregate;  ///< of the frame; empty: stale
  QImage m_cells;                              ///< null: stale
};

}  // namespace ulp::views::charts
