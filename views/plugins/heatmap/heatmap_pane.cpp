#include "views/plugins/heatmap/heatmap_pane.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QScopedValueRollback>
#include <QtGui/QFontMetricsF>

#include "views/charts/depth_chart/depth_link.h"
#include "views/charts/raster/range_control.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/metric_text.h"
#include "views/plugins/heatmap/heatmap_units.h"

namespace ulp::views {
namespace {

using charts::Range;

constexpr QLatin1StringView kColumnsId("tensors");

QString rowsId(const Heatmap& heatmap) {
  return QStringLiteral("rows/") + infoOf(heatmap.mode).id;
}

NamedAxis rowNames(const Heatmap& heatmap) {
  return {.count = heatmap.rowCount(),
          .at = [&heatmap](int index) { return AxisName{.name = heatmap.row(index).label}; }};
}

/// A cell reaches from its index to the next one, a position half to either side.
AxisPart positionsOf(const Range& cells) {
  return {.low = cells.low - 0.5, .high = cells.high - 0.5};
}

Range cellsOf(const NamedAxis& axis, const NamedSpan* span, const Range& seen, const Range& all) {
  if (span == nullptr) {
    return seen;
  }
  if (span->isWhole) {
    return all;
  }
  const std::optional<AxisPart> part = partOf(axis, *span);
  return part ? Range{part->low + 0.5, part->high + 0.5} : seen;
}

/// Lines of text that a cell is high at most: few rows do not fill a tall window.
constexpr double kTallestCell = 6;

struct HeatmapPaneWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::HeatmapView)
};

}  // namespace

