#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QtWidgets/QWidget>

#include "core/analysis/tensors/tensor_slice.h"
#include "views/charts/raster/raster_frame.h"
#include "views/framework/exports/exhibit.h"
#include "views/plugins/tensor/pictures/pane_colors.h"
#include "views/plugins/tensor/pictures/tensor_text.h"
#include "views/plugins/tensor/pictures/tile_store.h"

class QGridLayout;

namespace ulp::views {

namespace charts {
class RangeControl;
class RasterWidget;
}  // namespace charts

/// What the panes show.
struct PaneContent {
  analysis::TensorPairPtr pair;
  analysis::TensorPlane plane;
  PairRuns runs;
  QString rowName;  ///< "token"
  QString columnName;
};

/// Pictures of one plane of a pair of tensors: one quantity, or four beside each other that zoom
/// and pan together. A and B share one range of colours, so that they can be compared by blinking.
class TensorPanes : public QWidget {
  Q_OBJECT

 public:
  explicit TensorPanes(Background& background, QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  /// Shows another tensor or slice; the pictures of the one before are dropped. The zoom stays
  /// where rows and columns are as many as before.
  void setContent(const PaneContent& content);

  void setQuantity(analysis::Quantity quantity);
  [[nodiscard]] analysis::Quantity quantity() const { return m_quantity; }
  void setQuad(bool quad);
  void setCellValue(CellValue value);
  /// Shows B where A is shown, and A where anything else is, at the same place and scale.
  void blink();
  void showEverything();

  /// Marks the selected element and moves it into sight; nothing: marks none.
  void setCurrent(const std::optional<analysis::PlanePoint>& at);
  /// The crosshair, also from another view.
  void setHovered(const std::optional<analysis::PlanePoint>& at);
  /// What is seen of the plane, and the colours of the range control's quantity; empty while
  /// nothing is shown.
  [[nodiscard]] Viewpoint viewpoint() const;
  /// Shows what a view side by side shows. Emits neither viewChanged() nor colorsChanged().
  void follow(const Viewpoint& viewpoint);
  void shareExtents(const std::vector<AxisExtent>& extents);
  /// Rows and columns that are seen.
  [[nodiscard]] analysis::PlaneRect visible() const;

  [[nodiscard]] charts::RasterWidget& raster(int pane) const {
    return *m_rasters[static_cast<std::size_t>(pane)];
  }
  [[nodiscard]] charts::RangeControl& range() const { return *m_range; }
  [[nodiscard]] TileStore& tiles() { return m_tiles; }
  /// One of the panes, as a whole plane at the level that is drawn now.
  [[nodiscard]] std::vector<Exhibit> exhibits() const;

 Q_SIGNALS:
  void quantityChanged(ulp::analysis::Quantity quantity);
  /// Nothing: the mouse left.
  void hovered(const std::optional<ulp::analysis::PlanePoint>& at);
  void picked(const ulp::analysis::PlanePoint& at);
  void viewChanged();
  /// Another range, or other values to fit one to.
  void colorsChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  static constexpr int kPanes = 4;

  void connectPane(int pane);
  void arrange();
  void refresh();
  void refreshPane(int pane);
  void look();
  [[nodiscard]] analysis::Quantity quantityOf(int pane) const;
  [[nodiscard]] Exhibit exhibitOf(analysis::Quantity quantity, const TileImagePtr& image) const;
  [[nodiscard]] charts::RasterContent contentOf(analysis::Quantity quantity) const;
  [[nodiscard]] charts::RasterReadout readoutOf(analysis::Quantity quantity,
                                                const analysis::PlanePoint& at) const;
  /// The quantities that are seen; the one of the range control first.
  [[nodiscard]] std::vector<analysis::Quantity> shown() const;
  /// Tells whether nothing is shown.
  [[nodiscard]] bool isEmpty() const;
  /// Of the range control's quantity.
  void setScaleRange(const charts::Range& range);
  void updateRange();
  void showZoomOf(int pane);

  PaneContent m_content;
  analysis::Quantity m_quantity = analysis::Quantity::AbsoluteDifference;
  analysis::Quantity m_error = analysis::Quantity::AbsoluteDifference;  ///< of the fourth pane
  CellValue m_cellValue = CellValue::Extreme;
  bool m_isQuad = false;
  PaneColors m_colors;
  bool m_hasNewFit = false;
  std::optional<analysis::PlanePoint> m_current;
  TileStore m_tiles;
  std::array<charts::RasterWidget*, kPanes> m_rasters{};
  QGridLayout* m_grid;
  charts::RangeControl* m_range;
};

}  // namespace ulp::views
