#include "views/plugins/overview/overview_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QFileInfo>
#include <QtCore/QScopedValueRollback>
#include <QtCore/QTimer>
#include <QtGui/QGuiApplication>
#include <QtGui/QPalette>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "core/report/model/one_dump.h"
#include "views/charts/depth/depth_marks.h"
#include "views/charts/depth_chart/depth_chart.h"
#include "views/charts/depth_chart/depth_link.h"
#include "views/charts/depth_chart/depth_panels.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/frozen_column.h"
#include "views/framework/tables/table_part.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/message.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/report_rules.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

/// In em, of both tables: a long name leaves room for what is said of its variant.
constexpr int kWidestName = 20;

/// Column of the selected site: the worst cell where several show it, column 0 where none does.
int selectedColumn(const OverviewRow& row, const Selection& selection) {
  const std::string site = selection.site.toStdString();
  int column = 0;
  for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
    const bool shows =
        row.cells[cell].site.name == site && row.cells[cell].site.pass == selection.pass;
    if (shows && (column == 0 || column != row.worstCell + kFirstCell)) {
      column = static_cast<int>(cell) + kFirstCell;
    }
  }
  return column;
}

struct ColumnRoom {
  int width = 0;
  int heading = 0;  ///< pixels that it needs
  int rank = 0;     ///< what tells more stands higher
};

constexpr int kTellsLeast = 0;
constexpr int kTellsWhere = 1;
constexpr int kTellsMost = 2;

int rankOf(analysis::VerdictPart analysis::RunVerdict::*part) {
  using analysis::RunVerdict;
  if (part == &RunVerdict::grows || part == &RunVerdict::sureness) {
    return kTellsLeast;
  }
  return part == &RunVerdict::born || part == &RunVerdict::helps ? kTellsWhere : kTellsMost;
}

/// Takes `lack` pixels off the widest columns up to a rank, none of which becomes narrower than
/// `least` or its heading; returns what is lacking still.
int shortenWidest(std::vector<ColumnRoom>& rooms, int upTo, int least, int lack) {
  int limit = 0;
  for (const ColumnRoom& room : rooms) {
    limit = std::max(limit, room.width);
  }
  for (; lack > 0 && limit > least; --limit) {
    for (ColumnRoom& room : rooms) {
      if (lack > 0 && room.rank <= upTo && room.width >= limit && room.width > room.heading) {
        --room.width;
        --lack;
      }
    }
  }
  return lack;
}

}  // namespace

OverviewView::OverviewView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_verdictModel(new VerdictModel(this)),
      m_verdicts(makeTable(m_verdictModel, tr("Verdict on the variants"), context.themes, this)),
      m_model(new OverviewModel(this)),
      m_proxy(new NanLastProxy(this)),
      m_table(makeTable(m_proxy, tr("Summary of the variants"), context.themes, this)),
      m_headline(makeTextLabel(this)),
      m_rules(ReportRules::of(context.workspace.reports, context.settings, context.background)),
      m_rulesLine(new QLabel(this)),
      m_chart(new charts::DepthChart(this)),
      m_link(new charts::DepthLink(*m_chart, context)),
      m_split(new QSplitter(Qt::Vertical, this)) {
  m_proxy->setSourceModel(m_model);
  makePage();
}

