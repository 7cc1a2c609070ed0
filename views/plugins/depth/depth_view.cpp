#include "views/plugins/depth/depth_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QJsonArray>
#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QScrollArea>

#include "views/charts/depth/depth_marks.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {

DepthView::DepthView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_kind(charts::layerRowsId()),
      m_chart(new charts::DepthChart(this)),
      m_link(new charts::DepthLink(*m_chart, context)),
      m_panels(new charts::DepthPanels(this)),
      m_panelArea(new QScrollArea(this)),
      m_legend(new charts::VariantLegend(this)),
      m_kinds(new QComboBox(this)) {
  makeActions();
  makePage();
  connect(m_chart, &charts::DepthChart::activated, this, [this] {
    this->context().workspace.requests.goDeeper(kDrillLevel);
  });
  connect(m_legend, &charts::VariantLegend::visibilityChanged, this, [this] {
    updateLegend();
    Q_EMIT contentReplaced();
  });
  connect(m_chart, &charts::DepthChart::labelClicked, m_legend, &charts::VariantLegend::isolate);
  connectPanels();
  connect(&context.findings, &FindingNavigator::findingsChanged, this, [this] {
    if (m_document) {
      rebuild();
      showSelection();
    }
  });
  connect(&context.themes, &ThemeManager::themeChanged, m_legend, &charts::VariantLegend::setTheme);
  context.themes.follow(m_panels, &charts::DepthPanels::setTheme);
}

void DepthView::bindOption(const QAction* toggle, bool charts::DepthOptions::*option) {
  connect(toggle, &QAction::toggled, this, [this, option](bool isOn) {
    charts::DepthOptions options = m_chart->options();
    options.*option = isOn;
    m_chart->setOptions(std::move(options));
    updatePanels();
  });
}

void DepthView::makeActions() {
  using charts::DepthOptions;
  const auto toggle = [this](const char* key, const ActionFace& face, bool isOn = false) {
    QAction* const made = makeTitleSwitch(face, isOn);
    keep(key, made);
    return made;
  };
  keep(
      "rows",
      [this] { return m_kind; },
      [this](const QJsonValue& kind) { m_kind = kind.toString(m_kind); });
  keep(
      "hidden",
      [this] { return QJsonArray::fromStringList(m_legend->hiddenNames()); },
      [this](const QJsonValue& names) {
        QStringList hidden;
        for (const QJsonValue& name : names.toArray()) {
          hidden << name.toString();
        }
        m_legend->setHiddenNames(hidden);
      });
  m_logarithmic = toggle(
      "logarithmic", {.icon = "log-scale", .text = tr("Logarithmic axis"), .key = Qt::Key_L}, true);
  const QAction* reference =
      toggle("reference",
             {.icon = "reference", .text = tr("Scale of the reference"), .key = Qt::Key_R},
             true);
  const QAction* jumps = toggle("jumps", {.icon = "jump", .text = tr("Mark jumps")}, true);
  m_guide = toggle(
      "guide",
      {.icon = "guide", .text = tr("Error that a model of the format expects"), .key = Qt::Key_E});
  m_multiples = toggle(
      "multiples", {.icon = "panels", .text = tr("One panel for each variant"), .key = Qt::Key_M});
  m_noise = makeTitleSwitch(
      {.icon = "noise", .text = tr("Use the selected variant as noise band"), .key = Qt::Key_W});
  m_intervals = toggle("intervals",
                       {.icon = "interval",
                        .text = tr("95 % intervals of means over several samples"),
                        .key = Qt::Key_I},
                       true);
  m_samples = toggle(
      "samples",
      {.icon = "samples", .text = tr("Every sample of the selected variant"), .key = Qt::Key_S});
  QAction* const pin =
      makeTitleSwitch({.icon = "pin", .text = tr("Pin a second cursor here"), .key = Qt::Key_X});
  m_legendShown = toggle("legend", {.icon = "legend", .text = tr("Legend"), .key = Qt::Key_G});
  const QAction* everything =
      makeTitleAction({.icon = "zoom-reset", .text = tr("Show everything"), .key = Qt::Key_0});
  connect(m_logarithmic, &QAction::toggled, this, [this] {
    rebuild();
    showSelection();
  });
  connect(m_legendShown, &QAction::toggled, this, &DepthView::updateLegend);
  connect(m_multiples, &QAction::toggled, this, &DepthView::updateLegend);
  connect(m_samples, &QAction::toggled, this, &DepthView::updateSamples);
  bindOption(reference, &DepthOptions::referenceShown);
  bindOption(jumps, &DepthOptions::jumpsShown);
  bindOption(m_guide, &DepthOptions::guideShown);
  bindOption(m_intervals, &DepthOptions::intervalsShown);
  connect(m_noise, &QAction::triggered, this, [this] { toggleNoise(m_selection.run()); });
  connect(m_legend, &charts::VariantLegend::noiseRequested, this, &DepthView::toggleNoise);
  connect(pin, &QAction::triggered, m_chart, &charts::DepthChart::togglePin);
  connect(m_chart, &charts::DepthChart::pinChanged, this, [this, pin](int slot) {
    pin->setChecked(slot >= 0);
    updatePanels();
    Q_EMIT viewpointChanged();
  });
  connect(m_chart, &charts::DepthChart::viewRangeChanged, this, [this] {
    updatePanels();
    Q_EMIT viewpointChanged();
  });
  connect(everything, &QAction::triggered, m_chart, &charts::DepthChart::showEverything);
}

