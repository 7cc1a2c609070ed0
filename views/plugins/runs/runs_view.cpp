#include "views/plugins/runs/runs_view.h"

#include <algorithm>

#include <QtCore/QJsonArray>
#include <QtCore/QMimeData>
#include <QtCore/QScopedValueRollback>
#include <QtCore/QUrl>
#include <QtGui/QAction>
#include <QtGui/QDropEvent>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include "runner/queue/job_queue.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
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

QString sizesKey(Qt::Orientation orientation) {
  return orientation == Qt::Horizontal ? QStringLiteral("columns") : QStringLiteral("rows");
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
      m_jobsModel(new JobsModel(this)),
      m_runsModel(new RunsModel(this)),
      m_jobs(new QuietTableView(this)),
      m_variants(new QuietTableView(this)),
      m_summary(new JobSummary(context.themes, this)),
      m_log(new LogPane(this)),
      m_paused(new QLabel(this)),
      m_split(new QSplitter(Qt::Horizontal, this)),
      m_empty(new EmptyState(this)),
      m_page(new QWidget(this)),
      m_pages(new QStackedLayout(this)) {
  setAcceptDrops(true);
  makeActions();
  makePage();
  connectActions();
  connectQueueActions();
  m_empty->setText(tr("Nothing has been run"),
                   tr("Run a study, or drop study files here, to see its progress and its log."));
  m_empty->setButton(tr("Add studies…"),
                     [&workspace = context.workspace] { workspace.requests.askForStudies(); });
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_page);
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
  setUpJobs();
  setUpVariants();
  m_paused->setText(tr("The queue is paused: nothing new starts."));
  m_paused->setContentsMargins(8, 4, 8, 4);
  m_paused->setWordWrap(true);
  auto* queueSide = new QWidget(m_split);
  auto* queueLayout = new QVBoxLayout(queueSide);
  queueLayout->setContentsMargins(0, 0, 0, 0);
  queueLayout->setSpacing(0);
  queueLayout->addWidget(m_paused);
  queueLayout->addWidget(m_jobs, 1);
  auto* runSide = new QWidget(m_split);
  auto* runLayout = new QVBoxLayout(runSide);
  runLayout->setContentsMargins(0, 0, 0, 0);
  runLayout->setSpacing(0);
  runLayout->addWidget(m_summary);
  runLayout->addWidget(m_variants, 1);
  m_split->addWidget(queueSide);
  m_split->addWidget(runSide);
  m_split->addWidget(m_log);
  m_split->setChildrenCollapsible(false);
  const QList<int> shares{2700, 4500, 2800};
  for (int part = 0; part < m_split->count(); ++part) {
    m_split->setStretchFactor(part, part == 1 ? 3 : 2);
  }
  m_split->setSizes(shares);
  auto* layout = new QVBoxLayout(m_page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_split);
  setFocusProxy(m_jobs);
  connect(m_split, &QSplitter::splitterMoved, this, [this] {
    m_sizes.at(partsIndex(m_split->orientation())) = m_split->sizes();
  });
}

void RunsView::setUpJobs() {
  setUpTable(*m_jobs, context().themes);
  m_jobsModel->setContent(jobColumns(), nullptr);
  m_jobs->setModel(m_jobsModel);
  m_jobs->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_jobs->setSelectionMode(QAbstractItemView::SingleSelection);
  m_jobs->setAccessibleName(tr("Queue"));
  m_jobs->setObjectName(QStringLiteral("queue"));
  connect(m_jobs->selectionModel(),
          &QItemSelectionModel::currentRowChanged,
          this,
          &RunsView::onJobRowChanged);
  connect(m_jobs, &QTableView::activated, m_actions.show, &QAction::trigger);
}

void RunsView::setUpVariants() {
  setUpTable(*m_variants, context().themes);
  m_runsModel->setContent(runColumns(), nullptr);
  m_variants->setModel(m_runsModel);
  m_variants->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_variants->setSelectionMode(QAbstractItemView::SingleSelection);
  m_variants->setAccessibleName(tr("Runs of the study"));
  m_variants->setObjectName(QStringLiteral("variants"));
  connect(m_variants->selectionModel(),
          &QItemSelectionModel::currentRowChanged,
          this,
          &RunsView::onVariantRowChanged);
  connect(m_variants, &QTableView::activated, this, &RunsView::showVariant);
}

