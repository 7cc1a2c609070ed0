#include "views/plugins/tensor/pictures/tensor_panes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtWidgets/QGridLayout>

#include "core/numerics/tensor_view.h"
#include "views/charts/raster/range_control.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/widgets/layouts.h"
#include "views/plugins/tensor/pictures/tensor_text.h"
#include "views/plugins/tensor/pictures/tensor_viewpoint.h"

namespace ulp::views {
namespace {

using analysis::PlanePoint;
using analysis::Quantity;

/// Where positions of an axis lie in the tensor.
charts::RasterAxis axisOf(const analysis::TensorPlane& plane, int dimension, const QString& name) {
  charts::RasterAxis axis;
  axis.title = name;
  std::int64_t start = 0;
  std::int64_t step = 1;
  if (dimension >= 0) {
    start = plane.slice[static_cast<std::size_t>(dimension)].start;
    step = plane.slice[static_cast<std::size_t>(dimension)].step;
  }
  // The rows of a folded line are named after their first element.
  if (dimension < 0 && plane.rows > 1) {
    step = plane.columns;
  }
  axis.label = [start, step](int index) { return QString::number(start + index * step); };
  axis.description = [start, step, name](int index) {
    return QStringLiteral("%1 %2").arg(name, QString::number(start + index * step));
  };
  return axis;
}

charts::RasterPlacement placementOf(const TileImage& image, const analysis::TensorPlane& plane) {
  return {.rows = static_cast<int>(plane.rows),
          .columns = static_cast<int>(plane.columns),
          .firstRow = static_cast<int>(image.rect.row),
          .firstColumn = static_cast<int>(image.rect.column),
          .rowsPerCell = static_cast<int>(image.rowsPerCell),
          .columnsPerCell = static_cast<int>(image.columnsPerCell)};
}

/// Invalid for nothing.
charts::RasterCell cellOf(const std::optional<PlanePoint>& at) {
  return at ? charts::RasterCell{static_cast<int>(at->row), static_cast<int>(at->column)}
            : charts::RasterCell{};
}

double elementOf(const tensors::Tensor& tensor, std::int64_t flat) {
  return numerics::elementAt(tensor.view, static_cast<std::size_t>(flat));
}

report::DataTable cellTable(const QString& title, const TileImage& image, CellValue value) {
  report::DataTable table{
      title.toStdString(), report::columnsOf("row; column; value; not finite"), {}};
  const charts::RasterGrid& grid = *image.grid(value);
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      if (!grid.isMissing(row, column)) {
        table.rows.push_back(
            {static_cast<double>(image.rect.row + row * image.rowsPerCell),
             static_cast<double>(image.rect.column + column * image.columnsPerCell),
             grid.value(row, column),
             static_cast<double>(grid.nonFinite[grid.at(row, column)])});
      }
    }
  }
  return table;
}

}  // namespace

TensorPanes::TensorPanes(Background& background, QWidget* parent)
    : QWidget(parent),
      m_tiles(background),
      m_grid(new QGridLayout),
      m_range(new charts::RangeControl(this)) {
  for (int pane = 0; pane < kPanes; ++pane) {
    m_rasters[static_cast<std::size_t>(pane)] = new charts::RasterWidget(this);
    connectPane(pane);
  }
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setSpacing(4);
  columnOf(this, {{m_grid, 1}, m_range}, kTight);
  setFocusProxy(m_rasters[0]);
  connect(&m_tiles, &TileStore::imagesChanged, this, &TensorPanes::refresh);
  connect(m_range, &charts::RangeControl::rangeChanged, this, [this](const charts::Range& range) {
    m_colors.choose(m_quantity, range);
    refresh();
    Q_EMIT colorsChanged();
  });
  arrange();
}

void TensorPanes::connectPane(int pane) {
  charts::RasterWidget* own = m_rasters[static_cast<std::size_t>(pane)];
  own->setMinimumSize(120, 80);
  connect(own, &charts::RasterWidget::hovered, this, [this, pane](int row, int column) {
    for (int other = 0; other < kPanes; ++other) {
      if (other != pane) {
        raster(other).setHovered({row, column});
      }
    }
    const PlanePoint at{row, column};
    Q_EMIT hovered(row >= 0 && m_content.plane.contains(at) ? std::optional(at) : std::nullopt);
  });
  connect(own, &charts::RasterWidget::picked, this, [this](int row, int column) {
    if (m_content.plane.contains({row, column})) {
      Q_EMIT picked({row, column});
    }
  });
  connect(own, &charts::RasterWidget::viewRangeChanged, this, [this, pane] {
    showZoomOf(pane);
    Q_EMIT viewChanged();
  });
}

