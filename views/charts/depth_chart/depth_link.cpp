#include "views/charts/depth_chart/depth_link.h"

#include <algorithm>
#include <cmath>

#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"

namespace ulp::views::charts {
namespace {

constexpr QLatin1StringView kTensorsId("tensors");

Range tensorsOf(const DepthChart& chart, const Viewpoint& viewpoint) {
  const NamedSpan* span = viewpoint.findNames(kTensorsId);
  if (span == nullptr || chart.data().axis.size() == 0) {
    return chart.viewRange().x();
  }
  if (span->isWhole) {
    return chart.viewRange().fullX();
  }
  const std::optional<AxisPart> part = partOf(namesOf(chart.data().axis), *span);
  return part ? Range{part->low, part->high} : chart.viewRange().x();
}

Range valuesOf(const DepthChart& chart, const Viewpoint& viewpoint, const QString& values) {
  const NumberSpan* span = viewpoint.findNumbers(values);
  if (span == nullptr) {
    return chart.viewRange().y();
  }
  return span->isWhole ? chart.viewRange().fullY() : Range{span->low, span->high};
}

int pinnedSlot(const DepthChart& chart, const Viewpoint& viewpoint) {
  const int count = chart.data().axis.size();
  if (!viewpoint.pin || count == 0) {
    return -1;
  }
  const std::optional<double> at = positionOf(namesOf(chart.data().axis), *viewpoint.pin);
  return at ? std::clamp(static_cast<int>(std::lround(*at)), 0, count - 1) : -1;
}

}  // namespace

DepthLink::DepthLink(DepthChart& chart, const ViewContext& context)
    : QObject(&chart), m_chart(chart), m_selection(context.selection) {
  context.themes.follow(&chart, &DepthChart::setTheme);
  connect(&chart, &DepthChart::picked, this, &DepthLink::onPicked);
  connect(&chart, &DepthChart::hovered, this, &DepthLink::onHovered);
  connect(&m_selection, &SelectionContext::hoverChanged, this, &DepthLink::onHoverChanged);
}

void DepthLink::showSelection(const Selection& selection) {
  const int variant = m_document ? m_document->findVariant(selection.run()) : -1;
  const int index =
      m_document ? m_document->findSite(selection.site.toStdString(), selection.pass) : -1;
  if (index < 0) {
    m_chart.setCurrent(-1, variant);
    return;
  }
  const DepthAxis& axis = m_chart.data().axis;
  if (const int slot = axis.find(index); slot >= 0) {
    m_chart.setCurrent(slot, variant);
    return;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(index)];
  const QString module = moduleBelowLayer(site);
  m_chart.setCurrent(axis.findLayer(site), variant, module.isEmpty() ? selection.site : module);
}

void DepthLink::onPicked(int slot, int curve) {
  const DepthSlot& picked = m_chart.data().axis.at(slot);
  Selection next = m_selection.selection();
  next.site = picked.name;
  next.pass = picked.pass;
  if (curve >= 0) {
    next.runs = QStringList{m_document->variantName(curve)};
  }
  m_selection.select(next);
}

void DepthLink::onHovered(int slot, int curve) {
  if (slot < 0) {
    m_selection.setHover({});
    return;
  }
  const DepthSlot& here = m_chart.data().axis.at(slot);
  m_selection.setHover({.run = curve < 0 ? QString() : m_document->variantName(curve),
                        .site = here.name,
                        .pass = here.pass});
}

void DepthLink::onHoverChanged(const Hover& hover) {
  const int site = m_document ? m_document->findSite(hover.site.toStdString(), hover.pass) : -1;
  m_chart.setHoveredSlot(site < 0 ? -1 : m_chart.data().axis.find(site));
}

NamedAxis namesOf(const DepthAxis& axis) {
  return {.count = axis.size(), .at = [&axis](int index) {
            const DepthSlot& slot = axis.at(index);
            return AxisName{.name = slot.name, .pass = slot.pass, .layer = slot.layer};
          }};
}

Viewpoint viewpointOf(const DepthChart& chart, const QString& values) {
  const DepthData& data = chart.data();
  if (data.axis.size() == 0) {
    return {};
  }
  const Viewport& seen = chart.viewRange();
  const NamedAxis names = namesOf(data.axis);
  Viewpoint viewpoint;
  viewpoint.names.push_back(spanOf(
      kTensorsId, names, {.low = seen.x().low, .high = seen.x().high}, seen.x() == seen.fullX()));
  viewpoint.numbers.push_back({.id = values,
                               .low = seen.y().low,
                               .high = seen.y().high,
                               .isWhole = seen.y() == seen.fullY()});
  viewpoint.extents.push_back(
      {.id = values, .low = chart.extent().low, .high = chart.extent().high});
  if (chart.options().pinnedSlot >= 0) {
    viewpoint.pin = placeAt(names, chart.options().pinnedSlot);
  }
  return viewpoint;
}

void showViewpoint(DepthChart& chart, const Viewpoint& viewpoint, const QString& values) {
  chart.setViewRange(tensorsOf(chart, viewpoint), valuesOf(chart, viewpoint, values));
  const int pinned = pinnedSlot(chart, viewpoint);
  if (pinned != chart.options().pinnedSlot) {
    chart.setPinnedSlot(pinned);
  }
}

void showExtent(DepthChart& chart, const std::vector<AxisExtent>& extents, const QString& values) {
  const auto found = std::ranges::find(extents, values, &AxisExtent::id);
  chart.setLeastExtent(found == extents.end() ? std::nullopt
                                              : std::optional(Range{found->low, found->high}));
}

}  // namespace ulp::views::charts
