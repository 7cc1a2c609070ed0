#include "views/plugins/depth/depth_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QStackedLayout>

#include "views/charts/depth/depth_marks.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/icons.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

constexpr QLatin1StringView kKindKey("rows");

}  // namespace

DepthView::DepthView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_kind(charts::layerRowsId()),
      m_chart(new charts::DepthChart(this)),
      m_link(new charts::DepthLink(*m_chart, context)),
      m_panels(new charts::DepthPanels(this)),
      m_panelArea(new QScrollArea(this)),
      m_legend(new charts::VariantLegend(this)),
      m_kinds(new QComboBox(this)),
      m_empty(new EmptyState(this)),
      m_page(new QWidget(this)),
      m_pages(new QStackedLayout(this)) {
  makeActions();
  makePage();
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_page);
  connect(m_chart, &charts::DepthChart::activated, this, [this] {
    this->context().workspace.requests.goDeeper(kDrillLevel);
  });
  connect(m_legend, &charts::VariantLegend::visibilityChanged, this, [this] {
    showCurves();
    updatePanels();
    Q_EMIT contentReplaced();
  });
  connectPanels();
  connect(&context.findings, &FindingNavigator::findingsChanged, this, [this] {
    if (m_document) {
      rebuild();
      showSelection();
    }
  });
  connect(&context.themes, &ThemeManager::themeChanged, this, [this](const Theme& theme) {
    m_legend->setTheme(theme);
    m_panels->setTheme(theme);
  });
}

QAction* DepthView::makeToggle(const char* icon, const QString& text, const QKeySequence& key) {
  auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
  action->setCheckable(true);
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(action);
  return action;
}

void DepthView::makeActions() {
  using charts::DepthOptions;
  m_logarithmic = makeToggle("log-scale", tr("Logarithmic axis"), Qt::Key_L);
  m_reference = makeToggle("reference", tr("Scale of the reference"), Qt::Key_R);
  m_legendShown = makeToggle("legend", tr("Legend"), Qt::Key_G);
  m_jumps = makeToggle("jump", tr("Mark jumps"), {});
  m_guide = makeToggle("guide", tr("Error that a model of the format expects"), Qt::Key_E);
  m_multiples = makeToggle("panels", tr("One panel for each variant"), Qt::Key_M);
  m_noise = makeToggle("noise", tr("Use the selected variant as noise band"), Qt::Key_W);
  m_intervals =
      makeToggle("interval", tr("95 % intervals of means over several samples"), Qt::Key_I);
  m_samples = makeToggle("samples", tr("Every sample of the selected variant"), Qt::Key_S);
  m_pin = makeToggle("pin", tr("Pin a second cursor here"), Qt::Key_X);
  m_everything = new QAction(themedIcon(QStringLiteral("zoom-reset")), tr("Show everything"), this);
  m_everything->setShortcut(Qt::Key_0);
  m_everything->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(m_everything);
  m_toggles = {{"logarithmic", m_logarithmic},
               {"reference", m_reference, &DepthOptions::referenceShown},
               {"jumps", m_jumps, &DepthOptions::jumpsShown},
               {"guide", m_guide, &DepthOptions::guideShown},
               {"multiples", m_multiples},
               {"intervals", m_intervals, &DepthOptions::intervalsShown},
               {"samples", m_samples},
               {"legend", m_legendShown}};
  for (QAction* action : {m_logarithmic, m_reference, m_jumps, m_intervals}) {
    action->setChecked(true);
  }
  connect(m_logarithmic, &QAction::toggled, m_chart, &charts::DepthChart::setLogarithmic);
  connect(m_legendShown, &QAction::toggled, this, &DepthView::updateLegend);
  connect(m_multiples, &QAction::toggled, this, &DepthView::updateLegend);
  connect(m_samples, &QAction::toggled, this, &DepthView::updateSamples);
  for (const Toggle& toggle : m_toggles) {
    if (toggle.option != nullptr) {
      connect(toggle.action, &QAction::toggled, this, [this, option = toggle.option](bool isOn) {
        charts::DepthOptions options = m_chart->options();
        options.*option = isOn;
        m_chart->setOptions(std::move(options));
        updatePanels();
      });
    }
  }
  // After the chart has taken it over, from which the panels are filled.
  connect(m_logarithmic, &QAction::toggled, this, &DepthView::updatePanels);
  connect(m_logarithmic, &QAction::toggled, this, &DepthView::contentReplaced);
  connect(m_noise, &QAction::triggered, this, [this] { toggleNoise(m_selection.run()); });
  connect(m_legend, &charts::VariantLegend::noiseRequested, this, &DepthView::toggleNoise);
  connect(m_pin, &QAction::triggered, m_chart, &charts::DepthChart::togglePin);
  connect(m_chart, &charts::DepthChart::pinChanged, this, [this](int slot) {
    m_pin->setChecked(slot >= 0);
    updatePanels();
    Q_EMIT viewpointChanged();
  });
  connect(m_chart, &charts::DepthChart::viewRangeChanged, this, [this] {
    updatePanels();
    Q_EMIT viewpointChanged();
  });
  connect(m_everything, &QAction::triggered, m_chart, &charts::DepthChart::showEverything);
}

