#include "views/plugins/levers/levers_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QAction>
#include <QtWidgets/QLabel>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/frozen_column.h"
#include "views/framework/tables/table_part.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/scrolled.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/levers/parallel_chart.h"

namespace ulp::views {
namespace {

constexpr QSizeF kAxesSize(1280, 480);

struct LeversViewWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Levers)
};

QString effectsSubject() {
  return QStringLiteral("lever-effects");
}

using LeverTablePtr = std::shared_ptr<const analysis::LeverTable>;
/// A table or why there is none.
using Outcome = Result<LeverTablePtr>;

Outcome computeLevers(const report::Report& report,
                      const std::string& metric,
                      const std::stop_token& stop) {
  auto table = ULP_TRY(analysis::leverTable(report, metric, stop));
  return std::make_shared<const analysis::LeverTable>(std::move(table));
}

/// What the metric is called in the report; an empty one for an unknown id.
MetricInfo leverMetric(const ReportDocument& document, const QString& metric) {
  const int column = document.findMetric(metric);
  return column < 0 ? MetricInfo{} : document.metrics()[static_cast<std::size_t>(column)];
}

/// The lines of the variants. Holds what it draws.
Exhibit leverChartExhibit(const LeverTablePtr& levers,
                          const ParallelData& data,
                          const AxisBrushes& brushes) {
  const QString title =
      LeversViewWords::tr("Settings and errors of the variants: %1").arg(data.metric.label);
  const auto kept = std::make_shared<const ParallelData>(data);
  const ParallelLook look{.brushes = brushes, .inside = brushedLines(data, brushes)};
  return {.id = QStringLiteral("levers"),
          .title = title,
          .size = kAxesSize,
          .paint =
              [kept, look](QPainter& painter, const QRectF& area, const Theme& theme) {
                paintParallel(painter, area, *kept, look, theme);
              },
          .table = [title, levers, kept] { return parallelTable(title, *levers, kept->metric); }};
}

/// What each setting changes, in the order of `rows`.
Exhibit leverEffectsExhibit(bool isRatio, const MetricInfo& metric, std::vector<EffectRow> rows) {
  const QString title = LeversViewWords::tr("What each setting changes: %1").arg(metric.label);
  return {.id = effectsSubject(),
          .title = title,
          .table =
              [title, isRatio, metric, rows = std::move(rows)] {
                return effectData(title, isRatio, metric, rows);
              },
          .isTableThreadSafe = true};
}

}  // namespace

LeversView::LeversView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_model(new EffectModel(this)),
      m_proxy(new NanLastProxy(this)),
      m_table(makeTable(m_proxy, tr("What each setting changes"), context.themes, this)),
      m_headline(makeTextLabel(this)),
      m_count(new QLabel(this)),
      m_chart(new ParallelChart(this)),
      m_scroll(scrolled(m_chart)),
      m_split(new QSplitter(Qt::Vertical, this)),
      m_oneScale(makeTitleSwitch(
          {.icon = "log-scale",
           .text = tr("One scale"),
           .toolTip = tr("All errors on one axis range, so that their heights compare; otherwise "
                         "every axis spans its own values")})),
      m_clear(makeTitleAction({.icon = "reset",
                               .text = tr("Show all variants"),
                               .toolTip = tr("Let go of what was dragged on the axes (Escape)")})) {
  m_proxy->setSourceModel(m_model);
  m_clear->setEnabled(false);
  keep("one_scale", m_oneScale);
  makePage();
  context.themes.follow(m_chart, &ParallelChart::setTheme);
  connect(m_chart, &ParallelChart::picked, this, &LeversView::onPicked);
  connect(m_chart, &ParallelChart::hovered, this, &LeversView::onHovered);
  connect(m_chart, &ParallelChart::brushesChanged, this, &LeversView::onBrushed);
  connect(m_oneScale, &QAction::toggled, this, &LeversView::showChart);
  connect(m_clear, &QAction::triggered, m_chart, &ParallelChart::clearBrushes);
  setReport(nullptr);
}

LeversView::~LeversView() {
  context().background.cancel(workTag("levers"));
}

void LeversView::makePage() {
  m_chart->setObjectName(QStringLiteral("levers"));
  m_table->setObjectName(effectsSubject());
  sortOnClick(*m_table);
  new FrozenColumn(*m_table, context().themes);
  m_split->addWidget(m_scroll);
  m_split->addWidget(m_table);
  m_split->setChildrenCollapsible(false);
  m_split->setStretchFactor(0, 1);
  auto* page = new QWidget(this);
  auto* heading = rowOf(
      nullptr, {{m_headline, 1}, m_count}, {.margins = QMargins(12, 0, 12, 0), .spacing = 12});
  columnOf(page, {heading, {m_split, 1}}, {.margins = QMargins(0, 8, 0, 0), .spacing = 8});
  setPage(page);
  setFocusProxy(m_chart);
  connect(m_table, &QTableView::activated, this, &LeversView::onEffectChosen);
}

