#include "views/plugins/heatmap/heatmap_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QMenu>
#include <QtWidgets/QToolButton>

#include "core/report/model/one_dump.h"
#include "views/charts/raster/range_control.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/icons.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/heatmap/heatmap_parts.h"
#include "views/plugins/heatmap/heatmap_positions.h"
#include "views/plugins/heatmap/heatmap_units.h"

namespace ulp::views {
namespace {

/// Below this a heatmap takes a few milliseconds and is made at once.
constexpr std::size_t kSmallHeatmap = 60'000;
/// The same of one dump, where spikes are sought in every series of steps.
constexpr std::size_t kSmallOfSteps = 6000;

constexpr QLatin1StringView kModeKey("mode");
constexpr QLatin1StringView kRowsKey("rows");
constexpr QLatin1StringView kUnitKey("units");
constexpr QLatin1StringView kOrderKey("order");
constexpr QLatin1StringView kMapKey("colors");
constexpr QLatin1StringView kAlwaysFitKey("alwaysFit");

/// Tells whether a report has what a mode shows; steps, ranks and positions few reports have.
bool isOffered(HeatmapMode mode, const DocumentPtr& document) {
  if (mode == HeatmapMode::Positions) {
    return document && hasPositions(*document);
  }
  return !isOfUnits(mode) || (document && hasUnits(*document, mode));
}

/// Tells whether the user chooses what the columns stand for.
bool hasKinds(HeatmapMode mode) {
  return mode != HeatmapMode::Modules && mode != HeatmapMode::Positions;
}

/// Fills a list without telling anybody, and shows the entry of an id, else the first.
template <class Fill>
void refill(QComboBox& box, const QString& id, const Fill& fill) {
  const QSignalBlocker silent(box);
  box.clear();
  fill();
  box.setCurrentIndex(box.count() == 0 ? -1 : std::max(0, box.findData(id)));
}

/// Puts a check mark at the action of an id, and at no other.
void checkAction(const QActionGroup& group, const QString& id) {
  for (QAction* action : group.actions()) {
    action->setChecked(action->data().toString() == id);
  }
}

}  // namespace

HeatmapView::HeatmapView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_kind(charts::layerRowsId()),
      m_pane(new HeatmapPane(context, this)),
      m_parts(new HeatmapParts(context, this)),
      m_modes(new QComboBox(this)),
      m_kinds(new QComboBox(this)),
      m_units(new QComboBox(this)),
      m_orderButton(new QToolButton(this)),
      m_mapButton(new QToolButton(this)),
      m_orders(new QActionGroup(this)),
      m_maps(new QActionGroup(this)),
      m_spikeFactor(spikeThreshold()) {
  const QAction* everything =
      makeTitleAction({.icon = "zoom-reset", .text = tr("Show everything"), .key = Qt::Key_0});
  connect(
      everything, &QAction::triggered, &m_pane->raster(), &charts::RasterWidget::showEverything);
  makeLists();
  makeMenus();
  makePage();
  connect(&context.findings, &FindingNavigator::findingsChanged, this, [this] {
    const double factor = spikeThreshold();
    if (m_document && factor != m_spikeFactor) {
      m_spikeFactor = factor;
      rebuild();
    }
  });
}

double HeatmapView::spikeThreshold() const {
  return context().findings.threshold("spike.factor");
}

void HeatmapView::makeLists() {
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
  fillModes();
}

void HeatmapView::makeMenus() {
  setUpToolButton(*m_orderButton,
                  {.icon = QStringLiteral("sort"), .name = tr("Order of the rows")});
  setUpToolButton(*m_mapButton, {.icon = QStringLiteral("palette"), .name = tr("Colours")});
  for (QToolButton* button : {m_orderButton, m_mapButton}) {
    button->setPopupMode(QToolButton::InstantPopup);
  }
  const auto fill = [](QToolButton& button,
                       QActionGroup& group,
                       const std::vector<std::pair<QString, QString>>& choices) {
    button.setMenu(new QMenu(button.accessibleName(), &button));
    for (const auto& [text, id] : choices) {
      QAction* const action = button.menu()->addAction(text);
      action->setCheckable(true);
      action->setData(id);
      group.addAction(action);
    }
    group.actions().front()->setChecked(true);
  };
  fill(*m_orderButton,
       *m_orders,
       {{tr("By execution"), toText(RowOrder::Execution)},
        {tr("By name"), toText(RowOrder::Name)},
        {tr("Worst mean first"), toText(RowOrder::Mean)},
        {tr("Worst cell first"), toText(RowOrder::Maximum)},
        {tr("Worst in the selected column first"), toText(RowOrder::Column)}});
  using charts::ColorMap;
  fill(*m_mapButton,
       *m_maps,
       {{tr("Cividis"), toText(ColorMap::Cividis)},
        {tr("Viridis"), toText(ColorMap::Viridis)},
        {tr("Grey"), toText(ColorMap::Grey)}});
  connect(m_orders, &QActionGroup::triggered, this, [this](const QAction* action) {
    setRowOrder(*parseRowOrder(action->data().toString()));
  });
  connect(m_maps, &QActionGroup::triggered, this, [this](const QAction* action) {
    m_pane->setColorMap(*charts::parseColorMap(action->data().toString()));
  });
}

void HeatmapView::makePage() {
  m_parts->hide();
  auto* page = new QWidget(this);
  columnOf(page, {m_parts, {m_pane, 1}}, kTight);
  setPage(page);
  // Covers the controls while they have not moved into a title bar.
  pages().empty().setAutoFillBackground(true);
  page->setAutoFillBackground(true);
  setFocusProxy(m_pane);
  connect(&m_pane->raster(), &charts::RasterWidget::activated, this, [this] {
    context().workspace.requests.goDeeper(kDrillLevel);
  });
  connect(m_pane, &HeatmapPane::viewpointChanged, this, &View::viewpointChanged);
  connect(m_pane, &HeatmapPane::contentReplaced, this, &View::contentReplaced);
  connect(m_parts, &HeatmapParts::made, this, &HeatmapView::showHeatmap);
  connect(m_parts, &HeatmapParts::missing, this, &HeatmapView::showGap);
}

void HeatmapView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_stale = true;
  m_parts->abandon();
  fillModes();
  fillKinds();
  fillUnits();
  if (!document) {
    m_pane->clear();
    m_pane->forgetRange();
    showNoReport(
        tr("Here the error of every tensor is a colour: variants, modules, tokens "
           "or heads against the layers of the model."));
  }
}

