#include "views/framework/run_launcher.h"

#include <utility>

#include "core/base/atomic_file.h"
#include "core/study/study.h"
#include "views/framework/background.h"
#include "views/framework/workspace.h"

namespace ulp::views {
namespace {

const QString& runTag() {
  static const QString kTag = QStringLiteral("run");
  return kTag;
}

constexpr std::size_t kStudyLimitBytes = std::size_t{1} << 24;

/// What the background finds out about a study before it is started.
struct Checked {
  std::optional<Error> error;
  std::filesystem::path outputDir;
  bool hasResults = false;
};

Checked checkStudy(const Result<std::string>& text, const std::string& path) {
  Result<study::Study> parsed =
      text.and_then([&path](const std::string& read) { return study::parseStudy(read, path); });
  if (!parsed) {
    return {.error = std::move(parsed.error()), .outputDir = {}, .hasResults = false};
  }
  std::error_code ignored;
  const auto report = parsed->outputDir / "precision_report.json";
  return {.error = {},
          .outputDir = parsed->outputDir,
          .hasResults = std::filesystem::exists(report, ignored)};
}

}  // namespace

RunLauncher::RunLauncher(Workspace& workspace,
                         Background& background,
                         queue::JobQueue& jobs,
                         QObject* parent)
    : QObject(parent), m_workspace(workspace), m_background(background), m_jobs(jobs) {
  connect(&m_jobs, &queue::JobQueue::reportUpdated, this, &RunLauncher::onReportUpdated);
  connect(&m_jobs, &queue::JobQueue::jobFinished, this, &RunLauncher::onFinished);
  connect(&m_workspace, &Workspace::reportRequested, this, [this] { m_followed.reset(); });
}

void RunLauncher::launch() {
  const StudyText& study = m_workspace.study();
  if (study.path.isEmpty()) {
    m_workspace.askToSaveStudy([this] { launch(); });
    return;
  }
  if (study.isModified()) {
    if (const Result<> saved = m_workspace.saveStudy(study.path); !saved) {
      m_workspace.raise(messageOf(saved.error(), runTag()));
      return;
    }
  }
  const std::string text = study.text.toStdString();
  enqueueIfValid(runTag(), study.path.toStdString(), [text] { return Result<std::string>(text); });
}

void RunLauncher::enqueueFile(const QString& path) {
  const std::string file = path.toStdString();
  enqueueIfValid(QStringLiteral("%1/%2").arg(runTag(), path), file, [file] {
    return readTextFile(file, kStudyLimitBytes);
  });
}

void RunLauncher::enqueueIfValid(const QString& tag,
                                 const std::string& path,
                                 const std::function<Result<std::string>()>& read) {
  m_background.run<Checked>(
      tag,
      this,
      [read, path](const std::stop_token&) { return checkStudy(read(), path); },
      [this, path](const Checked& checked) {
        if (checked.error) {
          m_workspace.raise(messageOf(*checked.error, runTag()));
        } else if (checked.hasResults) {
          decide(path, checked.outputDir);
        } else {
          enqueue(path, worker::ExistingResults::Refuse);
        }
      });
}

void RunLauncher::decide(const std::filesystem::path& studyFile,
                         const std::filesystem::path& outputDir) {
  const auto start = [this, studyFile](worker::ExistingResults existing) {
    return [this, studyFile, existing] { enqueue(studyFile, existing); };
  };
  m_workspace.raise(
      {.severity = Severity::Look,
       .text = tr("%1 already holds results. Resume keeps finished runs and makes the missing "
                  "ones; overwrite starts anew.")
                   .arg(QString::fromStdString(outputDir.string())),
       .topic = runTag(),
       .actions = {{tr("Resume"), start(worker::ExistingResults::Resume)},
                   {tr("Overwrite"), start(worker::ExistingResults::Overwrite)}}});
}

void RunLauncher::enqueue(const std::filesystem::path& studyFile,
                          worker::ExistingResults existing) {
  queue::JobRequest request;
  request.studyFile = studyFile;
  request.existing = existing;
  enqueue(std::move(request));
}

void RunLauncher::enqueue(queue::JobRequest request) {
  m_workspace.dismiss(runTag());
  // A file that has to wait does not keep the results of what runs from appearing.
  const bool isOpen = request.studyFile == m_workspace.study().path.toStdString();
  const bool follows = isOpen || !m_jobs.isBusy();
  const queue::JobId job = m_jobs.enqueue(std::move(request));
  if (follows) {
    m_followed = job;
  }
  Q_EMIT launched(job);
}

void RunLauncher::retry(const queue::JobState& job) {
  queue::JobRequest request = job.request;
  request.existing = worker::ExistingResults::Resume;
  enqueue(std::move(request));
}

void RunLauncher::show(const queue::JobState& job) {
  m_workspace.open(QString::fromStdString(job.reportPath.string()));
  m_followed = job.id;
}

void RunLauncher::onReportUpdated(const queue::JobStatePtr& state) {
  if (m_followed == state->id) {
    m_workspace.follow(QString::fromStdString(state->reportPath.string()));
  }
}

void RunLauncher::onFinished(const queue::JobStatePtr& state) {
  if (state->status == queue::JobStatus::Failed) {
    m_workspace.raise(
        {.severity = Severity::Broken, .text = state->error, .topic = runTag(), .actions = {}});
  }
}

}  // namespace ulp::views