void LeversView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_shownMetric.clear();
  m_levers.reset();
  if (!document) {
    context().background.cancel(workTag("levers"));
    m_model->setContent({}, nullptr);
    m_chart->setData({});
    showNoReport(
        tr("Here each variant is a line over its settings and its errors, and a table "
           "says what each setting changes."));
  }
}

void LeversView::setSelection(const Selection& selection) {
  m_selection = selection;
  if (!m_document) {
    return;
  }
  if (m_shownMetric != selection.metric) {
    compute();
  }
  showRun();
}

void LeversView::compute() {
  m_shownMetric = m_selection.metric;
  context().background.run<Outcome>(
      workTag("levers"),
      this,
      [document = m_document, metric = m_shownMetric.toStdString()](const std::stop_token& stop) {
        return computeLevers(document->report(), metric, stop);
      },
      [this](Outcome outcome) {
        if (!outcome) {
          m_levers.reset();
          pages().showEmpty(tr("The configuration cannot be read"),
                            QString::fromStdString(outcome.error().message()));
          seekFurther();
          return;
        }
        m_levers = std::move(*outcome);
        showTable();
        showChart();
      });
}

void LeversView::showTable() {
  const MetricInfo metric = leverMetric(*m_document, m_shownMetric);
  auto rows = std::make_shared<const std::vector<EffectRow>>(makeEffectRows(*m_levers));
  QString headline = effectHeadline(*m_levers, *rows, metric);
  if (m_levers->levers.empty()) {
    headline = tr("All variants have the same settings.");
  } else if (rows->empty()) {
    headline = tr("No two variants differ in one setting alone, so no effect can be told apart.");
  }
  m_headline->setText(headline);
  m_headline->setHidden(headline.isEmpty());
  m_table->setHidden(rows->empty());
  std::vector<Column<EffectRow>> columns = effectColumns(m_levers->isRatio, metric, *rows);
  m_model->setContent(std::move(columns), std::move(rows));
  fitColumns(*m_table, 24);
}

void LeversView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  layout()->activate();
  pages().page().layout()->activate();
  divideForRows(*m_split, *m_table);
}

void LeversView::showChart() {
  if (!m_document || !m_levers) {
    return;
  }
  if (m_levers->variants.empty()) {
    pages().showEmpty(tr("No variants yet"),
                      tr("A line appears here for each variant that has finished."));
    seekFurther();
    return;
  }
  pages().showPage();
  divideForRows(*m_split, *m_table);
  m_chart->setData(makeParallelData(
      *m_document, *m_levers, leverMetric(*m_document, m_shownMetric), m_oneScale->isChecked()));
  onBrushed();
  showRun();
  seekFurther();
}

Sight LeversView::bringIntoSight() {
  if (!m_document) {
    return Sight::Absent;
  }
  if (context().background.isBusy(workTag("levers"))) {
    return Sight::Awaited;
  }
  m_axis = -1;  // of the selected tensor, not where the keys were
  showRun();
  const ParallelSpot& spot = m_chart->look().current;
  if (!pages().showsPage() || spot.line < 0 || spot.axis < 0) {
    return Sight::Absent;
  }
  if (!m_chart->look().inside[static_cast<std::size_t>(spot.line)]) {
    noteChange(tr("all variants"), [this, brushes = m_chart->look().brushes] {
      for (std::size_t axis = 0; axis < brushes.size(); ++axis) {
        m_chart->setBrush(static_cast<int>(axis), brushes[axis]);
      }
    });
    m_chart->clearBrushes();
  }
  const QPoint at = m_chart->pointRect(m_chart->currentPoint()).center();
  m_scroll->ensureVisible(at.x(), at.y());
  return Sight::Seen;
}

std::optional<PlaceMark> LeversView::placeMark() const {
  const ParallelSpot& spot = m_chart->look().current;
  if (!pages().showsPage() || spot.line < 0 || spot.axis < 0 ||
      !m_chart->look().inside[static_cast<std::size_t>(spot.line)]) {
    return std::nullopt;
  }
  const ParallelLine& line = m_chart->data().lines[static_cast<std::size_t>(spot.line)];
  const Site& site = line.points[static_cast<std::size_t>(spot.axis)].site;
  const QRect area = seenOf(*m_chart, m_chart->pointRect(m_chart->currentPoint()));
  if (area.isEmpty() || site.name.empty()) {
    return std::nullopt;
  }
  return PlaceMark{.site = QString::fromStdString(site.name),
                   .pass = site.pass,
                   .run = line.run,
                   .metric = m_shownMetric,
                   .area = area};
}