/// Steps, ranks and positions are offered where the report has such, and while they are what the
/// user has chosen.
void HeatmapView::fillModes() {
  refill(*m_modes, infoOf(m_mode).id, [this] {
    for (const HeatmapModeInfo& info : heatmapModes()) {
      if (info.mode == m_mode || isOffered(info.mode, m_document)) {
        m_modes->addItem(info.choice, QString(info.id));
      }
    }
  });
}

void HeatmapView::fillKinds() {
  m_kinds->setVisible(hasKinds(m_mode));
  refill(*m_kinds, m_kind, [this] {
    if (m_document && m_mode == HeatmapMode::Heads) {
      for (const HeadTensor& tensor : headTensors(*m_document, m_selection.shown)) {
        m_kinds->addItem(tensor.title, tensor.id);
      }
    } else if (m_document) {
      for (const charts::RowKind& kind : charts::rowKinds(*m_document)) {
        m_kinds->addItem(kind.title, kind.id);
      }
    }
  });
}

void HeatmapView::fillUnits() {
  refill(*m_units, m_unit, [this] {
    if (m_document && isOfUnits(m_mode)) {
      for (const UnitFilter& filter : unitFilters(*m_document, m_mode)) {
        m_units->addItem(filter.title, filter.id);
      }
    }
  });
  m_units->setVisible(m_units->count() > 1);
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
  m_pane->setSelection(selection);
}

void HeatmapView::setMode(HeatmapMode mode) {
  if (mode != m_mode) {
    applyMode(mode);
    rebuild();
  }
}

void HeatmapView::applyMode(HeatmapMode mode) {
  m_mode = mode;
  m_parts->abandon();
  fillModes();
  fillKinds();
  fillUnits();
}

void HeatmapView::setKind(const QString& kind) {
  m_kinds->setCurrentIndex(m_kinds->findData(kind));
}

bool HeatmapView::changeToShow(const Site& site) {
  const QString kind = charts::rowKindOf(site);
  if (hasKinds(m_mode) && m_mode != HeatmapMode::Heads && m_kind != kind) {
    noteChange(tr("the tensors “%1”").arg(m_kinds->itemText(m_kinds->findData(kind))),
               [this, before = m_kind] { setKind(before); });
    setKind(kind);
    return true;
  }
  if (m_mode != HeatmapMode::Variants) {
    noteChange(tr("variants × layers"), [this, before = m_mode] { setMode(before); });
    setMode(HeatmapMode::Variants);
    return true;
  }
  return false;
}

