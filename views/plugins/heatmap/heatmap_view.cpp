#include "views/plugins/heatmap/heatmap_view.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QToolButton>

#include "views/charts/raster/color_viewpoint.h"
#include "views/charts/raster/range_control.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/icons.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/tool_button.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/heatmap/heatmap_drawing.h"
#include "views/plugins/heatmap/heatmap_link.h"
#include "views/plugins/heatmap/heatmap_units.h"
#include "views/plugins/heatmap/heatmap_viewpoint.h"
#include "views/plugins/heatmap/part_errors.h"

namespace ulp::views {
namespace {

/// Enter leads where it leads from the depth chart.
/// Below this a heatmap takes a few milliseconds and is made at once.
constexpr std::size_t kSmallHeatmap = 60'000;
/// Lines of text that a cell is high at most: few rows do not fill a tall window.
constexpr double kTallestCell = 6;

QString modeKey() {
  return QStringLiteral("mode");
}
QString rowsKey() {
  return QStringLiteral("rows");
}
QString unitKey() {
  return QStringLiteral("units");
}
QString orderKey() {
  return QStringLiteral("order");
}
QString mapKey() {
  return QStringLiteral("colors");
}
QString colorsId(const MetricInfo& metric) {
  return QStringLiteral("colors/%1/%2").arg(metric.id).arg(static_cast<int>(metric.scale));
}
QString alwaysFitKey() {
  return QStringLiteral("alwaysFit");
}

}  // namespace

HeatmapView::HeatmapView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_kind(charts::layerRowsId()),
      m_raster(new charts::RasterWidget(this)),
      m_range(new charts::RangeControl(this)),
      m_link(new HeatmapLink(*m_raster, context)),
      m_loader(new PartErrorsLoader(context.background, this)),
      m_modes(new QComboBox(this)),
      m_kinds(new QComboBox(this)),
      m_units(new QComboBox(this)),
      m_orderButton(new QToolButton(this)),
      m_mapButton(new QToolButton(this)),
      m_orders(new QActionGroup(this)),
      m_maps(new QActionGroup(this)),
      m_progress(new QLabel(this)),
      m_stop(new QPushButton(tr("Stop"), this)),
      m_progressRow(new QWidget(this)),
      m_empty(new EmptyState(this)),
      m_page(new QWidget(this)),
      m_pages(new QStackedLayout(this)) {
  makeActions();
  makeMenus();
  makePage();
  connectParts();
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_page);
}

void HeatmapView::makeActions() {
  m_everything = new QAction(themedIcon(QStringLiteral("zoom-reset")), tr("Show everything"), this);
  m_everything->setShortcut(Qt::Key_0);
  m_everything->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(m_everything);
  connect(m_everything, &QAction::triggered, m_raster, &charts::RasterWidget::showEverything);
  m_modes->addItem(tr("Variants × layers"), toText(HeatmapMode::Variants));
  m_modes->addItem(tr("Modules × layers"), toText(HeatmapMode::Modules));
  m_modes->addItem(tr("Tokens × layers"), toText(HeatmapMode::Tokens));
  m_modes->addItem(tr("Heads × layers"), toText(HeatmapMode::Heads));
  m_modes->addItem(tr("Samples × layers"), toText(HeatmapMode::Samples));
  m_modes->setAccessibleName(tr("What the rows are"));
  m_modes->setToolTip(tr("What the rows are"));
  m_kinds->setAccessibleName(tr("Tensors"));
  m_kinds->setToolTip(tr("Which tensors the columns stand for"));
  m_units->setAccessibleName(tr("Units"));
  m_units->setToolTip(tr("Of which units of the dumps each row shows the worst"));
  for (QComboBox* box : {m_modes, m_kinds, m_units}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  }
  connect(m_modes, &QComboBox::currentIndexChanged, this, [this] {
    setMode(*parseHeatmapMode(m_modes->currentData().toString()));
  });
  connect(m_kinds, &QComboBox::currentIndexChanged, this, [this] {
    m_kind = m_kinds->currentData().toString();
    rebuild();
  });
  connect(m_units, &QComboBox::currentIndexChanged, this, [this] {
    m_unit = m_units->currentData().toString();
    rebuild();
  });
  m_units->hide();
}