void DepthView::makePage() {
  auto* layout = new QHBoxLayout(m_page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_chart, 1);
  layout->addWidget(m_panelArea, 1);
  m_panelArea->setFrameShape(QFrame::NoFrame);
  m_panelArea->setWidgetResizable(true);
  m_panelArea->setFocusPolicy(Qt::NoFocus);
  m_panelArea->setWidget(m_panels);
  m_panelArea->hide();
  layout->addWidget(m_legend);
  m_legend->hide();
  setFocusProxy(m_chart);
  m_kinds->setAccessibleName(tr("Rows"));
  m_kinds->setToolTip(tr("Rows of the depth axis: layers, every row, or one module in all layers"));
  m_kinds->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(m_kinds, &QComboBox::currentIndexChanged, this, [this] {
    m_kind = m_kinds->currentData().toString();
    rebuild();
    showSelection();
  });
}

/// What the mouse does in a panel it does in the chart, which is tied to the selection.
void DepthView::connectPanels() {
  m_panels->setTheme(context().themes.theme());
  connect(m_panels, &charts::DepthPanels::picked, m_chart, &charts::DepthChart::picked);
  connect(m_panels, &charts::DepthPanels::hovered, m_chart, &charts::DepthChart::hovered);
  connect(m_panels, &charts::DepthPanels::activated, m_chart, &charts::DepthChart::activated);
  connect(&context().selection, &SelectionContext::hoverChanged, this, [this] {
    m_panels->setHoveredSlot(m_chart->hoveredSlot());
  });
}

void DepthView::toggleNoise(const QString& variant) {
  context().selection.selectNoise(variant == m_selection.noise ? QString() : variant);
}

void DepthView::showSelection() {
  m_link->showSelection(m_selection);
  const bool hasErrors = m_document && m_document->basis().relation == Relation::Error;
  m_noise->setEnabled(hasErrors && !m_selection.runs.isEmpty());
  m_noise->setChecked(hasErrors && !m_selection.noise.isEmpty() &&
                      m_selection.run() == m_selection.noise);
  m_panels->setCurrent(m_chart->options().currentSlot, m_chart->options().currentCurve);
}

void DepthView::updatePanels() {
  const bool shown = m_multiples->isChecked();
  // What is hidden gives its focus away, and with it the keys of this view.
  const bool hadFocus = m_chart->hasFocus() || m_panels->hasFocus();
  m_chart->setHidden(shown);
  m_panelArea->setVisible(shown);
  setFocusProxy(shown ? static_cast<QWidget*>(m_panels) : m_chart);
  if (hadFocus && !focusProxy()->hasFocus()) {
    setFocus(Qt::OtherFocusReason);
  }
  if (shown) {
    m_panels->setPicture(m_chart->picture());
  }
}

