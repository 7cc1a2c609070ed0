#include "views/plugins/runs/runs_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QJsonArray>
#include <QtCore/QMimeData>
#include <QtCore/QScopedValueRollback>
#include <QtCore/QUrl>
#include <QtGui/QAction>
#include <QtGui/QDropEvent>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "runner/queue/job_queue.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/runs/cluster_pane.h"
#include "views/plugins/runs/job_summary.h"
#include "views/plugins/runs/log_pane.h"
#include "views/plugins/runs/run_text.h"
#include "views/studies/run_launcher.h"

namespace ulp::views {
namespace {

constexpr int kWidestColumn = 28;
constexpr int kProgressColumn = 2;
/// Characters: a bar shorter than that tells little.
constexpr int kProgressWidth = 10;

/// Shows rows with columns that never get narrower while their number stays.
void showRows(QTableView& table, RunsModel& model, RunsModel::Rows rows) {
  const int before = model.rowCount();
  model.setRows(std::move(rows));
  if (model.rowCount() != before) {
    fitColumns(table, kWidestColumn);
  } else {
    widenColumns(table, kWidestColumn);
  }
  table.setColumnWidth(kProgressColumn,
                       std::max(table.columnWidth(kProgressColumn),
                                table.fontMetrics().averageCharWidth() * kProgressWidth));
}

std::size_t partsIndex(Qt::Orientation orientation) {
  return orientation == Qt::Horizontal ? 0 : 1;
}

QStringList localStudies(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (url.isLocalFile() && isStudyFile(url.toLocalFile())) {
      paths << url.toLocalFile();
    }
  }
  return paths;
}

}  // namespace

RunsView::RunsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_jobsModel(new RunsModel(this)),
      m_runsModel(new RunsModel(this)),
      m_jobs(new QuietTableView(this)),
      m_variants(new QuietTableView(this)),
      m_summary(new JobSummary(context.themes, this)),
      m_log(new LogPane(this)),
      m_paused(new QLabel(this)),
      m_split(new QSplitter(Qt::Horizontal, this)) {
  setAcceptDrops(true);
  makeActions();
  setUpTables();
  makePage();
  connectActions();
  connect(&context.queue, &queue::JobQueue::jobChanged, this, &RunsView::refresh);
  connect(&context.queue, &queue::JobQueue::queueChanged, this, &RunsView::refresh);
  connect(&context.runs, &RunLauncher::launched, this, [this](quint64 job) {
    m_job = job;
    m_variant.clear();
    refresh();
  });
  refresh();
}

void RunsView::makePage() {
  m_paused->setText(tr("The queue is paused: nothing new starts."));
  m_paused->setContentsMargins(8, 4, 8, 4);
  m_paused->setWordWrap(true);
  auto* queueSide = new QWidget(m_split);
  auto* cluster = new ClusterPane(queue::ClusterWatch::of(context().queue), queueSide);
  columnOf(queueSide, {m_paused, cluster, {m_jobs, 1}}, kTight);
  auto* runSide = new QWidget(m_split);
  columnOf(runSide, {m_summary, {m_variants, 1}}, kTight);
  m_split->addWidget(queueSide);
  m_split->addWidget(runSide);
  m_split->addWidget(m_log);
  m_split->setChildrenCollapsible(false);
  for (int part = 0; part < m_split->count(); ++part) {
    m_split->setStretchFactor(part, part == 1 ? 3 : 2);
  }
  m_split->setSizes({2700, 4500, 2800});
  setPage(m_split);
  setFocusProxy(m_jobs);
  connect(m_split, &QSplitter::splitterMoved, this, [this] {
    m_sizes.at(partsIndex(m_split->orientation())) = m_split->sizes();
  });
  keepSizes("columns", Qt::Horizontal);
  keepSizes("rows", Qt::Vertical);
}

void RunsView::keepSizes(const char* key, Qt::Orientation orientation) {
  keep(
      key,
      [&sizes = m_sizes.at(partsIndex(orientation))] {
        QJsonArray saved;
        for (const int size : sizes) {
          saved << size;
        }
        return saved.isEmpty() ? QJsonValue(QJsonValue::Undefined) : saved;
      },
      [this, &sizes = m_sizes.at(partsIndex(orientation))](const QJsonValue& saved) {
        QList<int> wanted;
        for (const auto size : saved.toArray()) {
          wanted << std::max(size.toInt(), 1);
        }
        if (wanted.size() == m_split->count()) {
          sizes = wanted;
          applySizes();
        }
      });
}

void RunsView::setUpTables() {
  const auto setUp = [this](QTableView& table,
                            RunsModel& model,
                            const std::vector<Column<RunRow>>& columns,
                            void (RunsView::*onRowChanged)()) {
    setUpTable(table, context().themes);
    model.setContent(columns, nullptr);
    table.setModel(&model);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    connect(table.selectionModel(), &QItemSelectionModel::currentRowChanged, this, onRowChanged);
  };
  setUp(*m_jobs, *m_jobsModel, jobColumns(), &RunsView::onJobRowChanged);
  setUp(*m_variants, *m_runsModel, runColumns(), &RunsView::onVariantRowChanged);
  m_jobs->setAccessibleName(tr("Queue"));
  m_jobs->setObjectName(QStringLiteral("queue"));
  m_variants->setAccessibleName(tr("Runs of the study"));
  m_variants->setObjectName(QStringLiteral("variants"));
  connect(m_jobs, &QTableView::activated, m_actions.show, &QAction::trigger);
  connect(m_variants, &QTableView::activated, this, &RunsView::showVariant);
}

