#include "views/plugins/runs/runs_view.h"

#include <algorithm>

#include <QtCore/QScopedValueRollback>
#include <QtGui/QAction>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include "runner/queue/job_queue.h"
#include "views/framework/empty_state.h"
#include "views/framework/icons.h"
#include "views/framework/run_launcher.h"
#include "views/framework/table_tools.h"
#include "views/framework/theme_manager.h"
#include "views/framework/view_registry.h"
#include "views/framework/workspace.h"

namespace ulp::views {

RunsView::RunsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_model(new QueueModel(this)),
      m_table(new QTableView(this)),
      m_logFilter(new QLineEdit(this)),
      m_log(new QPlainTextEdit(this)),
      m_empty(new EmptyState(this)),
      m_page(new QWidget(this)),
      m_pages(new QStackedLayout(this)) {
  makeActions();
  makePage();
  m_empty->setText(tr("Nothing has been run"),
                   tr("Open or make a study and run it: its progress and its log appear here."));
  m_empty->setButton(tr("New study"), [&workspace = context.workspace] { workspace.newStudy(); });
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_page);
  connect(&context.queue, &queue::JobQueue::jobChanged, this, &RunsView::refresh);
  connect(&context.runs, &RunLauncher::launched, this, [this](quint64 job) {
    m_job = job;
    refresh();
  });
  refresh();
}

void RunsView::makeActions() {
  m_stop = new QAction(themedIcon(QStringLiteral("stop")), tr("Stop"), this);
  m_stop->setToolTip(tr("Stop this job; what is finished stays"));
  m_retry = new QAction(themedIcon(QStringLiteral("retry")), tr("Run again"), this);
  m_retry->setToolTip(tr("Run this job again; finished runs are kept"));
  m_show = new QAction(themedIcon(QStringLiteral("overview")), tr("Show results"), this);
  m_show->setToolTip(tr("Open the report of this job"));
  connect(m_stop, &QAction::triggered, this, [this] { context().queue.cancel(m_job); });
  connect(m_retry, &QAction::triggered, this, [this] {
    if (const queue::JobStatePtr job = currentJob()) {
      context().runs.retry(*job);
    }
  });
  connect(m_show, &QAction::triggered, this, [this] {
    if (const queue::JobStatePtr job = currentJob()) {
      context().runs.show(*job);
    }
  });
}

void RunsView::makePage() {
  setUpTable(*m_table, context().themes);
  m_model->setContent(queueColumns(), nullptr);
  m_table->setModel(m_model);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setAccessibleName(tr("Queue"));
  m_table->setObjectName(QStringLiteral("queue"));
  m_table->horizontalHeader()->setStretchLastSection(false);
  m_table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
  m_log->setReadOnly(true);
  m_log->setMaximumBlockCount(queue::JobState::kLogLines);
  m_log->setFont(fixedFont(font()));
  m_log->setFrameShape(QFrame::NoFrame);
  m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_log->setAccessibleName(tr("Log"));
  m_logFilter->setPlaceholderText(tr("Filter log"));
  m_logFilter->setAccessibleName(tr("Filter log"));
  m_logFilter->setClearButtonEnabled(true);
  auto* logSide = new QWidget(m_page);
  auto* logLayout = new QVBoxLayout(logSide);
  logLayout->setContentsMargins(0, 0, 0, 0);
  logLayout->setSpacing(0);
  logLayout->addWidget(m_logFilter);
  logLayout->addWidget(m_log, 1);
  auto* split = new QSplitter(Qt::Horizontal, m_page);
  split->addWidget(m_table);
  split->addWidget(logSide);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  auto* layout = new QVBoxLayout(m_page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(split);
  setFocusProxy(m_table);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentRowChanged,
          this,
          &RunsView::onRowChanged);
  connect(m_logFilter, &QLineEdit::textChanged, this, [this] {
    m_loggedJob = 0;
    refreshLog();
  });
}

void RunsView::setReport(const DocumentPtr& /*document*/) {}

void RunsView::setSelection(const Selection& /*selection*/) {}

queue::JobStatePtr RunsView::currentJob() const {
  return context().queue.state(m_job);
}

void RunsView::refresh() {
  const std::vector<queue::JobStatePtr> jobs = context().queue.states();
  m_pages->setCurrentWidget(jobs.empty() ? static_cast<QWidget*>(m_empty) : m_page);
  if (!jobs.empty() && !currentJob()) {
    m_job = jobs.back()->id;
  }
  {
    const QScopedValueRollback<bool> guard(m_isRefreshing, true);
    const int before = m_model->rowCount();
    const int row = m_table->currentIndex().row();
    m_model->setRows(queueRows(jobs));
    if (m_model->rowCount() != before) {
      fitColumns(*m_table, 28);
      m_table->setCurrentIndex(m_model->index(std::clamp(row, 0, m_model->rowCount() - 1), 0));
    } else {
      widenColumns(*m_table, 28);
    }
  }
  updateActions();
  refreshLog();
}

void RunsView::refreshLog() {
  const queue::JobStatePtr job = currentJob();
  if (!job) {
    m_log->clear();
    return;
  }
  if (m_loggedJob != m_job) {
    m_log->clear();
    m_loggedLines = 0;
    m_loggedJob = m_job;
  }
  const std::uint64_t dropped = job->logTotal - static_cast<std::uint64_t>(job->log.size());
  const QString filter = m_logFilter->text();
  for (std::uint64_t line = std::max(m_loggedLines, dropped); line < job->logTotal; ++line) {
    const queue::LogLine& entry = job->log[static_cast<qsizetype>(line - dropped)];
    if (filter.isEmpty() || entry.text.contains(filter, Qt::CaseInsensitive)) {
      const bool plain = entry.level == QLatin1String("info");
      m_log->appendPlainText(plain ? entry.text
                                   : QStringLiteral("%1: %2").arg(entry.level, entry.text));
    }
  }
  m_loggedLines = job->logTotal;
}

void RunsView::onRowChanged() {
  const QModelIndex index = m_table->currentIndex();
  if (m_isRefreshing || !index.isValid()) {
    return;
  }
  m_job = m_model->row(index.row()).job;
  updateActions();
  refreshLog();
}

void RunsView::updateActions() {
  const queue::JobStatePtr job = currentJob();
  m_stop->setEnabled(job && !job->isOver());
  m_retry->setEnabled(job && job->isOver());
  m_show->setEnabled(job && !job->reportPath.empty());
}

QList<QAction*> RunsView::viewActions() const {
  return {m_stop, m_retry, m_show};
}

std::vector<Exhibit> RunsView::exhibits() const {
  const auto rows = queueRows(context().queue.states());
  if (rows->empty()) {
    return {};
  }
  return {{.id = m_table->objectName(),
           .title = tr("Queue of studies"),
           .paint = {},
           .table = [rows] { return queueTable(*rows); },
           .isTableThreadSafe = true}};
}

void registerRuns(ViewRegistry& registry);

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