void TensorPanes::showZoomOf(int pane) {
  const charts::Viewport& seen = raster(pane).viewRange();
  const charts::Range x = seen.x();
  const charts::Range y = seen.y();
  for (int other = 0; other < kPanes; ++other) {
    if (other != pane) {
      raster(other).setViewRange(x, y);
    }
  }
  look();
  refresh();
}

bool TensorPanes::isEmpty() const {
  return m_content.pair == nullptr || raster(0).content().rowCount() == 0;
}

Viewpoint TensorPanes::viewpoint() const {
  Viewpoint viewpoint;
  if (!isEmpty()) {
    viewpoint.numbers = spansOf(m_content.plane, raster(0).viewRange());
    if (const charts::SharedColors* colors = m_colors.find(m_quantity)) {
      colors->addTo(viewpoint, m_colors.scaleOf(m_quantity).range);
    }
  }
  return viewpoint;
}

void TensorPanes::follow(const Viewpoint& viewpoint) {
  const charts::Viewport before = raster(0).viewRange();
  if (!isEmpty()) {
    const charts::Viewport view = viewOf(m_content.plane, viewpoint, before);
    raster(0).setViewRange(view.x(), view.y());
  }
  if (raster(0).viewRange() != before) {
    showZoomOf(0);
  }
  charts::SharedColors* colors = m_colors.find(m_quantity);
  const auto range = colors != nullptr ? colors->follow(viewpoint) : std::nullopt;
  if (range) {
    if (colors->isChosen) {
      m_range->setAlwaysFit(false);
    }
    setScaleRange(*range);
  }
}

void TensorPanes::shareExtents(const std::vector<AxisExtent>& extents) {
  m_colors.share(extents);
  m_range->setSharedFit(m_colors.sharedFit(m_quantity));
  const charts::SharedColors* colors = m_colors.find(m_quantity);
  if (colors != nullptr && !colors->isChosen) {
    setScaleRange(colors->automatic());
  }
}

void TensorPanes::setScaleRange(const charts::Range& range) {
  if (m_colors.setRange(m_quantity, range)) {
    refresh();
  }
}

void TensorPanes::setHovered(const std::optional<PlanePoint>& at) {
  for (charts::RasterWidget* raster : m_rasters) {
    raster->setHovered(cellOf(at));
  }
}

void TensorPanes::setTheme(const Theme& theme) {
  for (charts::RasterWidget* raster : m_rasters) {
    raster->setTheme(theme);
  }
  m_range->setTheme(theme);
}

void TensorPanes::setContent(const PaneContent& content) {
  m_content = content;
  m_colors.clear();
  m_current.reset();
  setHovered(std::nullopt);
  m_tiles.setPlane(content.pair, content.plane);
  m_tiles.want(shown());
  refresh();
  look();
}

void TensorPanes::setQuantity(Quantity quantity) {
  if (analysis::isError(quantity)) {
    m_error = quantity;
  }
  m_quantity = quantity;
  m_tiles.want(shown());
  arrange();
  refresh();
  Q_EMIT quantityChanged(quantity);
}

void TensorPanes::setQuad(bool quad) {
  m_isQuad = quad;
  m_tiles.want(shown());
  arrange();
  refresh();
}

void TensorPanes::setCellValue(CellValue value) {
  m_cellValue = value;
  refresh();
}

void TensorPanes::blink() {
  setQuantity(m_quantity == Quantity::Reference ? Quantity::Variant : Quantity::Reference);
}

void TensorPanes::showEverything() {
  m_rasters[0]->showEverything();
}

Quantity TensorPanes::quantityOf(int pane) const {
  if (!m_isQuad) {
    return m_quantity;
  }
  const std::array<Quantity, kPanes> quad{
      Quantity::Reference, Quantity::Variant, Quantity::Difference, m_error};
  return quad[static_cast<std::size_t>(pane)];
}