Sight HeatmapView::bringIntoSight() {
  const int index =
      m_document ? m_document->findSite(m_selection.site.toStdString(), m_selection.pass) : -1;
  if (index < 0 || m_document->variantCount() == 0) {
    return Sight::Absent;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(index)];
  do {
    if (m_pane->bringIntoSight()) {
      return Sight::Seen;
    }
    if (m_parts->isBusy() || context().background.isBusy(workTag("heatmap"))) {
      return Sight::Awaited;
    }
  } while (changeToShow(site));
  return Sight::Absent;
}

std::optional<PlaceMark> HeatmapView::placeMark() const {
  const int index = pages().showsPage() && heatmap() ? m_pane->markedSite() : -1;
  const QRect area = index < 0 ? QRect() : seenOf(m_pane->raster(), m_pane->markedArea());
  if (area.isEmpty()) {
    return std::nullopt;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(index)];
  return PlaceMark{.site = QString::fromStdString(site.name),
                   .pass = site.pass,
                   .run = m_pane->raster().current().row < 0 ? QString() : m_selection.run(),
                   .metric = heatmap()->metric.id,
                   .area = area};
}

void HeatmapView::setRowOrder(RowOrder order) {
  checkAction(*m_orders, toText(order));
  m_pane->setRowOrder(order);
}

void HeatmapView::rebuild() {
  m_stale = false;
  if (!m_document) {
    return;
  }
  context().background.cancel(workTag("heatmap"));
  m_parts->abandon();
  m_parts->setVisible(isOfParts(m_mode));
  if (m_document->variantCount() == 0) {
    showGap({tr("Nothing to compare yet"),
             tr("Colours appear here as soon as the first variant has finished.")});
  } else if (isOfParts(m_mode)) {
    m_parts->request({.document = m_document,
                      .selection = m_selection,
                      .mode = m_mode,
                      .variant = std::max(0, m_document->findVariant(m_selection.run())),
                      .kind = m_kinds->currentData().toString()});
  } else if (m_mode == HeatmapMode::Samples && !m_document->hasSpread()) {
    showGap({tr("These values are of one sample"),
             tr("A study takes several when input.sequences is more than the sequences of one "
                "step. Set it in the study and run it again; against another baseline only the "
                "tensors of the first sample are known."),
             tr("Copy the setting"),
             [] {
               QGuiApplication::clipboard()->setText(QStringLiteral("input:\n  sequences: 8\n"));
             }});
  } else if (isOfUnits(m_mode) && !hasUnits(*m_document, m_mode)) {
    showGap(noUnits());
  } else if (const auto gap = noPositions()) {
    showGap(*gap);
  } else {
    rebuildFromReport();
  }
}

HeatmapGap HeatmapView::noUnits() {
  const bool isOfSteps = m_mode == HeatmapMode::Steps;
  return {isOfSteps ? tr("The runs of this report are no steps")
                    : tr("The runs of this report are no ranks"),
          isOfSteps ? tr("A report has a run for each step when it is of a dump of several steps, "
                         "or compares two.")
                    : tr("A report has a run for each rank when it is of a dump of several ranks, "
                         "or compares two."),
          tr("Show variants × layers"),
          [this] { setMode(HeatmapMode::Variants); }};
}

std::optional<HeatmapGap> HeatmapView::noPositions() {
  if (m_mode != HeatmapMode::Positions) {
    return std::nullopt;
  }
  const int variant = std::max(0, m_document->findVariant(m_selection.run()));
  if (!m_document->basis().baseline.isEmpty()) {
    return HeatmapGap{tr("Not known against %1").arg(m_document->baselineName()),
                      tr("Errors by position are those against the reference alone.")};
  }
  if (m_document->variant(variant).positions.isEmpty()) {
    return HeatmapGap{
        tr("No errors by position"),
        tr("Studies in which the reference continues prompts keep the error of every position. Set "
           "input.generate in the study and run it again."),
        tr("Copy the setting"),
        [] { QGuiApplication::clipboard()->setText(QStringLiteral("input:\n  generate: 32\n")); }};
  }
  const MetricInfo metric = metricInfo(*m_document, m_document->findMetric(m_selection.metric));
  if (isKnownByPosition(metric)) {
    return std::nullopt;
  }
  HeatmapGap gap{tr("%1 is not known by position").arg(metric.label),
                 tr("Reports keep the RMS of the error and of the reference at every position.")};
  if (const auto known = metricsByPosition(*m_document); !known.empty()) {
    gap.button = tr("Show %1").arg(known.front().label);
    gap.onClick = [&all = context().selection, id = known.front().id] { all.selectMetric(id); };
  }
  return gap;
}