void OverviewView::makePage() {
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  sortOnClick(*m_table);
  new FrozenColumn(*m_table, context().themes);
  m_split->addWidget(m_table);
  m_split->addWidget(m_chart);
  m_split->setChildrenCollapsible(false);
  m_split->setStretchFactor(1, 1);
  auto* page = new QWidget(this);
  auto* heading = columnOf(
      nullptr, {m_headline, m_rulesLine}, {.margins = QMargins(12, 0, 12, 0), .spacing = 4});
  columnOf(
      page, {m_verdicts, heading, {m_split, 1}}, {.margins = QMargins(0, 8, 0, 0), .spacing = 8});
  setPage(page);
  m_table->setObjectName(QStringLiteral("summary"));
  m_rulesLine->setObjectName(QStringLiteral("rulesLine"));
  m_rulesLine->setTextFormat(Qt::RichText);
  m_rulesLine->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  // A long name of a file never keeps the window wide.
  m_rulesLine->setMinimumWidth(1);
  connect(m_rulesLine, &QLabel::linkActivated, this, [this] {
    Q_EMIT context().workspace.requests.showRules();
  });
  connect(&m_rules, &ReportRules::changed, this, &OverviewView::showRules);
  connect(&context().themes, &ThemeManager::themeChanged, this, &OverviewView::showRules);
  m_verdicts->setObjectName(QStringLiteral("verdicts"));
  m_verdicts->setMouseTracking(true);
  m_verdicts->hide();
  connect(m_verdicts, &QTableView::clicked, this, &OverviewView::showVerdictPlace);
  connect(m_verdicts, &QTableView::activated, this, &OverviewView::showVerdictPlace);
  connect(m_verdicts, &QTableView::entered, this, [this](const QModelIndex& index) {
    const bool isLink = index.data(Qt::FontRole).isValid();
    m_verdicts->viewport()->setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
  });
  connect(&context().findings, &FindingNavigator::findingsChanged, this, &OverviewView::judge);
  setFocusProxy(m_table);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &OverviewView::onCurrentChanged);
  connect(m_table, &QTableView::activated, this, [this] {
    context().workspace.requests.goDeeper(kDrillLevel);
  });
}

void OverviewView::setReport(const DocumentPtr& document) {
  const bool isNewer =
      m_document && document && m_document->loaded().file == document->loaded().file;
  if (!isNewer) {
    // The forward pass first, also once the selection that the report brings along is shown.
    QScrollBar* sideways = m_table->horizontalScrollBar();
    QTimer::singleShot(0, sideways, [sideways] { sideways->setValue(0); });
  }
  m_document = document;
  if (!isNewer) {
    // What was judged of another report, or still is, is no answer for this one.
    context().background.cancel(workTag("verdicts"));
    showVerdicts({});
  }
  m_link->setDocument(document);
  showRules();
  m_shownMetric.clear();
  if (document) {
    pages().showPage();
    context().findings.request();
    return;
  }
  showNoReport(
      tr("Here each variant has a row: where in the pass it loses precision, its loss and "
         "its time."));
  m_model->setContent({}, nullptr);
  m_chart->setData({});
}

void OverviewView::setSelection(const Selection& selection) {
  const bool isElsewhere = selection.site != m_selection.site || selection.pass != m_selection.pass;
  m_selection = selection;
  if (!m_document) {
    return;
  }
  QScrollBar& sideways = *m_table->horizontalScrollBar();
  const int left = sideways.value();
  const bool isStale = m_shownMetric != selection.metric || m_shownNoise != selection.noise ||
                       m_model->columnCount() == 0;
  if (isStale) {
    rebuild();
    rebuildChart();
  } else if (m_shownPasses != selection.shown) {
    rebuildChart();
  }
  showSelection();
  // Other numbers of the same place move nothing.
  if (isStale && !isElsewhere) {
    sideways.setValue(left);
  }
  m_link->showSelection(selection);
}

void OverviewView::rebuild() {
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  m_shownMetric = m_selection.metric;
  m_shownNoise = m_selection.noise;
  const NoiseRuns noise = noiseRuns(*m_document, m_selection);
  Overview overview = makeOverview(*m_document, m_selection.metric, noise);
  m_tableHeadline = overview.headline;
  showHeadline();
  m_model->setContent(std::move(overview.columns), std::move(overview.rows));
  fitColumns(*m_table, kWidestName);
  judge();
}

void OverviewView::showHeadline() {
  QStringList sentences{m_verdictHeadline, m_tableHeadline};
  sentences.removeAll(QString());
  m_headline->setText(sentences.join(QStringLiteral(" · ")));
  m_headline->setHidden(sentences.isEmpty());
}