HeatmapPane::HeatmapPane(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      m_window(context.selection),
      m_raster(new charts::RasterWidget(this)),
      m_range(new charts::RangeControl(this)) {
  columnOf(this, {{m_raster, 1}, m_range, BoxItem::stretch(0)}, kTight);
  setFocusProxy(m_raster);
  context.themes.follow(m_raster, &charts::RasterWidget::setTheme);
  context.themes.follow(m_range, &charts::RangeControl::setTheme);
  m_raster->setAccessibleName(HeatmapPaneWords::tr("Heatmap of errors"));
  connect(m_raster, &charts::RasterWidget::picked, this, &HeatmapPane::onPicked);
  connect(m_raster, &charts::RasterWidget::hovered, this, &HeatmapPane::onHovered);
  connect(&m_window, &SelectionContext::hoverChanged, this, &HeatmapPane::onHoverChanged);
  connect(m_raster, &charts::RasterWidget::viewRangeChanged, this, &HeatmapPane::viewpointChanged);
  connect(m_range, &charts::RangeControl::rangeChanged, this, [this] {
    m_colors.isChosen = true;
    showColors();
    Q_EMIT viewpointChanged();
  });
}

void HeatmapPane::setHeatmap(Heatmap heatmap,
                             const DocumentPtr& document,
                             const Selection& selection) {
  m_selection = selection;
  m_base = std::make_shared<const Heatmap>(std::move(heatmap));
  m_document = document;
  fitUnlessChosen();
  showSorted();
}

void HeatmapPane::clear() {
  m_base.reset();
  m_heatmap.reset();
  m_raster->setContent({});
}

void HeatmapPane::forgetRange() {
  m_colors.isChosen = false;
  m_rangeSubject.clear();
}

void HeatmapPane::setSelection(const Selection& selection) {
  m_selection = selection;
  const int column = m_raster->current().column;
  markSelected();
  if (m_order == RowOrder::Column && m_raster->current().column != column) {
    showSorted();
  }
}

void HeatmapPane::setRowOrder(RowOrder order) {
  m_order = order;
  showSorted();
}

void HeatmapPane::setColorMap(charts::ColorMap map) {
  m_map = map;
  showColors();
}

void HeatmapPane::fitUnlessChosen() {
  const MetricInfo metric = m_base->metric;
  const QString subject = QStringLiteral("%1/%2").arg(infoOf(m_base->mode).id, metric.id);
  if (subject != m_rangeSubject) {
    m_rangeSubject = subject;
    m_colors.isChosen = false;
  }
  m_range->setUnit(inUnit(1, metric),
                   [metric](double value) { return metricTextWithUnit(value, metric); });
  const charts::ColorScale fitted = fittedScale(*m_base, m_map);
  m_colors.id = QStringLiteral("colors/%1/%2").arg(metric.id).arg(static_cast<int>(metric.scale));
  m_colors.fitted = fitted.range;
  if (!m_colors.isChosen || fitted.kind != m_range->scale().kind) {
    m_range->setScale(fitted);
  }
}

void HeatmapPane::showSorted() {
  if (!m_base) {
    return;
  }
  const int column =
      m_base->columnOf(m_document->findSite(m_selection.site.toStdString(), m_selection.pass));
  m_heatmap = m_order == RowOrder::Execution
                  ? m_base
                  : std::make_shared<const Heatmap>(sorted(*m_base, m_order, column));
  const double tallest =
      m_heatmap->rowCount() > 16 ? 0 : kTallestCell * QFontMetricsF(m_raster->font()).height();
  charts::RasterContent content = heatmapContent(m_heatmap, m_document, tallest);
  m_raster->setMaximumHeight(
      tallest > 0 ? static_cast<int>(charts::usefulRasterHeight(content, m_raster->font()))
                  : QWIDGETSIZE_MAX);
  m_raster->setContent(std::move(content));
  m_range->setDistribution(charts::distributionOf(*m_heatmap->grid, m_range->scale().kind));
  showColors();
  markSelected();
  Q_EMIT contentReplaced();
}

charts::RasterCell HeatmapPane::moduleCell(int site) const {
  const auto found = std::find(m_heatmap->sites.begin(), m_heatmap->sites.end(), site);
  if (found == m_heatmap->sites.end()) {
    return {};
  }
  const int place = static_cast<int>(found - m_heatmap->sites.begin());
  return {place / m_heatmap->columns.size(), place % m_heatmap->columns.size()};
}

charts::RasterCell HeatmapPane::cellOf(const QString& run, const QString& site, Pass pass) const {
  if (!m_heatmap || m_heatmap->isEmpty()) {
    return {};
  }
  const int index = m_document->findSite(site.toStdString(), pass);
  if (index < 0) {
    return {};
  }
  const int variant = m_document->findVariant(run);
  switch (m_heatmap->mode) {
    case HeatmapMode::Variants:
      return {variant < 0 ? -1 : m_heatmap->findRow(&HeatmapRow::variant, variant),
              m_heatmap->columns.find(index)};
    case HeatmapMode::Modules:
      return moduleCell(index);
    case HeatmapMode::Steps:
    case HeatmapMode::Ranks:
      return {unitRow(*m_heatmap, *m_document, variant), m_heatmap->columns.find(index)};
    case HeatmapMode::Tokens:
    case HeatmapMode::Heads:
    case HeatmapMode::Samples:
    case HeatmapMode::Positions:
      break;
  }
  return {m_heatmap->findRow(&HeatmapRow::label, m_part), m_heatmap->columns.find(index)};
}

void HeatmapPane::markSelected() {
  const charts::RasterCell cell = cellOf(m_selection.run(), m_selection.site, m_selection.pass);
  if (cell.column >= 0) {
    m_raster->setCurrent(cell);
  } else {
    m_raster->setCurrent(layerCell(), true);
  }
}

charts::RasterCell HeatmapPane::layerCell() const {
  const int index =
      m_heatmap ? m_document->findSite(m_selection.site.toStdString(), m_selection.pass) : -1;
  if (index < 0 || m_heatmap->mode == HeatmapMode::Modules) {
    return {};
  }
  const int column =
      m_heatmap->columns.findLayer(m_document->sites()[static_cast<std::size_t>(index)]);
  if (column < 0) {
    return {};
  }
  const charts::DepthSlot& layer = m_heatmap->columns.at(column);
  return cellOf(m_selection.run(), layer.name, layer.pass);
}

bool HeatmapPane::bringIntoSight() {
  const charts::RasterCell cell = cellOf(m_selection.run(), m_selection.site, m_selection.pass);
  if (cell.column >= 0) {
    m_raster->bringIntoSight(cell);
  }
  return cell.column >= 0;
}

QRect HeatmapPane::markedArea() const {
  const charts::RasterCell cell = m_raster->current();
  return cell.column < 0 ? QRect() : m_raster->cellRect(cell).toAlignedRect();
}

int HeatmapPane::markedSite() const {
  const charts::RasterCell cell = m_raster->current();
  return cell.column < 0 ? -1 : m_heatmap->siteAt(std::max(0, cell.row), cell.column);
}

void HeatmapPane::onPicked(int row, int column) {
  if (!m_heatmap || m_heatmap->siteAt(row, column) < 0) {
    // Such a module does not exist in this layer: there is nothing to select, but keys walk over
    // it.
    m_raster->setCurrent({row, column});
    return;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(m_heatmap->siteAt(row, column))];
  m_part = m_heatmap->row(row).label;
  Selection next = m_window.selection();
  const QString name = QString::fromStdString(site.name);
  if (next.site != name || next.pass != site.pass) {
    next.slice.clear();
    next.element.clear();
  }
  next.site = name;
  next.pass = site.pass;
  const int variant = m_heatmap->variantAt(row, column);
  if (variant >= 0 && next.run() != m_document->variantName(variant)) {
    next.runs = QStringList{m_document->variantName(variant)};
  }
  m_window.select(next);
  // Another token of the same tensor changes nothing for the other views.
  m_raster->setCurrent({row, column});
}

void HeatmapPane::onHovered(int row, int column) {
  const QScopedValueRollback guard(m_isHovering, true);
  if (row < 0 || !m_heatmap || m_heatmap->siteAt(row, column) < 0) {
    m_window.setHover({});
    return;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(m_heatmap->siteAt(row, column))];
  const int variant = m_heatmap->variantAt(row, column);
  m_window.setHover({.run = variant < 0 ? QString() : m_document->variantName(variant),
                     .site = QString::fromStdString(site.name),
                     .pass = site.pass});
}

void HeatmapPane::onHoverChanged(const Hover& hover) {
  if (!m_isHovering) {
    m_raster->setHovered(cellOf(hover.run, hover.site, hover.pass));
  }
}

std::vector<Exhibit> HeatmapPane::exhibits() const {
  return m_heatmap ? std::vector{heatmapExhibit(m_heatmap, m_document, m_range->scale())}
                   : std::vector<Exhibit>();
}

Viewpoint HeatmapPane::viewpoint() const {
  if (!m_heatmap) {
    return {};
  }
  const charts::Viewport& seen = m_raster->viewRange();
  Viewpoint viewpoint;
  viewpoint.names.push_back(spanOf(kColumnsId,
                                   charts::namesOf(m_heatmap->columns),
                                   positionsOf(seen.x()),
                                   seen.x() == seen.fullX()));
  viewpoint.names.push_back(spanOf(
      rowsId(*m_heatmap), rowNames(*m_heatmap), positionsOf(seen.y()), seen.y() == seen.fullY()));
  m_colors.addTo(viewpoint, m_range->scale().range);
  return viewpoint;
}

void HeatmapPane::follow(const Viewpoint& viewpoint) {
  if (!m_heatmap) {
    return;
  }
  const charts::Viewport& seen = m_raster->viewRange();
  const NamedAxis columns = charts::namesOf(m_heatmap->columns);
  const NamedSpan* const rows = viewpoint.findNames(rowsId(*m_heatmap));
  m_raster->setViewRange(cellsOf(columns, viewpoint.findNames(kColumnsId), seen.x(), seen.fullX()),
                         cellsOf(rowNames(*m_heatmap), rows, seen.y(), seen.fullY()));
  if (const std::optional<Range> range = m_colors.follow(viewpoint)) {
    if (m_colors.isChosen) {
      m_range->setAlwaysFit(false);
    }
    setRange(*range);
  }
}

void HeatmapPane::shareExtents(const std::vector<AxisExtent>& extents) {
  m_colors.share(m_heatmap ? extents : std::vector<AxisExtent>());
  m_range->setSharedFit(m_colors.shared);
  if (m_heatmap && !m_colors.isChosen) {
    setRange(m_colors.automatic());
  }
}

void HeatmapPane::setRange(const Range& range) {
  charts::ColorScale scale = m_range->scale();
  if (range != scale.range) {
    scale.range = range;
    m_range->setScale(scale);
    showColors();
  }
}

void HeatmapPane::showColors() {
  charts::ColorScale scale = m_range->scale();
  scale.map = m_map;
  m_range->setScale(scale);
  m_raster->setScale(scale);
  if (m_heatmap) {
    m_range->setCounts(charts::countClasses(*m_heatmap->grid, scale));
  }
}

}  // namespace ulp::views
