#include "views/plugins/runs/run_text.h"

#include <cmath>
#include <cstdint>

#include <QtCore/QCoreApplication>

#include "core/base/site.h"
#include "core/base/text/format_number.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

struct RunTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Runs)
};

bool isReference(const queue::JobState& job, const queue::JobRun& run) {
  return !job.runs.empty() && job.runs.front().name == run.name;
}

/// What a run is doing, as its events call it.
QString phaseText(const QString& phase) {
  for (const Pass pass : kPasses) {
    if (phase == utf8Text(toString(pass))) {
      return passText(pass);
    }
  }
  return phase == QStringLiteral("load")     ? RunTextWords::tr("load")
         : phase == QStringLiteral("choose") ? RunTextWords::tr("choose tokens")
         : phase == QStringLiteral("write")  ? RunTextWords::tr("write")
                                             : phase;
}

bool hasNotEnded(const queue::JobRun& run) {
  return run.status == report::RunStatus::Pending || run.status == report::RunStatus::Running;
}

}  // namespace

QString timeText(const std::optional<double>& seconds) {
  return seconds ? QString::fromStdString(formatDuration(*seconds)) : missingText();
}

QString bytesText(const std::optional<double>& bytes) {
  return bytes ? QString::fromStdString(formatBytes(static_cast<std::uint64_t>(*bytes)))
               : missingText();
}

QString shareText(double fraction) {
  constexpr double kPercent = 100;
  return QStringLiteral("%1 %").arg(static_cast<int>(std::floor(fraction * kPercent)));
}

QString stateText(const StateText& state) {
  return QStringLiteral("%1 %2").arg(state.glyph, state.word);
}

StateText jobStateText(const queue::JobState& job) {
  switch (job.status) {
    case queue::JobStatus::Queued:
      return runStateText(report::RunStatus::Pending);
    case queue::JobStatus::Running:
      return runStateText(report::RunStatus::Running);
    case queue::JobStatus::Cancelling:
      return {QStringLiteral("◐"), RunTextWords::tr("stopping"), Severity::Fine};
    case queue::JobStatus::Finished:
      return runStateText(report::RunStatus::Finished);
    case queue::JobStatus::Failed:
      return job.death.isEmpty()
                 ? runStateText(report::RunStatus::Failed)
                 : StateText{
                       severityGlyph(Severity::Broken), RunTextWords::tr("died"), Severity::Broken};
    case queue::JobStatus::Cancelled:
      return runStateText(report::RunStatus::Cancelled);
  }
  return {};
}

StateText variantStateText(const queue::JobState& job, const queue::JobRun& run) {
  if (job.isOver() && run.status == report::RunStatus::Pending) {
    return {QStringLiteral("○"), RunTextWords::tr("not run"), Severity::Fine};
  }
  if (run.isSkipAsked && hasNotEnded(run)) {
    return {QStringLiteral("◌"), RunTextWords::tr("to be skipped"), Severity::Fine};
  }
  const auto index = static_cast<int>(&run - job.runs.data());
  if (run.status == report::RunStatus::Running && !job.isOver() && !job.isCurrent(index)) {
    // For its next sample, while another run has its turn.
    return runStateText(report::RunStatus::Pending);
  }
  return runStateText(run.status);
}

QString studyName(const queue::JobState& job) {
  return QString::fromStdString(job.request.studyFile.filename().string());
}

QString outputText(const queue::JobState& job) {
  return QString::fromStdString(job.outputDir.string());
}

QString placeText(const queue::JobState& job) {
  return placeText(job.phase, job.site);
}

QString placeText(const QString& phase, const QString& site) {
  const QString text = phaseText(phase);
  return site.isEmpty() ? text : QStringLiteral("%1 · %2").arg(text, site);
}

bool canBeSkipped(const queue::JobState& job, const queue::JobRun& run) {
  return hasNotEnded(run) && !run.isSkipAsked && !isReference(job, run) &&
         (job.status == queue::JobStatus::Queued || job.status == queue::JobStatus::Running);
}

bool canLeaveFailed(const queue::JobState& job) {
  bool hasFailed = false;
  bool hasOthers = false;
  for (const queue::JobRun& run : job.runs) {
    const bool isSettled =
        run.status == report::RunStatus::Finished || run.status == report::RunStatus::Skipped;
    const bool stays = !isReference(job, run) && job.hasFailed(run);
    hasFailed = hasFailed || stays;
    hasOthers = hasOthers || (!stays && !isSettled);
  }
  return canBeResumed(job) && hasFailed && hasOthers;
}

bool canBeResumed(const queue::JobState& job) {
  return (job.status == queue::JobStatus::Failed && job.conflicts.isEmpty()) ||
         job.status == queue::JobStatus::Cancelled;
}

}  // namespace ulp::views
