#include "views/plugins/runs/job_summary.h"

#include <cmath>

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

#include "views/framework/look/icons.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/words/metric_text.h"
#include "views/plugins/runs/memory_line.h"
#include "views/plugins/runs/row_cells.h"
#include "views/plugins/runs/run_text.h"

namespace ulp::views {
namespace {

QString separator() {
  return QStringLiteral(" · ");
}

QString gpuText(const queue::GpuUse& gpu) {
  const QString total = bytesText(gpu.totalBytes);
  const QString memory =
      gpu.processBytes
          ? JobSummary::tr("GPU memory %1 of %2").arg(bytesText(gpu.processBytes), total)
          : JobSummary::tr("GPU memory %1 of %2, all programs together")
                .arg(bytesText(gpu.usedBytes), total);
  const QString use =
      gpu.utilization
          ? QStringLiteral("%1 %").arg(static_cast<int>(std::lround(*gpu.utilization * 100)))
          : missingText();
  return memory + separator() + JobSummary::tr("GPU busy %1").arg(use);
}

QString stateLine(const queue::JobState& job) {
  const StateText state = jobStateText(job);
  QStringList parts{QStringLiteral("%1 %2").arg(state.glyph, state.word)};
  if (job.status != queue::JobStatus::Queued) {
    parts << shareText(job.fraction);
  }
  if (job.elapsedSeconds > 0) {
    parts << JobSummary::tr("%1 elapsed").arg(timeText(job.elapsedSeconds));
  }
  if (!job.isOver() && job.etaSeconds) {
    parts << JobSummary::tr("%1 left").arg(timeText(job.etaSeconds));
  }
  QString line = parts.join(separator());
  if (!job.isOver() && job.currentRun >= 0) {
    const QString& run = job.runs[static_cast<std::size_t>(job.currentRun)].name;
    const QString place = placeText(job);
    line += QLatin1Char('\n') + (place.isEmpty() ? run : run + separator() + place);
  }
  return line;
}

}  // namespace

QString memoryText(const queue::JobState& job) {
  const QString device =
      job.device.startsWith(QLatin1String("cuda"))
          ? (job.gpu ? gpuText(*job.gpu) : JobSummary::tr("GPU %1").arg(missingText()))
          : QString();
  if (!job.memory) {
    return JobSummary::tr("Memory %1").arg(missingText()) +
           (device.isEmpty() ? QString() : separator() + device);
  }
  const QString peak = bytesText(job.memory->peakBytes);
  const QString memory =
      job.isOver()
          ? JobSummary::tr("Memory at most %1").arg(peak)
          : JobSummary::tr("Memory %1, at most %2").arg(bytesText(job.memory->residentBytes), peak);
  return device.isEmpty() ? memory + separator() + JobSummary::tr("GPU %1").arg(missingText())
                          : memory + separator() + device;
}

JobSummary::JobSummary(const ThemeManager& themes, QWidget* parent)
    : QWidget(parent),
      m_themes(themes),
      m_state(new QLabel(this)),
      m_usage(new QLabel(this)),
      m_line(new MemoryLine(themes, this)),
      m_failure(new QWidget(this)),
      m_reason(new QLabel(m_failure)),
      m_messages(new QLabel(m_failure)),
      m_resume(new QPushButton(tr("Resume"), m_failure)) {
  for (QLabel* label : {m_state, m_usage, m_reason, m_messages}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  }
  m_state->setObjectName(QStringLiteral("jobState"));
  m_usage->setObjectName(QStringLiteral("jobUsage"));
  m_reason->setObjectName(QStringLiteral("jobReason"));
  m_messages->setObjectName(QStringLiteral("jobMessages"));
  m_state->setAccessibleName(tr("State of the study"));
  m_usage->setAccessibleName(tr("Memory of the worker"));
  m_reason->setAccessibleName(tr("Why it failed"));
  m_messages->setAccessibleName(tr("Last messages of the worker"));
  auto* usage = new QHBoxLayout;
  usage->setSpacing(8);
  usage->addWidget(m_usage, 1);
  usage->addWidget(m_line);
  makeFailure();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(4);
  layout->addWidget(m_state);
  layout->addLayout(usage);
  layout->addWidget(m_failure);
  connect(&themes, &ThemeManager::themeChanged, this, &JobSummary::setColors);
  setColors();
}

void JobSummary::makeFailure() {
  auto* edit = new QPushButton(tr("Edit and run again"), m_failure);
  auto* copy = new QPushButton(tr("Copy log"), m_failure);
  m_resume->setToolTip(tr("Go on with what is finished kept"));
  edit->setToolTip(tr("Open the study in the editor, with a new folder for its results"));
  copy->setToolTip(tr("Copy the messages that are shown in the log"));
  m_resume->setIcon(themedIcon(QStringLiteral("resume")));
  edit->setIcon(themedIcon(QStringLiteral("edit")));
  copy->setIcon(themedIcon(QStringLiteral("copy")));
  for (QPushButton* button : {m_resume, edit, copy}) {
    growIconsWithText(*button);
  }
  m_messages->setFont(fixedFont(font()));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(m_resume);
  buttons->addWidget(edit);
  buttons->addWidget(copy);
  buttons->addStretch(1);
  auto* layout = new QVBoxLayout(m_failure);
  layout->setContentsMargins(0, 4, 0, 4);
  layout->setSpacing(4);
  layout->addWidget(m_reason);
  layout->addWidget(m_messages);
  layout->addLayout(buttons);
  connect(m_resume, &QPushButton::clicked, this, &JobSummary::resumeRequested);
  connect(edit, &QPushButton::clicked, this, &JobSummary::editRequested);
  connect(copy, &QPushButton::clicked, this, &JobSummary::copyLogRequested);
}

void JobSummary::setColors() {
  QPalette palette = m_reason->palette();
  palette.setColor(QPalette::WindowText, m_themes.theme().severityColor(Severity::Broken));
  m_reason->setPalette(palette);
}

void JobSummary::setJob(const queue::JobStatePtr& job) {
  setVisible(job != nullptr);
  if (!job) {
    return;
  }
  m_state->setText(stateLine(*job));
  m_usage->setText(memoryText(*job));
  m_usage->setVisible(job->status != queue::JobStatus::Queued);
  m_line->setHistory(job->memoryHistory);
  m_line->setVisible(job->memoryHistory.size() > 1);
  showFailure(*job);
}

void JobSummary::showFailure(const queue::JobState& job) {
  const bool hasFailed = job.status == queue::JobStatus::Failed;
  m_failure->setVisible(hasFailed);
  if (!hasFailed) {
    return;
  }
  m_reason->setText(QStringLiteral("%1 %2").arg(severityGlyph(Severity::Broken),
                                                job.death.isEmpty() ? job.error : job.death));
  m_messages->setText(job.lastMessages.join(QLatin1Char('\n')));
  m_messages->setHidden(job.lastMessages.isEmpty());
}

}  // namespace ulp::views