std::vector<Quantity> TensorPanes::shown() const {
  std::vector<Quantity> quantities{m_quantity};
  // Both sides of a blink are there before it is asked for.
  for (const Quantity quantity : {Quantity::Reference, Quantity::Variant}) {
    if (quantity != m_quantity && (m_isQuad || m_quantity <= Quantity::Variant)) {
      quantities.push_back(quantity);
    }
  }
  for (const Quantity quantity : {Quantity::Difference, m_error}) {
    if (m_isQuad && quantity != m_quantity) {
      quantities.push_back(quantity);
    }
  }
  return quantities;
}

void TensorPanes::arrange() {
  for (int pane = 0; pane < kPanes; ++pane) {
    charts::RasterWidget* raster = m_rasters[static_cast<std::size_t>(pane)];
    m_grid->removeWidget(raster);
    raster->setVisible(pane == 0 || m_isQuad);
    if (pane == 0 || m_isQuad) {
      m_grid->addWidget(raster, pane / 2, pane % 2);
    }
  }
}

void TensorPanes::refresh() {
  for (int pane = 0; pane < (m_isQuad ? kPanes : 1); ++pane) {
    refreshPane(pane);
  }
  updateRange();
  if (std::exchange(m_hasNewFit, false)) {
    Q_EMIT colorsChanged();
  }
}

void TensorPanes::refreshPane(int pane) {
  const Quantity quantity = quantityOf(pane);
  m_hasNewFit = m_colors.fit(quantity, m_tiles) || m_hasNewFit;
  charts::RasterWidget* raster = m_rasters[static_cast<std::size_t>(pane)];
  raster->setAccessibleName(quantityTitle(quantity, m_content.runs));
  const charts::RasterCell hovered = raster->hoveredCell();
  const charts::Range x = m_rasters[0]->viewRange().x();
  const charts::Range y = m_rasters[0]->viewRange().y();
  const bool wasEmpty = raster->content().rowCount() == 0;
  raster->setContent(contentOf(quantity));
  raster->setScale(m_colors.scaleOf(quantity));
  if (wasEmpty && pane > 0) {
    raster->setViewRange(x, y);
  }
  raster->setHovered(hovered);
  raster->setCurrent(cellOf(m_current));
}

charts::RasterContent TensorPanes::contentOf(Quantity quantity) const {
  charts::RasterContent content;
  if (m_content.pair == nullptr) {
    return content;
  }
  content.title = quantityTitle(quantity, m_content.runs);
  content.rows = axisOf(m_content.plane, m_content.plane.rowDimension, m_content.rowName);
  content.columns = axisOf(m_content.plane, m_content.plane.columnDimension, m_content.columnName);
  if (!m_content.columnName.isEmpty()) {
    content.spans = {{0, static_cast<int>(m_content.plane.columns), m_content.columnName}};
  }
  const TileImagePtr image = m_tiles.image(quantity);
  if (image == nullptr) {
    content.placement = placementOf({}, m_content.plane);
    content.title += tr(" – being read");
    return content;
  }
  content.grid = image->grid(m_cellValue);
  content.placement = placementOf(*image, m_content.plane);
  if (image->isPreview) {
    content.title += tr(" – preview, one element of each cell");
  } else if (!content.placement->isExact()) {
    const QString what = m_cellValue == CellValue::Mean ? tr("mean") : tr("largest magnitude");
    content.title += tr(" – %1 of %2 × %3 elements a cell")
                         .arg(what)
                         .arg(image->rowsPerCell)
                         .arg(image->columnsPerCell);
  }
  content.cellText = [grid = content.grid, place = content](int row, int column) {
    const auto at = place.gridAt(row, column);
    const bool isMissing = !at || grid->missing[*at] != 0;
    return isMissing ? QString() : valueText(grid->values[*at], 3);
  };
  content.readout = [this, quantity](int row, int column) {
    return readoutOf(quantity, {row, column});
  };
  return content;
}

