#include "views/charts/depth_chart/depth_link.h"

#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"

namespace ulp::views::charts {

DepthLink::DepthLink(DepthChart& chart, const ViewContext& context)
    : QObject(&chart), m_chart(chart), m_selection(context.selection) {
  chart.setTheme(context.themes.theme());
  connect(&context.themes, &ThemeManager::themeChanged, &chart, &DepthChart::setTheme);
  connect(&chart, &DepthChart::picked, this, &DepthLink::onPicked);
  connect(&chart, &DepthChart::hovered, this, &DepthLink::onHovered);
  connect(&m_selection, &SelectionContext::hoverChanged, this, &DepthLink::onHoverChanged);
}

void DepthLink::showSelection(const Selection& selection) {
  const int site =
      m_document ? m_document->findSite(selection.site.toStdString(), selection.pass) : -1;
  m_chart.setCurrent(site < 0 ? -1 : m_chart.data().axis.find(site),
                     m_document ? m_document->findVariant(selection.run()) : -1);
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

}  // namespace ulp::views::charts