void OverviewView::showRules() {
  const RuleVerdictsPtr& verdicts = m_rules.verdicts();
  const RulesChoice& choice = m_rules.choice();
  // A locked view may show a report that is not open any more.
  const bool isOpen = m_document && m_document == context().workspace.reports.document();
  const bool isKnown = verdicts && verdicts->document == m_document;
  m_rulesLine->setHidden(!isOpen || choice.text.isEmpty());
  const QString said = isKnown             ? rowsSummary(*verdicts)
                       : m_rules.problem() ? tr("cannot be asked")
                                           : tr("being asked…");
  const QString name = choice.origin.isEmpty()
                           ? tr("Rules")
                           : tr("Rules %1").arg(QFileInfo(choice.origin).fileName());
  // Of a text that is set already the link would keep the colour of another theme.
  m_rulesLine->setText(QStringLiteral("<a href=\"rules\" style=\"color: %1\">%2</a>: %3")
                           .arg(QGuiApplication::palette().color(QPalette::Link).name(),
                                name.toHtmlEscaped(),
                                said.toHtmlEscaped()));
  m_rulesLine->setToolTip(m_rules.problem() ? errorText(*m_rules.problem())
                                            : tr("Show the rules and what each of them says"));
}

void OverviewView::judge() {
  const FindingNavigator& navigator = context().findings;
  // A locked view may show a report that is not open any more.
  const bool isOpen = m_document && m_document == context().workspace.reports.document();
  if (!m_document || (isOpen && !navigator.findings())) {
    return;
  }
  VerdictRequest request{.document = m_document,
                         .findings = isOpen ? navigator.findings() : nullptr,
                         .metric = m_selection.metric.toStdString(),
                         .limits = {.excess = navigator.threshold("first_divergence.excess"),
                                    .growth = navigator.threshold("error_jump.factor"),
                                    .floor = navigator.threshold("error_jump.floor")}};
  context().background.run<Result<Verdicts>>(
      workTag("verdicts"),
      this,
      [request = std::move(request)](const std::stop_token& stop) {
        return makeVerdicts(request, stop);
      },
      [this](Result<Verdicts> verdicts) {
        if (context().workspace.messages.settle(verdicts, QStringLiteral("verdict"))) {
          showVerdicts(std::move(*verdicts));
        }
      });
}

void OverviewView::showVerdicts(Verdicts verdicts) {
  const bool areUnits = m_document && m_document->report().dumps.has_value();
  m_verdictColumns = verdictColumns(
      verdicts.rows, areUnits, areUnits && report::isOfOneDump(m_document->report()));
  m_verdictModel->setContent(
      verdictModelColumns(m_verdictColumns),
      std::make_shared<const std::vector<VerdictRow>>(std::move(verdicts.rows)));
  m_verdictHeadline = verdicts.headline;
  showHeadline();
  fitVerdicts();
  showSelectedVerdict();
}

/// A line of verdicts is read at a glance, not scrolled: what tells least is shortened first, then
/// all columns, always the widest and never a heading. The tool tips have it all.
void OverviewView::shortenVerdicts() {
  fitColumns(*m_verdicts, kWidestName);
  const int name = m_verdicts->columnWidth(0);
  fitColumns(*m_verdicts, 60);
  m_verdicts->setColumnWidth(0, name);
  const QHeaderView& header = *m_verdicts->horizontalHeader();
  std::vector<ColumnRoom> rooms;
  for (int place = 0; place < header.count(); ++place) {
    const auto part = m_verdictColumns[static_cast<std::size_t>(place)].part;
    rooms.push_back({.width = header.sectionSize(place),
                     .heading = header.sectionSizeHint(place),
                     .rank = rankOf(part)});
  }
  /// The end of a name, and two numbers.
  constexpr int kWithNumbers = 40;
  /// The worst number and a layer.
  constexpr int kWithPlace = 36;
  constexpr int kLegible = 20;
  constexpr int kFewest = 14;
  const int em = m_verdicts->fontMetrics().averageCharWidth();
  int lack = header.length() - pages().page().width();
  lack = shortenWidest(rooms, kTellsLeast, kLegible * em, lack);
  lack = shortenWidest(rooms, kTellsWhere, kWithNumbers * em, lack);
  lack = shortenWidest(rooms, kTellsMost, kWithPlace * em, lack);
  lack = shortenWidest(rooms, kTellsWhere, kLegible * em, lack);
  lack = shortenWidest(rooms, kTellsMost, kLegible * em, lack);
  shortenWidest(rooms, kTellsMost, kFewest * em, lack);
  for (int place = 0; place < header.count(); ++place) {
    m_verdicts->setColumnWidth(place, rooms[static_cast<std::size_t>(place)].width);
  }
}