charts::RasterReadout TensorPanes::readoutOf(Quantity quantity, const PlanePoint& at) const {
  if (m_content.pair == nullptr || !m_content.plane.contains(at)) {
    return {};
  }
  const analysis::TensorPair& pair = *m_content.pair;
  const std::int64_t flat = m_content.plane.flatAt(at);
  if (!analysis::isHere(pair, flat)) {
    charts::RasterReadout unknown;
    unknown.title = indexText(pair.fullIndex(flat));
    unknown.lines.emplace_back(tr("Value"), tr("on another machine; click to fetch it"));
    return unknown;
  }
  const double a = elementOf(pair.reference, flat);
  const double b = elementOf(pair.variant, flat);
  charts::RasterReadout readout;
  readout.title = indexText(pair.fullIndex(flat));
  if (isOneTensor(pair)) {
    readout.lines.emplace_back(tr("Value"), valueText(a));
    return readout;
  }
  readout.lines.emplace_back(quantitySymbol(Quantity::Reference), valueText(a));
  readout.lines.emplace_back(quantitySymbol(Quantity::Variant), valueText(b));
  if (quantity > Quantity::Variant) {
    readout.lines.emplace_back(
        quantitySymbol(quantity),
        quantity == Quantity::Ulp
            ? ulpText(ulpOf(pair, a, b))
            : valueText(analysis::QuantityReader(pair, quantity).valueOf(a, b)));
  }
  return readout;
}

void TensorPanes::updateRange() {
  const TileImagePtr whole = m_content.pair ? m_tiles.whole(m_quantity) : nullptr;
  m_range->setEnabled(whole != nullptr);
  const charts::ColorScale scale = m_colors.scaleOf(m_quantity);
  m_range->setScale(scale);
  m_range->setUnit(1, [](double value) { return valueText(value, 3); });
  m_range->setDistribution(m_tiles.distribution(m_quantity));
  m_range->setCounts(whole ? charts::countClasses(*whole->grid(m_cellValue), scale)
                           : charts::ClassCounts{});
}

void TensorPanes::look() {
  if (m_content.pair == nullptr) {
    return;
  }
  const QSizeF plot = m_rasters[0]->frame().map.plot.size() * devicePixelRatioF();
  m_tiles.look(visible(), plot.toSize());
}

analysis::PlaneRect TensorPanes::visible() const {
  const charts::Viewport& seen = m_rasters[0]->viewRange();
  const auto part = [](const charts::Range& range, std::int64_t count) {
    const auto low = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::floor(range.low)), 0, std::max<std::int64_t>(0, count - 1));
    const auto high = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::ceil(range.high)), low + 1, std::max(count, low + 1));
    return std::pair(low, high - low);
  };
  if (m_rasters[0]->content().rowCount() == 0) {
    return {0, 0, m_content.plane.rows, m_content.plane.columns};
  }
  const auto [row, rows] = part(seen.y(), m_content.plane.rows);
  const auto [column, columns] = part(seen.x(), m_content.plane.columns);
  return {row, column, rows, columns};
}

void TensorPanes::setCurrent(const std::optional<PlanePoint>& at) {
  m_current = at;
  for (charts::RasterWidget* raster : m_rasters) {
    raster->setCurrent(cellOf(at));
  }
  raster(0).ensureVisible(cellOf(at));
}

void TensorPanes::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // The panes get their new sizes with the layout, after this.
  QMetaObject::invokeMethod(
      this, [this] { look(); }, Qt::QueuedConnection);
}

Exhibit TensorPanes::exhibitOf(Quantity quantity, const TileImagePtr& image) const {
  const QString title = contentOf(quantity).title;
  return {.id = QStringLiteral("tensor-%1").arg(static_cast<int>(quantity)),
          .title = title,
          .paint =
              [this, quantity](QPainter& painter, const QRectF& area, const Theme& theme) {
                charts::RasterContent content = contentOf(quantity);
                const TileImagePtr whole = m_tiles.whole(quantity);
                if (whole != nullptr) {
                  content.grid = whole->grid(m_cellValue);
                  content.placement = placementOf(*whole, m_content.plane);
                }
                charts::paintWholeRaster(painter, area, content, m_colors.scaleOf(quantity), theme);
              },
          .table = [title, image, value = m_cellValue] { return cellTable(title, *image, value); }};
}

std::vector<Exhibit> TensorPanes::exhibits() const {
  std::vector<Exhibit> exhibits;
  for (int pane = 0; pane < (m_isQuad ? kPanes : 1); ++pane) {
    const Quantity quantity = quantityOf(pane);
    const TileImagePtr image = m_content.pair ? m_tiles.image(quantity) : nullptr;
    if (image != nullptr) {
      exhibits.push_back(exhibitOf(quantity, image));
    }
  }
  return exhibits;
}

}  // namespace ulp::views