void DepthView::makePage() {
  auto* page = new QWidget(this);
  rowOf(page, {{m_chart, 1}, {m_panelArea, 1}, m_legend}, kTight);
  setPage(page);
  m_panelArea->setFrameShape(QFrame::NoFrame);
  m_panelArea->setWidgetResizable(true);
  m_panelArea->setFocusPolicy(Qt::NoFocus);
  m_panelArea->setWidget(m_panels);
  m_panelArea->hide();
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
  const charts::DepthOptions& shown = m_chart->options();
  m_panels->setCurrent(shown.currentSlot, shown.currentCurve, shown.inCurrentSlot);
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
    showNoReport(
        tr("Here the error of every variant is drawn along the depth of the model, "
           "forward and backward."));
  } else if (document->variantCount() == 0) {
    pages().showEmpty(tr("Nothing to compare yet"),
                      tr("Curves appear here as soon as the first variant has finished."));
  } else {
    pages().showPage();
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
                            charts::makeDepthAxis(*m_document, m_kind, onAxis(m_selection.shown)),
                            m_selection.metric,
                            m_logarithmic->isChecked());
  const FindingNavigator& findings = context().findings;
  charts::markJumps(drawn,
                    *m_document,
                    {.factor = findings.threshold("error_jump.factor"),
                     .floor = findings.threshold("error_jump.floor")});
  charts::addGuide(drawn, *m_document);
  charts::addNoise(drawn, *m_document, noiseRuns(*m_document, m_selection));
  m_guide->setEnabled(!drawn.guide.empty());
  const int metric = m_document->findMetric(m_selection.metric);
  m_logarithmic->setEnabled(
      metric < 0 || charts::hasDecades(m_document->metrics()[static_cast<std::size_t>(metric)]));
  std::vector<charts::LegendEntry> entries;
  for (const charts::DepthCurve& curve : drawn.curves) {
    entries.push_back({curve.name,
                       curve.style,
                       curve.isNoise,
                       curve.sameAs < 0 ? QString() : drawn.curve(curve.sameAs).name});
  }
  m_legend->setEntries(entries, context().themes.theme());
  m_chart->setData(std::move(drawn));
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
  const MetricInfo& metric = m_document->metrics()[static_cast<std::size_t>(values.metric)];
  std::vector<charts::SampleCurve> curves;
  for (std::size_t i = 0; i < values.samples.size(); ++i) {
    charts::SampleCurve curve{.sample = values.samples[i]};
    for (const charts::DepthSlot& slot : m_chart->data().axis.positions) {
      const double value = values.values[i][static_cast<std::size_t>(slot.site)];
      curve.values.push_back(m_chart->data().isFromOne ? asDrawn(value, metric) : value);
    }
    curves.push_back(std::move(curve));
  }
  m_chart->setSamples(values.variant, std::move(curves));
  updatePanels();
}