void HeatmapView::rebuildFromReport() {
  const HeatmapRequest request{.mode = m_mode,
                               .kind = m_kinds->currentData().toString(),
                               .units = m_units->currentData().toString(),
                               .variant = std::max(0, m_document->findVariant(m_selection.run())),
                               .shown = onAxis(m_selection.shown),
                               .metric = m_document->findMetric(m_selection.metric),
                               .spikeFactor = m_spikeFactor};
  const bool readsSamples = m_mode == HeatmapMode::Samples;
  const bool readsFile = readsSamples || m_mode == HeatmapMode::Positions;
  if (readsSamples && request.metric < 0) {
    return;
  }
  const auto take = [this, readsSamples](Result<Heatmap> made) {
    if (!made) {
      showGap({tr("What the samples gave cannot be read"),
               QString::fromStdString(made.error().message())});
    } else if (readsSamples && made->rows.empty()) {
      showGap({tr("No sample is finished yet"),
               tr("A row appears here for each sample of the selected variant.")});
    } else {
      showHeatmap(*std::move(made));
    }
  };
  const std::size_t cells =
      m_document->sites().size() * static_cast<std::size_t>(m_document->variantCount());
  const std::size_t small =
      report::isOfOneDump(m_document->report()) ? kSmallOfSteps : kSmallHeatmap;
  if (!readsFile && cells <= small) {
    take(makeHeatmap(*m_document, request));
    return;
  }
  context().background.run<Result<Heatmap>>(
      workTag("heatmap"),
      this,
      [document = m_document, request](const std::stop_token& /*stop*/) {
        return makeHeatmap(*document, request);
      },
      take);
}

void HeatmapView::showGap(const HeatmapGap& gap) {
  if (gap.isBrief && heatmap() && heatmap()->mode == m_mode) {
    return;
  }
  m_pane->clear();
  pages().showEmpty(gap.title, gap.text, gap.button, gap.onClick);
  seekFurther();
}

void HeatmapView::showHeatmap(Heatmap heatmap) {
  if (heatmap.isEmpty()) {
    showGap({tr("No tensor of this kind"),
             tr("The report has none in the passes shown. Show the forward and the backward pass, "
                "or choose other tensors."),
             tr("Show forward and backward"),
             [this] { context().selection.selectPasses(PassFilter::ForwardBackward); }});
    return;
  }
  m_pane->setHeatmap(std::move(heatmap), m_document, m_selection);
  pages().showPage();
  seekFurther();
}

bool HeatmapView::isSettled() const {
  return !m_parts->isBusy();
}

QList<QWidget*> HeatmapView::titleControls() const {
  return {m_modes, m_kinds, m_units, m_orderButton, m_mapButton};
}

QJsonObject HeatmapView::saveState() const {
  return {{kModeKey, QString(infoOf(m_mode).id)},
          {kRowsKey, m_kind},
          {kUnitKey, m_unit},
          {kOrderKey, toText(m_pane->rowOrder())},
          {kMapKey, toText(m_pane->colorMap())},
          {kAlwaysFitKey, m_pane->range().alwaysFits()}};
}

void HeatmapView::restoreState(const QJsonObject& state) {
  m_kind = state[kRowsKey].toString(m_kind);
  m_unit = state[kUnitKey].toString(m_unit);
  m_pane->range().setAlwaysFit(state[kAlwaysFitKey].toBool(m_pane->range().alwaysFits()));
  if (const auto map = charts::parseColorMap(state[kMapKey].toString());
      map && map != charts::ColorMap::Diverging) {
    checkAction(*m_maps, toText(*map));
    m_pane->setColorMap(*map);
  }
  setRowOrder(parseRowOrder(state[kOrderKey].toString()).value_or(m_pane->rowOrder()));
  applyMode(parseHeatmapMode(state[kModeKey].toString()).value_or(m_mode));
  rebuild();
}

void registerHeatmap(ViewRegistry& registry) {
  registry.add<HeatmapView>(
      {.id = QStringLiteral("heatmap"),
       .title = HeatmapView::tr("Heatmap"),
       .toolTip = HeatmapView::tr("Errors as colours, against the layers of the model"),
       .icon = QStringLiteral("heatmap"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_7),
       .order = 25,
       .proves = {QStringLiteral("spike")},
       .hasViewport = true,
       .subjects = heatmapSubjects(),
       .printed = {QStringLiteral("heatmap"), QStringLiteral("heatmap-modules")},
       .draw = drawHeatmap});
}

}  // namespace ulp::views