void HeatmapView::makeMenus() {
  setUpToolButton(*m_orderButton,
                  {.icon = QStringLiteral("sort"), .name = tr("Order of the rows"), .toolTip = {}});
  setUpToolButton(*m_mapButton,
                  {.icon = QStringLiteral("palette"), .name = tr("Colours"), .toolTip = {}});
  for (QToolButton* button : {m_orderButton, m_mapButton}) {
    button->setPopupMode(QToolButton::InstantPopup);
  }
  const auto add =
      [this](QToolButton& button, QActionGroup& group, const QString& text, const QString& id) {
        if (button.menu() == nullptr) {
          button.setMenu(new QMenu(button.accessibleName(), &button));
        }
        QAction* const action = button.menu()->addAction(text);
        action->setCheckable(true);
        action->setData(id);
        group.addAction(action);
        return action;
      };
  add(*m_orderButton, *m_orders, tr("By execution"), toText(RowOrder::Execution))->setChecked(true);
  add(*m_orderButton, *m_orders, tr("By name"), toText(RowOrder::Name));
  add(*m_orderButton, *m_orders, tr("Worst mean first"), toText(RowOrder::Mean));
  add(*m_orderButton, *m_orders, tr("Worst cell first"), toText(RowOrder::Maximum));
  add(*m_orderButton,
      *m_orders,
      tr("Worst in the selected column first"),
      toText(RowOrder::Column));
  using charts::ColorMap;
  add(*m_mapButton, *m_maps, tr("Cividis"), toText(ColorMap::Cividis))->setChecked(true);
  add(*m_mapButton, *m_maps, tr("Viridis"), toText(ColorMap::Viridis));
  add(*m_mapButton, *m_maps, tr("Grey"), toText(ColorMap::Grey));
  connect(m_orders, &QActionGroup::triggered, this, [this](const QAction* action) {
    setRowOrder(*parseRowOrder(action->data().toString()));
  });
  connect(m_maps, &QActionGroup::triggered, this, [this](const QAction* action) {
    m_map = *charts::parseColorMap(action->data().toString());
    showColors();
  });
}

void HeatmapView::makePage() {
  // Covers the controls while they have not moved into a title bar.
  m_empty->setAutoFillBackground(true);
  m_page->setAutoFillBackground(true);
  auto* row = new QHBoxLayout(m_progressRow);
  row->setContentsMargins(8, 4, 8, 0);
  row->setSpacing(8);
  m_progress->setForegroundRole(QPalette::PlaceholderText);
  row->addWidget(m_progress);
  row->addWidget(m_stop);
  row->addStretch(1);
  m_progressRow->hide();
  auto* layout = new QVBoxLayout(m_page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_progressRow);
  layout->addWidget(m_raster, 1);
  layout->addWidget(m_range);
  layout->addStretch(0);
  setFocusProxy(m_raster);
  m_range->setTheme(context().themes.theme());
  m_raster->setAccessibleName(tr("Heatmap of errors"));
}

void HeatmapView::connectParts() {
  connect(m_raster, &charts::RasterWidget::activated, this, [this] {
    context().workspace.requests.goDeeper(kDrillLevel);
  });
  connect(m_raster, &charts::RasterWidget::viewRangeChanged, this, &View::viewpointChanged);
  connect(m_range, &charts::RangeControl::rangeChanged, this, [this] {
    m_rangeIsChosen = true;
    showColors();
    Q_EMIT viewpointChanged();
  });
  connect(&context().themes, &ThemeManager::themeChanged, m_range, &charts::RangeControl::setTheme);
  connect(m_loader, &PartErrorsLoader::progressed, this, &HeatmapView::onPartsProgressed);
  connect(m_stop, &QPushButton::clicked, m_loader, &PartErrorsLoader::stop);
}

void HeatmapView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_stale = true;
  m_loader->abandon();
  fillModes();
  fillKinds();
  fillUnits();
  if (!document) {
    m_base.reset();
    m_heatmap.reset();
    m_rangeIsChosen = false;
    m_rangeOf.clear();
    m_link->setHeatmap(nullptr, nullptr);
    m_raster->setContent({});
    m_empty->setNoReport(tr("Here the error of every tensor is a colour: variants, modules, tokens "
                            "or heads against the layers of the model."),
                         context().workspace.requests);
    m_pages->setCurrentWidget(m_empty);
  }
}

void HeatmapView::fillKinds() {
  const QSignalBlocker silent(m_kinds);
  m_kinds->clear();
  m_kinds->setVisible(m_mode != HeatmapMode::Modules);
  if (!m_document) {
    return;
  }
  if (m_mode == HeatmapMode::Heads) {
    for (const HeadTensor& tensor : headTensors(*m_document, m_selection.shown)) {
      m_kinds->addItem(tensor.title, tensor.id);
    }
  } else {
    for (const charts::RowKind& kind : charts::rowKinds(*m_document)) {
      m_kinds->addItem(kind.title, kind.id);
    }
  }
  m_kinds->setCurrentIndex(m_kinds->count() == 0 ? -1 : std::max(0, m_kinds->findData(m_kind)));
}