void DepthView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_link->setDocument(document);
  m_stale = true;
  m_sampleValues.reset();
  const bool hasSpread = document && document->hasSpread();
  m_intervals->setEnabled(hasSpread);
  m_samples->setEnabled(hasSpread);
  fillKinds();
  if (!document) {
    m_chart->setData({});
    m_legend->setEntries({}, context().themes.theme());
  }
  const bool empty = !document || document->variantCount() == 0;
  m_pages->setCurrentWidget(empty ? static_cast<QWidget*>(m_empty) : m_page);
  if (document) {
    m_empty->setText(tr("Nothing to compare yet"),
                     tr("Curves appear here as soon as the first variant has finished."));
    m_empty->hideButton();
  } else {
    m_empty->setNoReport(
        tr("Here the error of every variant is drawn along the depth of the model, "
           "forward and backward."),
        context().workspace.requests);
  }
}

void DepthView::fillKinds() {
  const QSignalBlocker silent(m_kinds);
  m_kinds->clear();
  if (!m_document) {
    return;
  }
  for (const charts::RowKind& kind : charts::rowKinds(*m_document)) {
    m_kinds->addItem(kind.title, kind.id);
  }
  const int wanted = m_kinds->findData(m_kind);
  m_kinds->setCurrentIndex(std::max(0, wanted));
  m_kind = m_kinds->currentData().toString();
}

void DepthView::setSelection(const Selection& selection) {
  m_stale = m_stale || selection.metric != m_selection.metric ||
            selection.shown != m_selection.shown || selection.noise != m_selection.noise;
  m_selection = selection;
  if (!m_document) {
    return;
  }
  const bool isRebuilt = m_stale;
  if (isRebuilt) {
    rebuild();
  }
  showSelection();
  if (!isRebuilt) {
    updateSamples();
  }
}

void DepthView::rebuild() {
  if (!m_document) {
    return;
  }
  m_stale = false;
  charts::DepthData drawn =
      charts::makeDepthData(*m_document,
                            charts::makeDepthAxis(*m_document, m_kind, m_selection.shown),
                            m_selection.metric);
  charts::markJumps(drawn, *m_document, context().findings.threshold("error_jump.factor"));
  charts::addGuide(drawn, *m_document);
  charts::addNoise(drawn, *m_document, noiseRuns(*m_document, m_selection));
  m_guide->setEnabled(!drawn.guide.empty());
  m_logarithmic->setEnabled(drawn.logarithmic);
  drawn.logarithmic = drawn.logarithmic && m_logarithmic->isChecked();
  std::vector<charts::LegendEntry> entries;
  for (const charts::DepthCurve& curve : drawn.curves) {
    entries.push_back({curve.name, curve.style, curve.isNoise});
  }
  m_legend->setEntries(entries, context().themes.theme());
  m_chart->setData(std::move(drawn));
  showCurves();
  updateLegend();
  updateSamples();
  Q_EMIT contentReplaced();
}

void DepthView::updateSamples() {
  const int variant = m_document ? m_document->findVariant(m_selection.run()) : -1;
  const int metric = m_document ? m_document->findMetric(m_selection.metric) : -1;
  const bool isWanted =
      m_samples->isChecked() && m_samples->isEnabled() && variant >= 0 && metric >= 0;
  if (!isWanted) {
    context().background.cancel(workTag("depth-samples"));
    if (m_chart->data().sampledCurve >= 0) {
      m_chart->setSamples(-1, {});
      updatePanels();
    }
    return;
  }
  if (m_sampleValues && m_sampleValues->variant == variant && m_sampleValues->metric == metric) {
    // A chart with other values has lost them.
    if (m_chart->data().sampledCurve != variant) {
      showSamples(*m_sampleValues);
    }
    return;
  }
  context().background.run<Result<SampleValues>>(
      workTag("depth-samples"),
      this,
      [document = m_document, variant, metric](const std::stop_token& /*stop*/) {
        return readSampleValues(*document, variant, metric);
      },
      [this, document = m_document](const Result<SampleValues>& read) {
        if (document != m_document) {
          return;
        }
        if (!read) {
          m_samples->setChecked(false);
          context().workspace.messages.raise(messageOf(read.error(), QStringLiteral("depth")));
          return;
        }
        m_sampleValues = *read;
        showSamples(*m_sampleValues);
      });
}

