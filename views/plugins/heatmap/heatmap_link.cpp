#include "views/plugins/heatmap/heatmap_link.h"

#include <algorithm>

#include <QtCore/QScopedValueRollback>

#include "views/charts/depth_chart/depth_link.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
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

}  // namespace

HeatmapLink::HeatmapLink(charts::RasterWidget& raster, const ViewContext& context)
    : QObject(&raster), m_raster(raster), m_selection(context.selection) {
  context.themes.follow(&raster, &charts::RasterWidget::setTheme);
  connect(&raster, &charts::RasterWidget::picked, this, &HeatmapLink::onPicked);
  connect(&raster, &charts::RasterWidget::hovered, this, &HeatmapLink::onHovered);
  connect(&m_selection, &SelectionContext::hoverChanged, this, &HeatmapLink::onHoverChanged);
}

void HeatmapLink::setHeatmap(const HeatmapPtr& heatmap, const DocumentPtr& document) {
  m_heatmap = heatmap;
  m_document = document;
}

charts::RasterCell HeatmapLink::moduleCell(int site) const {
  const auto found = std::find(m_heatmap->sites.begin(), m_heatmap->sites.end(), site);
  if (found == m_heatmap->sites.end()) {
    return {};
  }
  const int place = static_cast<int>(found - m_heatmap->sites.begin());
  return {place / m_heatmap->columns.size(), place % m_heatmap->columns.size()};
}

int HeatmapLink::rowOfPart(const QString& label) const {
  const auto found = std::find_if(m_heatmap->rows.begin(),
                                  m_heatmap->rows.end(),
                                  [&](const HeatmapRow& row) { return row.label == label; });
  return found == m_heatmap->rows.end() ? -1 : static_cast<int>(found - m_heatmap->rows.begin());
}

charts::RasterCell HeatmapLink::cellOf(const QString& run, const QString& site, Pass pass) const {
  if (!m_heatmap || m_heatmap->isEmpty()) {
    return {};
  }
  const int index = m_document->findSite(site.toStdString(), pass);
  if (index < 0) {
    return {};
  }
  const int variant = m_document->findVariant(run);
  switch (m_heatmap->mode) {
    case HeatmapMode::Variants: {
      const auto row = std::find_if(
          m_heatmap->rows.begin(), m_heatmap->rows.end(), [variant](const HeatmapRow& here) {
            return variant >= 0 && here.variant == variant;
          });
      const int place = static_cast<int>(row - m_heatmap->rows.begin());
      return {row == m_heatmap->rows.end() ? -1 : place, m_heatmap->columns.find(index)};
    }
    case HeatmapMode::Modules:
      return moduleCell(index);
    case HeatmapMode::Steps:
    case HeatmapMode::Ranks:
      return {unitRow(*m_heatmap, *m_document, variant), m_heatmap->columns.find(index)};
    case HeatmapMode::Tokens:
    case HeatmapMode::Heads:
    case HeatmapMode::Samples:
      break;
  }
  return {rowOfPart(m_part), m_heatmap->columns.find(index)};
}

void HeatmapLink::showSelection(const Selection& selection) {
  m_raster.setCurrent(cellOf(selection.run(), selection.site, selection.pass));
}

void HeatmapLink::onPicked(int row, int column) {
  if (!m_heatmap || m_heatmap->siteAt(row, column) < 0) {
    // Such a module does not exist in this layer: there is nothing to select, but keys walk over
    // it.
    m_raster.setCurrent({row, column});
    return;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(m_heatmap->siteAt(row, column))];
  m_part = m_heatmap->row(row).label;
  Selection next = m_selection.selection();
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
  m_selection.select(next);
  // Another token of the same tensor changes nothing for the other views.
  m_raster.setCurrent({row, column});
}

void HeatmapLink::onHovered(int row, int column) {
  const QScopedValueRollback guard(m_isHovering, true);
  if (row < 0 || !m_heatmap || m_heatmap->siteAt(row, column) < 0) {
    m_selection.setHover({});
    return;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(m_heatmap->siteAt(row, column))];
  const int variant = m_heatmap->variantAt(row, column);
  m_selection.setHover({.run = variant < 0 ? QString() : m_document->variantName(variant),
                        .site = QString::fromStdString(site.name),
                        .pass = site.pass});
}

void HeatmapLink::onHoverChanged(const Hover& hover) {
  if (!m_isHovering) {
    m_raster.setHovered(cellOf(hover.run, hover.site, hover.pass));
  }
}

Viewpoint viewpointOf(const charts::RasterWidget& raster, const Heatmap& heatmap) {
  const charts::Viewport& seen = raster.viewRange();
  Viewpoint viewpoint;
  viewpoint.names.push_back(spanOf(kColumnsId,
                                   charts::namesOf(heatmap.columns),
                                   positionsOf(seen.x()),
                                   seen.x() == seen.fullX()));
  viewpoint.names.push_back(
      spanOf(rowsId(heatmap), rowNames(heatmap), positionsOf(seen.y()), seen.y() == seen.fullY()));
  return viewpoint;
}

void showViewpoint(charts::RasterWidget& raster,
                   const Heatmap& heatmap,
                   const Viewpoint& viewpoint) {
  const charts::Viewport& seen = raster.viewRange();
  const Range x = cellsOf(
      charts::namesOf(heatmap.columns), viewpoint.findNames(kColumnsId), seen.x(), seen.fullX());
  const Range y =
      cellsOf(rowNames(heatmap), viewpoint.findNames(rowsId(heatmap)), seen.y(), seen.fullY());
  raster.setViewRange(x, y);
}

}  // namespace ulp::views
