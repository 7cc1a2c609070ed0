#include "views/plugins/heatmap/heatmap_pane.h"

#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QFontMetricsF>

#include "views/charts/raster/range_control.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/metric_text.h"
#include "views/plugins/heatmap/heatmap_link.h"

namespace ulp::views {
namespace {

/// Lines of text that a cell is high at most: few rows do not fill a tall window.
constexpr double kTallestCell = 6;

struct HeatmapPaneWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::HeatmapView)
};

}  // namespace

HeatmapPane::HeatmapPane(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      m_raster(new charts::RasterWidget(this)),
      m_range(new charts::RangeControl(this)),
      m_link(new HeatmapLink(*m_raster, context)) {
  columnOf(this, {{m_raster, 1}, m_range, BoxItem::stretch(0)}, kTight);
  setFocusProxy(m_raster);
  context.themes.follow(m_range, &charts::RangeControl::setTheme);
  m_raster->setAccessibleName(HeatmapPaneWords::tr("Heatmap of errors"));
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
  m_link->setHeatmap(nullptr, nullptr);
  m_raster->setContent({});
}

void HeatmapPane::forgetRange() {
  m_colors.isChosen = false;
  m_rangeSubject.clear();
}

void HeatmapPane::setSelection(const Selection& selection) {
  m_selection = selection;
  const int column = m_link->currentColumn();
  m_link->showSelection(selection);
  if (m_order == RowOrder::Column && m_link->currentColumn() != column) {
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
  m_link->setHeatmap(m_heatmap, m_document);
  const double tallest =
      m_heatmap->rowCount() > 16 ? 0 : kTallestCell * QFontMetricsF(m_raster->font()).height();
  charts::RasterContent content = heatmapContent(m_heatmap, m_document, tallest);
  m_raster->setMaximumHeight(
      tallest > 0 ? static_cast<int>(charts::usefulRasterHeight(content, m_raster->font()))
                  : QWIDGETSIZE_MAX);
  m_raster->setContent(std::move(content));
  m_range->setDistribution(charts::distributionOf(*m_heatmap->grid, m_range->scale().kind));
  showColors();
  m_link->showSelection(m_selection);
  Q_EMIT contentReplaced();
}

std::vector<Exhibit> HeatmapPane::exhibits() const {
  return m_heatmap ? std::vector{heatmapExhibit(m_heatmap, m_document, m_range->scale())}
                   : std::vector<Exhibit>();
}

Viewpoint HeatmapPane::viewpoint() const {
  if (!m_heatmap) {
    return {};
  }
  Viewpoint viewpoint = viewpointOf(*m_raster, *m_heatmap);
  m_colors.addTo(viewpoint, m_range->scale().range);
  return viewpoint;
}

void HeatmapPane::follow(const Viewpoint& viewpoint) {
  if (!m_heatmap) {
    return;
  }
  showViewpoint(*m_raster, *m_heatmap, viewpoint);
  if (const std::optional<charts::Range> range = m_colors.follow(viewpoint)) {
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

void HeatmapPane::setRange(const charts::Range& range) {
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