queue::JobStatePtr RunsView::currentJob() const {
  return context().queue.state(m_job);
}

const queue::JobRun* RunsView::currentRun(const queue::JobState& job) const {
  const auto chosen = std::ranges::find(job.runs, m_variant, &queue::JobRun::name);
  if (chosen != job.runs.end()) {
    return &*chosen;
  }
  return job.currentRun < 0 ? nullptr : &job.runs[static_cast<std::size_t>(job.currentRun)];
}

void RunsView::refresh() {
  refreshJobs();
  refreshVariants();
  const queue::JobStatePtr job = currentJob();
  m_summary->setJob(job);
  m_log->setJob(job);
  const bool isPaused = context().queue.isPaused();
  m_paused->setVisible(isPaused);
  m_actions.pause->setChecked(isPaused);
  updateActions();
}

void RunsView::refreshJobs() {
  const std::vector<queue::JobStatePtr> jobs = context().queue.statesInQueueOrder();
  if (jobs.empty()) {
    pages().showEmpty(tr("Nothing has been run"),
                      tr("Run a study, or drop study files here, to see its progress and its log."),
                      tr("Add studies…"),
                      [this] { m_actions.add->trigger(); });
  } else {
    pages().showPage();
    if (!currentJob()) {
      m_job = jobs.front()->id;
      m_variant.clear();
    }
  }
  const QScopedValueRollback<bool> guard(m_isRefreshing, true);
  showRows(*m_jobs, *m_jobsModel, jobRows(jobs));
  const auto found = std::ranges::find(jobs, m_job, &queue::JobState::id);
  const auto row = static_cast<int>(found - jobs.begin());
  if (row < m_jobsModel->rowCount() && m_jobs->currentIndex().row() != row) {
    const int column = std::max(m_jobs->currentIndex().column(), 0);
    m_jobs->setCurrentIndex(m_jobsModel->index(row, column));
  }
}

void RunsView::refreshVariants() {
  const queue::JobStatePtr job = currentJob();
  const QScopedValueRollback<bool> guard(m_isRefreshing, true);
  const auto rows = runRows(job.get());
  showRows(*m_variants, *m_runsModel, rows);
  const auto found = std::ranges::find(*rows, m_variant, &RunRow::name);
  if (found == rows->end()) {
    m_variants->clearSelection();
    m_variants->setCurrentIndex({});
    return;
  }
  const auto row = static_cast<int>(found - rows->begin());
  if (m_variants->currentIndex().row() != row) {
    m_variants->setCurrentIndex(m_runsModel->index(row, 0));
  }
}

void RunsView::onJobRowChanged() {
  const QModelIndex index = m_jobs->currentIndex();
  if (m_isRefreshing || !index.isValid()) {
    return;
  }
  m_job = m_jobsModel->row(index.row()).job;
  m_variant.clear();
  refresh();
}

void RunsView::onVariantRowChanged() {
  const QModelIndex index = m_variants->currentIndex();
  if (m_isRefreshing || !index.isValid()) {
    return;
  }
  m_variant = m_runsModel->row(index.row()).name;
  updateActions();
}

void RunsView::showVariant(const QModelIndex& index) {
  const DocumentPtr& document = context().workspace.reports.document();
  const QString name = m_runsModel->row(index.row()).name;
  if (document && document->findVariant(name) >= 0) {
    context().selection.selectRun(name);
  }
}

std::vector<Exhibit> RunsView::exhibits() const {
  std::vector<Exhibit> shown;
  const auto show =
      [&](const QTableView& view, const QString& title, const RunsModel::Rows& rows, auto table) {
        if (!rows->empty()) {
          shown.push_back({.id = view.objectName(),
                           .title = title,
                           .table = [rows, table] { return table(*rows); },
                           .isTableThreadSafe = true});
        }
      };
  show(*m_jobs, tr("Queue of studies"), jobRows(context().queue.statesInQueueOrder()), jobTable);
  if (const queue::JobStatePtr job = currentJob()) {
    const QString study = studyName(*job);
    show(*m_variants,
         tr("Runs of %1").arg(study),
         runRows(job.get()),
         [study](const std::vector<RunRow>& rows) { return runTable(study, rows); });
  }
  return shown;
}

void RunsView::applySizes() {
  if (const QList<int>& sizes = m_sizes.at(partsIndex(m_split->orientation())); !sizes.isEmpty()) {
    m_split->setSizes(sizes);
  }
}

void RunsView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  // Side by side in a low panel below the charts, one above the other in a tall one at the side.
  const Qt::Orientation wanted = width() > 2 * height() ? Qt::Horizontal : Qt::Vertical;
  if (m_split->orientation() == wanted) {
    return;
  }
  m_split->setOrientation(wanted);
  applySizes();
}

void RunsView::dragEnterEvent(QDragEnterEvent* event) {
  if (!localStudies(*event->mimeData()).isEmpty()) {
    event->acceptProposedAction();
  }
}

void RunsView::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  context().runs.enqueueFiles(localStudies(*event->mimeData()));
}

void registerRuns(ViewRegistry& registry) {
  registry.add<RunsView>({.id = QStringLiteral("runs"),
                          .title = RunsView::tr("Runs"),
                          .toolTip = RunsView::tr("The queue of studies and their log"),
                          .icon = QStringLiteral("runs"),
                          .shortcut = QKeySequence(Qt::ALT | Qt::Key_5),
                          .area = ViewArea::Bottom,
                          .order = 10,
                          .purpose = ViewPurpose::Queue,
                          .shownAtStart = false,
                          .layouts = {.configure = true}});
}

}  // namespace ulp::views
