#pragma once

#include <optional>

#include <QtGui/QPixmap>
#include <QtWidgets/QWidget>

#include "views/charts/plot/viewport_gestures.h"
#include "views/charts/raster/raster_frame.h"

namespace ulp::views::charts {

/// A grid of values as coloured cells. The values that fall on each pixel are gathered once for a
/// zoom; other colours only colour them anew.
///
/// Mouse: hover reads values, click picks, drag zooms, Shift-drag pans, wheel zooms at the cursor
/// (with Ctrl along the rows alone), double click shows everything. Keys: arrows walk cells, Home
/// and End jump in the row, Page up and Page down in the column, + and - zoom, 0 shows everything,
/// Return goes deeper. To assistive technology it is a table.
class RasterWidget : public QWidget {
  Q_OBJECT

 public:
  explicit RasterWidget(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  /// Keeps the zoom when rows and columns are as many as before.
  void setContent(RasterContent content);
  void setScale(const ColorScale& scale);
  /// The selected cell; outlined. One of row and column may be -1.
  void setCurrent(const RasterCell& cell);
  /// The crosshair, also from another chart; row -1: the whole column.
  void setHovered(const RasterCell& cell);
  void showEverything();
  /// In cells, for zoom that several rasters share. Does not emit viewRangeChanged().
  void setViewRange(const Range& x, const Range& y);
  /// Moves a cell into sight without changing the zoom.
  void ensureVisible(const RasterCell& cell);

  [[nodiscard]] const RasterContent& content() const { return m_content; }
  [[nodiscard]] const ColorScale& scale() const { return m_scale; }
  [[nodiscard]] const RasterFrame& frame() const { return m_frame; }
  [[nodiscard]] const Viewport& viewRange() const { return m_viewport; }
  [[nodiscard]] RasterCell current() const { return m_current; }
  [[nodiscard]] RasterCell hoveredCell() const { return m_hovered; }
  /// Invalid outside the cells.
  [[nodiscard]] RasterCell cellAt(const QPointF& point) const;
  /// A cell's place in the widget, clipped to what is seen of it.
  [[nodiscard]] QRectF cellRect(const RasterCell& cell) const;
  /// What is drawn and how much of it.
  [[nodiscard]] QString inWords() const;
  /// "bf16, decoder.11: 19.9 %": a cell in words.
  [[nodiscard]] QString cellInWords(const RasterCell& cell) const;

 Q_SIGNALS:
  /// -1, -1: the mouse left.
  void hovered(int row, int column);
  void picked(int row, int column);
  void activated();
  void viewRangeChanged(const ulp::views::charts::Range& x, const ulp::views::charts::Range& y);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void refit();
  void rebuild();
  void zoomed();
  void refreshCells();
  void step(int rows, int columns);
  /// Zooming along the columns alone is of no use where rows cannot be told apart.
  [[nodiscard]] ViewportGestures::Along zoomAlong() const;

  Theme m_theme;
  RasterContent m_content;
  ColorScale m_scale;
  Viewport m_viewport;
  ViewportGestures m_gestures{m_viewport, Upwards::Shrinks};
  RasterFrame m_frame;
  RasterCell m_current;
  RasterCell m_hovered;
  std::optional<RasterAggregate> m_aggregate;  ///< of the frame; empty: stale
  QImage m_cells;                              ///< null: stale
  QPixmap m_still;
  bool m_stillIsStale = true;
  bool m_showsFocus = false;  ///< reached by keyboard, so the ring is needed
};

}  // namespace ulp::views::charts