int HeatmapView::currentVariant() const {
  return std::max(0, m_document->findVariant(m_selection.run()));
}

void HeatmapView::setSelection(const Selection& selection) {
  const bool otherPasses = selection.shown != m_selection.shown;
  const bool isOfOneRun = m_mode != HeatmapMode::Variants && !isOfUnits(m_mode);
  const bool otherRun = isOfOneRun && selection.run() != m_selection.run();
  m_stale = m_stale || otherPasses || otherRun || selection.metric != m_selection.metric;
  m_selection = selection;
  if (!m_document) {
    return;
  }
  if (otherPasses && m_mode == HeatmapMode::Heads) {
    fillKinds();
  }
  if (m_stale) {
    rebuild();
    return;
  }
  const int column = m_link->currentColumn();
  m_link->showSelection(selection);
  if (m_order == RowOrder::Column && m_link->currentColumn() != column) {
    showSorted();
  }
}

void HeatmapView::setMode(HeatmapMode mode) {
  if (mode != m_mode) {
    applyMode(mode);
    rebuild();
  }
}

void HeatmapView::applyMode(HeatmapMode mode) {
  m_mode = mode;
  m_loader->abandon();
  fillModes();
  fillKinds();
  fillUnits();
}

void HeatmapView::setRowOrder(RowOrder order) {
  m_order = order;
  for (QAction* action : m_orders->actions()) {
    action->setChecked(action->data().toString() == toText(order));
  }
  showSorted();
}

void HeatmapView::rebuild() {
  m_stale = false;
  if (!m_document) {
    return;
  }
  context().background.cancel(workTag("heatmap"));
  m_loader->abandon();
  m_progressRow->setVisible(hasParts());
  if (m_document->variantCount() == 0) {
    showEmpty(tr("Nothing to compare yet"),
              tr("Colours appear here as soon as the first variant has finished."));
    return;
  }
  if (hasParts()) {
    rebuildFromTensors();
  } else if (m_mode == HeatmapMode::Samples) {
    rebuildFromSamples();
  } else if (isOfUnits(m_mode) && !hasUnits(*m_document, m_mode)) {
    showNoUnits();
  } else {
    rebuildFromReport();
  }
}

void HeatmapView::rebuildFromReport() {
  const auto make = [document = m_document,
                     mode = m_mode,
                     kind = m_kinds->currentData().toString(),
                     units = m_units->currentData().toString(),
                     variant = currentVariant(),
                     shown = m_selection.shown,
                     metric = m_document->findMetric(m_selection.metric)] {
    if (isOfUnits(mode)) {
      return unitsByLayer(*document, mode, units, kind, shown, metric);
    }
    return mode == HeatmapMode::Variants ? variantsByLayer(*document, kind, shown, metric)
                                         : modulesByLayer(*document, variant, shown, metric);
  };
  const std::size_t cells =
      m_document->sites().size() * static_cast<std::size_t>(m_document->variantCount());
  if (cells <= kSmallHeatmap) {
    take(make());
    return;
  }
  context().background.run<Heatmap>(
      workTag("heatmap"),
      this,
      [make](const std::stop_token& /*stop*/) { return make(); },
      [this](Heatmap heatmap) { take(std::move(heatmap)); });
}

void HeatmapView::showEmpty(const QString& title, const QString& text) {
  m_base.reset();
  m_heatmap.reset();
  m_link->setHeatmap(nullptr, nullptr);
  m_raster->setContent({});
  m_empty->setText(title, text);
  m_empty->hideButton();
  m_pages->setCurrentWidget(m_empty);
}

void HeatmapView::offerAllPasses() {
  m_empty->setButton(tr("Show forward and backward"),
                     [this] { context().selection.selectPasses(PassFilter::ForwardBackward); });
}

void HeatmapView::take(Heatmap heatmap) {
  m_base = std::make_shared<const Heatmap>(std::move(heatmap));
  if (m_base->isEmpty()) {
    showEmpty(tr("No tensor of this kind"),
              tr("The report has none in the passes shown. Show the forward and the backward pass, "
                 "or choose other tensors."));
    offerAllPasses();
    return;
  }
  fitUnlessChosen();
  showSorted();
  m_pages->setCurrentWidget(m_page);
}

void HeatmapView::fitUnlessChosen() {
  const QString subject = QStringLiteral("%1/%2").arg(toText(m_mode), m_base->metric.id);
  if (subject != m_rangeOf) {
    m_rangeOf = subject;
    m_rangeIsChosen = false;
  }
  const MetricInfo metric = m_base->metric;
  m_range->setUnit(unitFactor(metric),
                   [metric](double value) { return metricTextWithUnit(value, metric); });
  m_fitted = fittedScale(*m_base, m_map);
  if (!m_rangeIsChosen || m_fitted.kind != m_range->scale().kind) {
    m_range->setScale(m_fitted);
  }
}