void DepthView::updateLegend() {
  const bool many = m_chart->data().curves.size() > charts::kMaxDirectLabels;
  // Panels carry their names; the legend beside them is for choosing.
  const bool needed = many && !m_multiples->isChecked();
  m_legend->setVisible(needed || m_legendShown->isChecked());
  charts::DepthOptions options = m_chart->options();
  options.visible = m_legend->visibleEntries();
  options.directLabels = !m_legend->isVisibleTo(&pages().page());
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

void DepthView::setKind(const QString& kind) {
  m_kinds->setCurrentIndex(m_kinds->findData(kind));
}

Sight DepthView::bringIntoSight() {
  const int variant = m_document ? m_document->findVariant(m_selection.run()) : -1;
  const int site =
      m_document ? m_document->findSite(m_selection.site.toStdString(), m_selection.pass) : -1;
  if (variant >= 0 && !m_legend->visibleEntries()[static_cast<std::size_t>(variant)]) {
    m_legend->setShown(variant, true);
    noteChange(tr("the curve of %1").arg(m_selection.run()),
               [this, variant] { m_legend->setShown(variant, false); });
  }
  if (site < 0 || m_document->variantCount() == 0) {
    return Sight::Absent;
  }
  if (m_chart->data().axis.find(site) < 0) {
    const QString before = m_kind;
    setKind(charts::rowKindOf(m_document->sites()[static_cast<std::size_t>(site)]));
    noteChange(tr("the rows “%1”").arg(m_kinds->currentText()),
               [this, before] { setKind(before); });
  }
  const int slot = m_chart->data().axis.find(site);
  if (slot < 0) {
    return Sight::Absent;
  }
  const charts::Range before = m_chart->viewRange().x();
  if (m_chart->bringIntoSight(slot, variant)) {
    noteChange(tr("fewer rows"), [this, before] {
      m_chart->setViewRange(before, m_chart->viewRange().y());
      updatePanels();
    });
  }
  if (m_multiples->isChecked()) {
    const QPoint at = m_panels->currentRect().center();
    m_panelArea->ensureVisible(at.x(), at.y(), 0, m_panels->currentRect().height());
  }
  return Sight::Seen;
}

std::optional<PlaceMark> DepthView::placeMark() const {
  const charts::DepthOptions& shown = m_chart->options();
  const int slot = shown.currentSlot;
  const bool isDrawn = slot >= 0 && shown.currentCurve >= 0 && pages().showsPage() &&
                       shown.visible[static_cast<std::size_t>(shown.currentCurve)] &&
                       m_chart->isInSight(slot, shown.currentCurve);
  const QRect area = !isDrawn                   ? QRect()
                     : m_multiples->isChecked() ? seenOf(*m_panels, m_panels->currentRect())
                                                : seenOf(*m_chart, m_chart->pointRect(slot));
  if (area.isEmpty()) {
    return std::nullopt;
  }
  const charts::DepthSlot& at = m_chart->data().axis.at(slot);
  return PlaceMark{.site = at.name,
                   .pass = at.pass,
                   .run = m_selection.run(),
                   .metric = m_chart->data().metric.id,
                   .area = area};
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

void DepthView::restoreState(const QJsonObject& state) {
  View::restoreState(state);
  if (m_document) {
    fillKinds();
    rebuild();
    showSelection();
  }
}

void registerDepth(ViewRegistry& registry) {
  registry.add<DepthView>({.id = QStringLiteral("depth"),
                           .title = DepthView::tr("Depth"),
                           .toolTip = DepthView::tr("Error along the depth of the model"),
                           .icon = QStringLiteral("depth"),
                           .shortcut = QKeySequence(Qt::ALT | Qt::Key_2),
                           .order = 20,
                           .drillLevel = DepthView::kDrillLevel,
                           .hasViewport = true});
}

}  // namespace ulp::views