void RunsView::setReport(const DocumentPtr& /*document*/) {}

void RunsView::setSelection(const Selection& /*selection*/) {}

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
  updatePaused();
  updateActions();
}

void RunsView::refreshJobs() {
  const std::vector<queue::JobStatePtr> jobs = context().queue.statesInQueueOrder();
  m_pages->setCurrentWidget(jobs.empty() ? static_cast<QWidget*>(m_empty) : m_page);
  if (!jobs.empty() && !currentJob()) {
    m_job = jobs.front()->id;
    m_variant.clear();
  }
  const QScopedValueRollback<bool> guard(m_isRefreshing, true);
  const int before = m_jobsModel->rowCount();
  m_jobsModel->setRows(jobRows(jobs));
  if (m_jobsModel->rowCount() != before) {
    fitColumns(*m_jobs, kWidestColumn);
  } else {
    widenColumns(*m_jobs, kWidestColumn);
  }
  m_jobs->setColumnWidth(kProgressColumn,
                         std::max(m_jobs->columnWidth(kProgressColumn),
                                  m_jobs->fontMetrics().averageCharWidth() * kProgressWidth));
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
  const int before = m_runsModel->rowCount();
  const auto rows = runRows(job.get());
  m_runsModel->setRows(rows);
  if (m_runsModel->rowCount() != before) {
    fitColumns(*m_variants, kWidestColumn);
  } else {
    widenColumns(*m_variants, kWidestColumn);
  }
  m_variants->setColumnWidth(
      kProgressColumn,
      std::max(m_variants->columnWidth(kProgressColumn),
               m_variants->fontMetrics().averageCharWidth() * kProgressWidth));
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

void RunsView::updatePaused() {
  const bool isPaused = context().queue.isPaused();
  m_paused->setVisible(isPaused);
  m_actions.pause->setChecked(isPaused);
}

std::vector<Exhibit> RunsView::exhibits() const {
  const auto jobs = jobRows(context().queue.statesInQueueOrder());
  if (jobs->empty()) {
    return {};
  }
  std::vector<Exhibit> shown{{.id = m_jobs->objectName(),
                              .title = tr("Queue of studies"),
                              .paint = {},
                              .table = [jobs] { return jobTable(*jobs); },
                              .isTableThreadSafe = true}};
  const queue::JobStatePtr job = currentJob();
  const auto runs = runRows(job.get());
  if (!runs->empty()) {
    shown.push_back({.id = m_variants->objectName(),
                     .title = tr("Runs of %1").arg(studyName(*job)),
                     .paint = {},
                     .table = [runs, name = studyName(*job)] { return runTable(name, *runs); },
                     .isTableThreadSafe = true});
  }
  return shown;
}

QJsonObject RunsView::saveState() const {
  QJsonObject state;
  for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
    QJsonArray sizes;
    for (const int size : m_sizes.at(partsIndex(orientation))) {
      sizes << size;
    }
    if (!sizes.isEmpty()) {
      state[sizesKey(orientation)] = sizes;
    }
  }
  return state;
}

void RunsView::restoreState(const QJsonObject& state) {
  for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
    QList<int> sizes;
    const QJsonArray saved = state[sizesKey(orientation)].toArray();
    for (const auto size : saved) {
      sizes << std::max(size.toInt(), 1);
    }
    if (sizes.size() == m_split->count()) {
      m_sizes.at(partsIndex(orientation)) = sizes;
    }
  }
  applySizes();
}

void RunsView::applySizes() {
  if (const QList<int>& sizes = m_sizes.at(partsIndex(m_split->orientation())); !sizes.isEmpty()) {
    m_split->setSizes(sizes);
  }
}

void RunsView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  arrange();
}

void RunsView::arrange() {
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
  registry.add(
      {.id = QStringLiteral("runs"),
       .title = RunsView::tr("Runs"),
       .toolTip = RunsView::tr("The queue of studies and their log"),
       .icon = QStringLiteral("runs"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_5),
       .area = ViewArea::Bottom,
       .order = 10,
       .purpose = ViewPurpose::Queue,
       .shownAtStart = false,
       .drillLevel = 0,
       .layouts = {.configure = true},
       .make = [](const ViewContext& context) { return std::make_unique<RunsView>(context); }});
}

}  // namespace ulp::views