void HeatmapView::showSorted() {
  if (!m_base || m_base->isEmpty()) {
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

Viewpoint HeatmapView::viewpoint() const {
  if (!m_heatmap) {
    return {};
  }
  Viewpoint viewpoint = viewpointOf(*m_raster, *m_heatmap);
  charts::addColors(viewpoint,
                    {.id = colorsId(m_heatmap->metric),
                     .fitted = m_fitted.range,
                     .shown = m_range->scale().range,
                     .isChosen = m_rangeIsChosen});
  return viewpoint;
}

void HeatmapView::follow(const Viewpoint& viewpoint) {
  if (!m_heatmap) {
    return;
  }
  showViewpoint(*m_raster, *m_heatmap, viewpoint);
  const QString id = colorsId(m_heatmap->metric);
  if (charts::hasColors(viewpoint, id)) {
    const std::optional<charts::Range> chosen = charts::chosenColors(viewpoint, id);
    m_rangeIsChosen = chosen.has_value();
    if (chosen) {
      m_range->setAlwaysFit(false);
    }
    setRange(chosen.value_or(m_sharedFit.value_or(m_fitted.range)));
  }
}

void HeatmapView::shareExtents(const std::vector<AxisExtent>& extents) {
  m_sharedFit = m_heatmap ? charts::sharedFit(extents, colorsId(m_heatmap->metric)) : std::nullopt;
  m_range->setSharedFit(m_sharedFit);
  if (m_heatmap && !m_rangeIsChosen) {
    setRange(m_sharedFit.value_or(m_fitted.range));
  }
}

void HeatmapView::setRange(const charts::Range& range) {
  charts::ColorScale scale = m_range->scale();
  if (range != scale.range) {
    scale.range = range;
    m_range->setScale(scale);
    showColors();
  }
}

void HeatmapView::showColors() {
  charts::ColorScale scale = m_range->scale();
  scale.map = m_map;
  m_range->setScale(scale);
  m_raster->setScale(scale);
  if (m_heatmap) {
    m_range->setCounts(charts::countClasses(*m_heatmap->grid, scale));
  }
}

bool HeatmapView::isSettled() const {
  return !m_loader->isBusy();
}

QList<QAction*> HeatmapView::viewActions() const {
  return {m_everything};
}

QList<QWidget*> HeatmapView::titleControls() const {
  return {m_modes, m_kinds, m_units, m_orderButton, m_mapButton};
}

std::vector<Exhibit> HeatmapView::exhibits() const {
  if (!m_heatmap || m_heatmap->isEmpty()) {
    return {};
  }
  return {heatmapExhibit(m_heatmap, m_document, m_range->scale())};
}

QJsonObject HeatmapView::saveState() const {
  return {{modeKey(), toText(m_mode)},
          {rowsKey(), m_kind},
          {unitKey(), m_unit},
          {orderKey(), toText(m_order)},
          {mapKey(), toText(m_map)},
          {alwaysFitKey(), m_range->alwaysFits()}};
}

void HeatmapView::restoreState(const QJsonObject& state) {
  m_kind = state[rowsKey()].toString(m_kind);
  m_unit = state[unitKey()].toString(m_unit);
  m_range->setAlwaysFit(state[alwaysFitKey()].toBool(m_range->alwaysFits()));
  if (const auto map = charts::parseColorMap(state[mapKey()].toString());
      map && map != charts::ColorMap::Diverging) {
    m_map = *map;
    for (QAction* action : m_maps->actions()) {
      action->setChecked(action->data().toString() == toText(m_map));
    }
    showColors();
  }
  setRowOrder(parseRowOrder(state[orderKey()].toString()).value_or(m_order));
  applyMode(parseHeatmapMode(state[modeKey()].toString()).value_or(m_mode));
  rebuild();
}

void registerHeatmap(ViewRegistry& registry) {
  registry.add(
      {.id = QStringLiteral("heatmap"),
       .title = HeatmapView::tr("Heatmap"),
       .toolTip = HeatmapView::tr("Errors as colours, against the layers of the model"),
       .icon = QStringLiteral("heatmap"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_7),
       .area = ViewArea::Centre,
       .order = 25,
       .hasViewport = true,
       .make = [](const ViewContext& context) { return std::make_unique<HeatmapView>(context); },
       .subjects = heatmapSubjects(),
       .draw = drawHeatmap});
}

}  // namespace ulp::views