/// The line of the selected variant, at the axis of the selected tensor where one shows it.
void LeversView::showRun() {
  const ParallelData& drawn = m_chart->data();
  const auto line = std::ranges::find(drawn.lines, m_selection.run(), &ParallelLine::run);
  if (line == drawn.lines.end()) {
    m_chart->setCurrent({});
    return;
  }
  const auto isSelected = [&](const AxisPoint& point) {
    return point.site.name == m_selection.site.toStdString() && point.site.pass == m_selection.pass;
  };
  const auto kept = static_cast<std::size_t>(m_axis);
  const bool keeps = m_axis >= 0 && kept < drawn.axes.size() &&
                     (drawn.axes[kept].isLever || isSelected(line->points[kept]));
  if (!keeps) {
    const auto point = std::ranges::find_if(line->points, isSelected);
    m_axis = point == line->points.end() ? -1 : static_cast<int>(point - line->points.begin());
  }
  m_chart->setCurrent({.line = static_cast<int>(line - drawn.lines.begin()), .axis = m_axis});
}

void LeversView::onPicked(int picked, int axis) {
  const ParallelLine& line = m_chart->data().lines[static_cast<std::size_t>(picked)];
  m_axis = axis;
  Selection next = m_selection;
  next.runs = QStringList{line.run};
  const Site& site = line.points[static_cast<std::size_t>(axis)].site;
  if (!site.name.empty()) {
    next.site = QString::fromStdString(site.name);
    next.pass = site.pass;
  }
  if (next == m_selection) {
    showRun();
    return;
  }
  context().selection.select(next);
}

void LeversView::onHovered(int hovered, int axis) {
  if (hovered < 0 || axis < 0) {
    context().selection.setHover({});
    return;
  }
  const ParallelLine& line = m_chart->data().lines[static_cast<std::size_t>(hovered)];
  const Site& site = line.points[static_cast<std::size_t>(axis)].site;
  context().selection.setHover(
      {.run = line.run, .site = QString::fromStdString(site.name), .pass = site.pass});
}

void LeversView::onBrushed() {
  const std::vector<bool>& inside = m_chart->look().inside;
  m_clear->setEnabled(m_chart->isBrushed());
  m_count->setVisible(m_chart->isBrushed());
  m_count->setText(
      tr("%1 of %2 variants").arg(std::ranges::count(inside, true)).arg(inside.size()));
}

/// The better variant of the first pair, at the tensor where the setting does most.
void LeversView::onEffectChosen(const QModelIndex& index) {
  const EffectRow& row = m_model->row(m_proxy->mapToSource(index).row());
  const std::size_t variant = row.move.pairs.front().second;
  Selection next = m_selection;
  next.runs = QStringList{QString::fromStdString(m_levers->variants[variant])};
  if (row.strongest >= 0) {
    const Site& site = m_levers->errors[variant][static_cast<std::size_t>(row.strongest)].site;
    next.site = QString::fromStdString(site.name);
    next.pass = site.pass;
  }
  context().selection.select(next);
}

std::vector<Exhibit> LeversView::exhibits() const {
  if (!m_document || !m_levers || m_levers->variants.empty()) {
    return {};
  }
  std::vector<Exhibit> shown{leverChartExhibit(m_levers, m_chart->data(), m_chart->look().brushes)};
  if (m_model->rowCount() > 0) {
    shown.push_back(leverEffectsExhibit(
        m_levers->isRatio, leverMetric(*m_document, m_shownMetric), shownRows(*m_model, *m_proxy)));
  }
  return shown;
}

namespace {

Result<Exhibit> drawLevers(const DrawRequest& request) {
  const auto levers = ULP_TRY(computeLevers(*request.chosen, request.metric.toStdString(), {}));
  if (levers->variants.empty()) {
    return fail(ErrorCode::NotFound, "the report has no variant to draw");
  }
  const MetricInfo metric = leverMetric(*request.document, request.metric);
  if (request.what == effectsSubject()) {
    return leverEffectsExhibit(levers->isRatio, metric, makeEffectRows(*levers));
  }
  return leverChartExhibit(levers, makeParallelData(*request.document, *levers, metric, false), {});
}

}  // namespace

void registerLevers(ViewRegistry& registry) {
  registry.add<LeversView>(
      {.id = QStringLiteral("levers"),
       .title = LeversView::tr("Levers"),
       .toolTip = LeversView::tr("Which setting pays: variants over settings and errors"),
       .icon = QStringLiteral("levers"),
       .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_L),
       .order = 35,
       .proves = {QStringLiteral("lever_effect")},
       .subjects = {QStringLiteral("levers"), effectsSubject()},
       .draw = drawLevers});
}

}  // namespace ulp::views