void OverviewView::fitVerdicts() {
  constexpr int kLargestPart = 3;
  shortenVerdicts();
  // Where its columns fit, it has no bar.
  const bool fits = m_verdicts->horizontalHeader()->length() <= pages().page().width();
  const int bar = m_verdicts->horizontalScrollBar()->sizeHint().height();
  m_verdicts->setFixedHeight(
      std::min(fullHeight(*m_verdicts) - (fits ? bar : 0), pages().page().height() / kLargestPart));
  m_verdicts->setHidden(m_verdictModel->rowCount() == 0);
  // What is left is the table's and the chart's.
  pages().page().layout()->activate();
  shareHeight();
}

void OverviewView::showVerdictPlace(const QModelIndex& index) {
  const VerdictColumn& column = m_verdictColumns[static_cast<std::size_t>(index.column())];
  const VerdictRow& row = m_verdictModel->row(index.row());
  QStringList runs{QString::fromStdString(row.verdict.run)};
  if (column.part == nullptr) {
    context().selection.selectRun(runs.front());
    return;
  }
  const analysis::VerdictPart& part = row.verdict.*column.part;
  if (!part.site) {
    return;
  }
  if (!part.otherRun.empty()) {
    runs << QString::fromStdString(part.otherRun);
  }
  context().findings.showPlace(runs, part.site, QString::fromStdString(part.proof));
}

void OverviewView::rebuildChart() {
  m_shownPasses = m_selection.shown;
  charts::DepthData drawn = charts::makeDepthData(
      *m_document,
      charts::makeDepthAxis(*m_document, charts::layerRowsId(), onAxis(m_selection.shown)),
      m_selection.metric);
  const FindingNavigator& findings = context().findings;
  charts::markJumps(drawn,
                    *m_document,
                    {.factor = findings.threshold("error_jump.factor"),
                     .floor = findings.threshold("error_jump.floor")});
  charts::addNoise(drawn, *m_document, noiseRuns(*m_document, m_selection));
  m_chart->setData(std::move(drawn));
  shareHeight();
}

void OverviewView::shareHeight() {
  const int left = m_split->height() - partForRows(*m_split, *m_table);
  m_chart->setVisible(m_chart->data().axis.size() > 0 && left >= m_chart->minimumHeight());
  divideForRows(*m_split, *m_table);
}

void OverviewView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  layout()->activate();
  fitVerdicts();
}

/// A part that was clicked stays marked as long as its variant is selected.
void OverviewView::showSelectedVerdict() {
  for (int row = 0; row < m_verdictModel->rowCount(); ++row) {
    if (QString::fromStdString(m_verdictModel->row(row).verdict.run) == m_selection.run()) {
      if (m_verdicts->currentIndex().row() != row) {
        m_verdicts->setCurrentIndex(m_verdictModel->index(row, 0));
      }
      return;
    }
  }
  m_verdicts->setCurrentIndex({});
}

void OverviewView::showSelection() {
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  showSelectedVerdict();
  for (int row = 0; row < m_model->rowCount(); ++row) {
    if (m_model->row(row).run == m_selection.run()) {
      const int column = selectedColumn(m_model->row(row), m_selection);
      m_table->setCurrentIndex(m_proxy->mapFromSource(m_model->index(row, column)));
      return;
    }
  }
  m_table->clearSelection();
}

bool OverviewView::isCellOfPlace() const {
  const QModelIndex cell = m_table->currentIndex();
  const int row = cell.isValid() ? m_proxy->mapToSource(cell).row() : -1;
  return row >= 0 && cell.column() >= kFirstCell &&
         cell.column() == selectedColumn(m_model->row(row), m_selection);
}

