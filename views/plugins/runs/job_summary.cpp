#include "views/plugins/runs/job_summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QtCore/QCoreApplication>
#include <QtGui/QPainter>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "views/framework/look/icons.h"
#include "views/framework/look/sparkline.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/words/metric_text.h"
#include "views/plugins/runs/run_text.h"

namespace ulp::views {
namespace {

/// Characters.
constexpr int kMemoryLineWidth = 18;

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

/// What is computed now: of one worker the place as well.
QString runsThatGoOn(const queue::JobState& job) {
  QStringList names;
  for (const auto& [worker, run] : job.runOfWorker) {
    names << job.runs[static_cast<std::size_t>(run)].name;
  }
  const QString place = placeText(job);
  const bool isOne = names.size() <= 1;
  const QString& run = job.runs[static_cast<std::size_t>(job.currentRun)].name;
  return !isOne            ? names.join(QStringLiteral(", "))
         : place.isEmpty() ? run
                           : run + separator() + place;
}

QString stateLine(const queue::JobState& job) {
  QStringList parts{stateText(jobStateText(job))};
  if (!job.request.host.isEmpty()) {
    parts << (job.isDisconnected && !job.isOver()
                  ? JobSummary::tr("on %1, which does not answer: it goes on there")
                        .arg(job.request.host)
                  : JobSummary::tr("on %1").arg(job.request.host));
  }
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
    line += QLatin1Char('\n') + runsThatGoOn(job);
  }
  return line;
}

}  // namespace

namespace {

/// Of a study on a host, which tells what its worker holds, and of each run that has finished how
/// much it took.
QString hostMemoryText(const queue::JobState& job) {
  std::uint64_t peak = 0;
  for (const queue::JobRun& run : job.runs) {
    peak = std::max(peak, run.peakBytes);
  }
  const QString& host = job.request.host;
  const QString most = bytesText(static_cast<double>(peak));
  const bool isOnGpu = job.device.startsWith(QLatin1String("cuda"));
  const QString gpu = isOnGpu && peak > 0
                          ? JobSummary::tr("GPU memory on %1 at most %2").arg(host, most)
                          : QString();
  if (job.memory) {
    const QString own = bytesText(job.memory->peakBytes);
    const QString memory = job.isOver() ? JobSummary::tr("Memory on %1 at most %2").arg(host, own)
                                        : JobSummary::tr("Memory on %1 %2, at most %3")
                                              .arg(host, bytesText(job.memory->residentBytes), own);
    return gpu.isEmpty() ? memory : memory + separator() + gpu;
  }
  if (peak == 0) {
    return JobSummary::tr("Memory on %1 is not known yet").arg(host);
  }
  return isOnGpu ? gpu : JobSummary::tr("Memory on %1 at most %2").arg(host, most);
}

}  // namespace

QString memoryText(const queue::JobState& job) {
  if (!job.request.host.isEmpty()) {
    return hostMemoryText(job);
  }
  if (job.isUseStale && !job.isOver()) {
    return JobSummary::tr("Memory and GPU unknown: the GPU's driver does not answer");
  }
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

/// A worker's memory from its start until now, small, from zero to the most that it had.
class MemoryLine : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::MemoryLine)

 public:
  MemoryLine(const ThemeManager& themes, QWidget* parent) : QWidget(parent), m_themes(themes) {
    setAccessibleName(tr("Memory of the worker over time"));
    setToolTip(tr("Memory of the worker from its start until now, from zero to its peak"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&themes, &ThemeManager::themeChanged, this, qOverload<>(&QWidget::update));
  }

  /// Bytes at equal distances of time.
  void setHistory(const QList<quint64>& bytes) {
    if (m_bytes != bytes) {
      m_bytes = bytes;
      update();
    }
  }
  [[nodiscard]] QSize sizeHint() const override {
    return {fontMetrics().averageCharWidth() * kMemoryLineWidth, fontMetrics().height() + 4};
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    if (m_bytes.size() < 2) {
      return;
    }
    const std::vector<double> values(m_bytes.begin(), m_bytes.end());
    const double most = *std::ranges::max_element(values);
    QPainter painter(this);
    paintSparkline(painter,
                   QRectF(rect()),
                   {.heights = sparkHeights(values, false, 0, most), .style = kReferenceStyle},
                   m_themes.theme());
  }

 private:
  const ThemeManager& m_themes;
  QList<quint64> m_bytes;
};

JobSummary::JobSummary(const ThemeManager& themes, QWidget* parent)
    : QWidget(parent),
      m_state(makeTextLabel(this)),
      m_usage(makeTextLabel(this)),
      m_line(new MemoryLine(themes, this)),
      m_failure(new QWidget(this)),
      m_reason(makeTextLabel(m_failure)),
      m_messages(makeTextLabel(m_failure)) {
  const auto setUp = [](QLabel& label, const char* id, const QString& name) {
    label.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label.setObjectName(QLatin1String(id));
    label.setAccessibleName(name);
  };
  setUp(*m_state, "jobState", tr("State of the study"));
  setUp(*m_usage, "jobUsage", tr("Memory of the worker"));
  setUp(*m_reason, "jobReason", tr("Why it failed"));
  setUp(*m_messages, "jobMessages", tr("Last messages of the worker"));
  m_messages->setFont(fixedFont(font()));
  columnOf(m_failure,
           {m_reason, m_messages, makeButtons()},
           {.margins = QMargins(0, 4, 0, 4), .spacing = 4});
  auto* usage = rowOf(nullptr, {{m_usage, 1}, m_line}, {.spacing = 8});
  columnOf(this, {m_state, usage, m_failure}, {.margins = QMargins(8, 4, 8, 4), .spacing = 4});
  themes.follow(m_reason, [reason = m_reason](const Theme& theme) {
    QPalette palette = reason->palette();
    palette.setColor(QPalette::WindowText, theme.severityColor(Severity::Broken));
    reason->setPalette(palette);
  });
}

QLayout* JobSummary::makeButtons() {
  const auto button = [this](const char* icon,
                             const QString& text,
                             const QString& toolTip,
                             void (JobSummary::*clicked)()) {
    auto* made = new QPushButton(themedIcon(QLatin1String(icon)), text, m_failure);
    made->setToolTip(toolTip);
    growIconsWithText(*made);
    connect(made, &QPushButton::clicked, this, clicked);
    return made;
  };
  m_resume = button(
      "resume", tr("Resume"), tr("Go on with what is finished kept"), &JobSummary::resumeRequested);
  return rowOf(nullptr,
               {m_resume,
                button("edit",
                       tr("Edit and run again"),
                       tr("Open the study in the editor, with a new folder for its results"),
                       &JobSummary::editRequested),
                button("copy",
                       tr("Copy log"),
                       tr("Copy the messages that are shown in the log"),
                       &JobSummary::copyLogRequested),
                BoxItem::stretch()},
               {.spacing = 8});
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
  const QString reason = !job.conflicts.isEmpty()
                             ? tr("The results in its folder are not of this study: %1.")
                                   .arg(job.conflicts.join(QStringLiteral("; ")))
                             : (job.death.isEmpty() ? job.error : job.death);
  m_reason->setText(QStringLiteral("%1 %2").arg(severityGlyph(Severity::Broken), reason));
  m_resume->setVisible(job.conflicts.isEmpty());
  m_messages->setText(job.lastMessages.join(QLatin1Char('\n')));
  m_messages->setHidden(job.lastMessages.isEmpty());
}

}  // namespace ulp::views
