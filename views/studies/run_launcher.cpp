#include "views/studies/run_launcher.h"

#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/study/reading/study.h"
#include "views/framework/threads/background.h"
#include "views/framework/words/utf8_text.h"
#include "views/framework/workspace/workspace.h"
#include "views/studies/repeat_study.h"

namespace ulp::views {
namespace {

const QString kRunTag = QStringLiteral("run");

std::vector<queue::JobRun> plannedRuns(const study::Study& study) {
  std::vector<queue::JobRun> runs{{.name = utf8Text(study::kReferenceName)}};
  for (const study::Variant& variant : study.variants) {
    runs.push_back({.name = QString::fromStdString(variant.name)});
  }
  return runs;
}

/// What a job may start with of what an earlier one ended with.
std::vector<queue::JobRun> asBefore(std::vector<queue::JobRun> runs) {
  for (queue::JobRun& run : runs) {
    run.isSkipAsked = false;
    if (run.status != report::RunStatus::Finished && run.status != report::RunStatus::Skipped) {
      run = {.name = run.name};
    }
  }
  return runs;
}

}  // namespace

/// What the background finds out about a study before it is started.
struct RunLauncher::Checked {
  queue::JobRequest request;
  bool hasResults = false;
};

Result<RunLauncher::Checked> RunLauncher::checkStudy(const std::string& text,
                                                     const std::string& path) {
  const auto study = ULP_TRY(study::parseStudy(text, path));
  std::error_code ignored;
  return Checked{
      .request = {.studyFile = path,
                  .outputDir = study.outputDir,
                  .expectedRuns = plannedRuns(study)},
      .hasResults = std::filesystem::exists(study.outputDir / "precision_report.json", ignored)};
}

Result<RunLauncher::Checked> RunLauncher::checkFile(const std::string& path) {
  const auto text = ULP_TRY(readTextFile(path, kStudyLimitBytes));
  return checkStudy(text, path);
}

RunLauncher::RunLauncher(Workspace& workspace, Background& background, queue::JobQueue& jobs)
    : m_workspace(workspace), m_background(background), m_jobs(jobs) {
  connect(&m_jobs, &queue::JobQueue::reportUpdated, this, &RunLauncher::onReportUpdated);
  connect(&m_jobs, &queue::JobQueue::jobFinished, this, &RunLauncher::onFinished);
  connect(&m_workspace.reports, &ReportSet::reportRequested, this, [this] { m_followed.reset(); });
}

void RunLauncher::launch() {
  const StudyText& study = m_workspace.study.content();
  if (study.path.isEmpty()) {
    m_workspace.requests.saveStudy([this] { launch(); });
    return;
  }
  if (study.isModified()) {
    m_workspace.study.save(study.path, [this](const Result<>& saved) {
      if (!saved) {
        m_workspace.messages.raise(messageOf(saved.error(), kRunTag));
        return;
      }
      // What was said of the last run stays until the check has an answer.
      check();
    });
    return;
  }
  check();
}

void RunLauncher::check() {
  const StudyText& study = m_workspace.study.content();
  const std::string text = study.text.toStdString();
  const std::string path = study.path.toStdString();
  m_background.run<Result<Checked>>(
      kRunTag,
      this,
      [text, path](const std::stop_token&) { return checkStudy(text, path); },
      [this](const Result<Checked>& checked) { take(checked, kRunTag); });
}

void RunLauncher::enqueueFiles(const QStringList& paths) {
  using CheckedFiles = std::vector<std::pair<QString, Result<Checked>>>;
  m_background.run<CheckedFiles>(
      // A tag of its own for each list: none replaces another.
      QStringLiteral("run files %1").arg(++m_fileLists),
      this,
      [paths](const std::stop_token& stop) {
        CheckedFiles all;
        for (const QString& path : paths) {
          if (!stop.stop_requested()) {
            all.emplace_back(path, checkFile(path.toStdString()));
          }
        }
        return all;
      },
      [this](const CheckedFiles& all) {
        for (const auto& [path, checked] : all) {
          take(checked, kRunTag + QLatin1Char(':') + path);
        }
      });
}

void RunLauncher::take(const Result<Checked>& checked, const QString& topic) {
  if (!checked) {
    m_workspace.messages.raise(messageOf(checked.error(), topic));
  } else if (checked->hasResults) {
    decide(checked->request, topic);
  } else {
    m_workspace.messages.dismiss(topic);
    enqueue(checked->request);
  }
}

void RunLauncher::decide(const queue::JobRequest& request, const QString& topic) {
  const auto start = [this, request, topic](worker::ExistingResults existing) {
    return [this, started = request, topic, existing]() mutable {
      m_workspace.messages.dismiss(topic);
      started.existing = existing;
      enqueue(started);
    };
  };
  m_workspace.messages.raise(
      {.text = tr("%1 already holds results. Resume keeps finished runs and makes the missing "
                  "ones; overwrite starts anew.")
                   .arg(QString::fromStdString(request.outputDir.string())),
       .topic = topic,
       .actions = {{tr("Resume"), start(worker::ExistingResults::Resume)},
                   {tr("Overwrite"), start(worker::ExistingResults::Overwrite)}}});
}

void RunLauncher::enqueue(queue::JobRequest request) {
  const queue::JobStatePtr followed = m_followed ? m_jobs.state(*m_followed) : nullptr;
  m_workspace.messages.dismiss(kRunTag);
  const queue::JobId job = m_jobs.enqueue(std::move(request));
  // What comes in now must not be taken away by a study that only waits.
  if (!followed || followed->isOver()) {
    m_followed = job;
  }
  Q_EMIT launched(job);
}

void RunLauncher::resume(const queue::JobState& job, const QStringList& variants) {
  queue::JobRequest request = job.request;
  request.existing = worker::ExistingResults::Resume;
  request.skips.clear();
  request.expectedRuns = asBefore(job.runs);
  if (!variants.isEmpty()) {
    request.variants = variants;
    for (queue::JobRun& run : request.expectedRuns) {
      if (variants.contains(run.name)) {
        run.status = report::RunStatus::Pending;
      }
    }
  }
  enqueue(std::move(request));
}

void RunLauncher::editAgain(const queue::JobState& job) {
  const std::filesystem::path copy = job.outputDir / "study.yaml";
  m_background.run<Result<std::string>>(
      kRunTag,
      this,
      [copy, file = job.request.studyFile, output = job.outputDir](
          const std::stop_token&) -> Result<std::string> {
        // The run folder's copy is what ran, whatever became of the file since.
        std::error_code ignored;
        const bool hasCopy = !output.empty() && std::filesystem::exists(copy, ignored);
        const QString shown = QString::fromStdString((hasCopy ? copy : file).string());
        const QString content = ULP_TRY(readStudyText(shown));
        const std::string text = content.toStdString();
        if (!output.empty()) {
          return repeatStudy(text, file, output);
        }
        const auto parsed = study::parseStudy(text, file.string());
        return repeatStudy(text, file, parsed ? parsed->outputDir : "runs/study");
      },
      [this](const Result<std::string>& text) {
        if (text) {
          m_workspace.study.openCopy(QString::fromStdString(*text));
        } else {
          m_workspace.messages.raise(messageOf(text.error(), kRunTag));
        }
      });
}

void RunLauncher::show(const queue::JobState& job) {
  m_workspace.reports.open({QString::fromStdString(job.reportPath.string())});
  m_followed = job.id;
}

void RunLauncher::onReportUpdated(const queue::JobStatePtr& state) {
  if (m_followed == state->id) {
    m_workspace.reports.follow(QString::fromStdString(state->reportPath.string()));
  }
}

void RunLauncher::onFinished(const queue::JobStatePtr& state) {
  if (state->status == queue::JobStatus::Failed) {
    m_workspace.messages.raise(
        {.severity = Severity::Broken, .text = state->error, .topic = kRunTag});
  }
}

}  // namespace ulp::views