Sight OverviewView::bringIntoSight() {
  if (!m_document || !pages().showsPage()) {
    return Sight::Absent;
  }
  const bool isInTable = isCellOfPlace();
  if (isInTable) {
    m_table->scrollTo(m_table->currentIndex());
  }
  const charts::DepthOptions& shown = m_chart->options();
  const bool isInChart = shown.currentSlot >= 0 && shown.currentCurve >= 0;
  if (isInChart) {
    m_chart->bringIntoSight(shown.currentSlot, shown.currentCurve);
  }
  const bool isDrawn = isInChart && shown.inCurrentSlot.isEmpty() && m_chart->isVisible();
  return isInTable || isDrawn ? Sight::Seen : Sight::Absent;
}

std::optional<PlaceMark> OverviewView::placeMark() const {
  const charts::DepthOptions& shown = m_chart->options();
  const bool isInTable = isCellOfPlace();
  const bool isInChart = !isInTable && shown.currentSlot >= 0 && shown.currentCurve >= 0 &&
                         m_chart->isInSight(shown.currentSlot, shown.currentCurve);
  const QRect area =
      isInTable   ? seenOf(*m_table->viewport(), m_table->visualRect(m_table->currentIndex()))
      : isInChart ? seenOf(*m_chart, m_chart->pointRect(shown.currentSlot))
                  : QRect();
  if (area.isEmpty()) {
    return std::nullopt;
  }
  PlaceMark mark{.site = m_selection.site,
                 .pass = m_selection.pass,
                 .run = m_selection.run(),
                 .metric = m_shownMetric,
                 .area = area};
  if (isInChart) {
    mark.site = m_chart->data().axis.at(shown.currentSlot).name;
  }
  return mark;
}

void OverviewView::onCurrentChanged(const QModelIndex& index) {
  if (m_isFollowing || !index.isValid()) {
    return;
  }
  const QModelIndex source = m_proxy->mapToSource(index);
  const OverviewRow& row = m_model->row(source.row());
  if (row.style < 0) {
    return;
  }
  Selection next = m_selection;
  next.runs = QStringList{row.run};
  const auto cell = static_cast<std::size_t>(source.column() - kFirstCell);
  if (source.column() >= kFirstCell && cell < row.cells.size() &&
      !row.cells[cell].site.name.empty()) {
    next.site = QString::fromStdString(row.cells[cell].site.name);
    next.pass = row.cells[cell].site.pass;
  }
  context().selection.select(next);
}

std::vector<Exhibit> OverviewView::exhibits() const {
  if (!m_document || m_model->rowCount() == 0) {
    return {};
  }
  std::vector<Exhibit> shown;
  if (m_verdictModel->rowCount() > 0) {
    const QString title = tr("Verdict on the variants");
    shown.push_back(
        {.id = QStringLiteral("verdict"),
         .title = title,
         .table = [rows = m_verdictModel->rows(), columns = m_verdictModel->columns(), title] {
           return dataOf(title, columns, *rows);
         }});
  }
  const int metric = m_document->findMetric(m_shownMetric);
  const QString label = metric < 0
                            ? m_shownMetric
                            : metricHeader(m_document->metrics()[static_cast<std::size_t>(metric)]);
  const QString title = tr("Summary of the variants: %1").arg(label);
  shown.push_back({.id = QStringLiteral("overview"), .title = title, .table = [this, title] {
                     return overviewData(title, shownRows(*m_model, *m_proxy));
                   }});
  if (!m_chart->data().curves.empty()) {
    shown.push_back(m_chart->exhibit());
  }
  return shown;
}

void registerOverview(ViewRegistry& registry) {
  registry.add<OverviewView>(
      {.id = QStringLiteral("overview"),
       .title = OverviewView::tr("Overview"),
       .toolTip = OverviewView::tr("Where each variant loses precision, at a glance"),
       .icon = QStringLiteral("overview"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_1),
       .order = 10,
       .purpose = ViewPurpose::Report,
       .drillLevel = OverviewView::kDrillLevel});
}

}  // namespace ulp::views