void DepthView::showSamples(const SampleValues& values) {
  std::vector<charts::SampleCurve> curves;
  for (std::size_t i = 0; i < values.samples.size(); ++i) {
    charts::SampleCurve curve{.sample = values.samples[i], .values = {}};
    for (const charts::DepthSlot& slot : m_chart->data().axis.positions) {
      curve.values.push_back(values.values[i][static_cast<std::size_t>(slot.site)]);
    }
    curves.push_back(std::move(curve));
  }
  m_chart->setSamples(values.variant, std::move(curves));
  updatePanels();
}

/// Shows the curves that are checked in the legend.
void DepthView::showCurves() {
  charts::DepthOptions options = m_chart->options();
  options.visible = m_legend->visibleEntries();
  m_chart->setOptions(std::move(options));
}

void DepthView::updateLegend() {
  const bool many = m_chart->data().curves.size() > charts::kMaxDirectLabels;
  // Panels carry their names; the legend beside them is for choosing.
  const bool needed = many && !m_multiples->isChecked();
  m_legend->setVisible(needed || m_legendShown->isChecked());
  charts::DepthOptions options = m_chart->options();
  options.directLabels = !m_legend->isVisibleTo(m_page);
  m_chart->setOptions(std::move(options));
  updatePanels();
}

QString DepthView::valuesId() const {
  const charts::DepthData& drawn = m_chart->data();
  const Relation relation = m_document ? m_document->basis().relation : Relation::Error;
  return QStringLiteral("%1/%2/%3")
      .arg(drawn.metric.id,
           drawn.logarithmic ? QStringLiteral("logarithmic") : QStringLiteral("linear"))
      .arg(static_cast<int>(relation));
}

Viewpoint DepthView::viewpoint() const {
  return charts::viewpointOf(*m_chart, valuesId());
}

void DepthView::follow(const Viewpoint& viewpoint) {
  charts::showViewpoint(*m_chart, viewpoint, valuesId());
  updatePanels();
}

void DepthView::shareExtents(const std::vector<AxisExtent>& extents) {
  charts::showExtent(*m_chart, extents, valuesId());
}

QList<QAction*> DepthView::viewActions() const {
  return {m_logarithmic,
          m_reference,
          m_jumps,
          m_guide,
          m_multiples,
          m_noise,
          m_intervals,
          m_samples,
          m_pin,
          m_legendShown,
          m_everything};
}

QList<QWidget*> DepthView::titleControls() const {
  return {m_kinds};
}

std::vector<Exhibit> DepthView::exhibits() const {
  if (!m_document || m_chart->data().curves.empty()) {
    return {};
  }
  return {
      m_chart->exhibit(m_multiples->isChecked() ? charts::paintDepthPanels : charts::paintDepth)};
}

QJsonObject DepthView::saveState() const {
  QJsonObject state{{kKindKey, m_kind}};
  for (const Toggle& toggle : m_toggles) {
    state[QLatin1String(toggle.key)] = toggle.action->isChecked();
  }
  return state;
}

void DepthView::restoreState(const QJsonObject& state) {
  m_kind = state[kKindKey].toString(m_kind);
  for (const Toggle& toggle : m_toggles) {
    toggle.action->setChecked(state[QLatin1String(toggle.key)].toBool(toggle.action->isChecked()));
  }
  if (m_document) {
    fillKinds();
    rebuild();
    showSelection();
  }
}

void registerDepth(ViewRegistry& registry) {
  registry.add(
      {.id = QStringLiteral("depth"),
       .title = DepthView::tr("Depth"),
       .toolTip = DepthView::tr("Error along the depth of the model"),
       .icon = QStringLiteral("depth"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_2),
       .area = ViewArea::Centre,
       .order = 20,
       .drillLevel = DepthView::kDrillLevel,
       .hasViewport = true,
       .make = [](const ViewContext& context) { return std::make_unique<DepthView>(context); }});
}

}  // namespace ulp::views
