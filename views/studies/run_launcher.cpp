#include "views/studies/run_launcher.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/report/model/effective_config.h"
#include "core/report/summary/provenance_line.h"
#include "core/study/reading/changed_settings.h"
#include "core/study/reading/foreign_code.h"
#include "core/study/reading/study.h"
#include "core/study/schema/device_names.h"
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

bool isFinishedVariant(const report::Run& run) {
  return run.status == report::RunStatus::Finished && run.role == report::RunRole::Variant;
}

bool hasRun(const study::Study& study, const std::string& name) {
  return name == study::kReferenceName ||
         std::ranges::count(study.variants, name, &study::Variant::name) > 0;
}

/// What of finished runs can be seen to be another one before model and input are read: the worker
/// compares everything. Kernels of attention are chosen for the device, and the noise floor's runs
/// by the worker.
std::string changeOf(const study::Study& study,
                     const report::Run& run,
                     const report::EffectiveConfig& recorded,
                     bool isOnCpu) {
  if (!hasRun(study, run.name)) {
    return "the study no longer has this variant";
  }
  const auto keys =
      std::ranges::find(recorded, run.name, &report::EffectiveConfig::value_type::first);
  auto settings = study::effectiveSettings(study, run.name);
  if (keys == recorded.end() || !settings) {
    return {};
  }
  settings->insert(study.settings.begin(), study.settings.end());
  return study::changedSetting(*settings, [&](std::string_view key) -> const std::string* {
    const auto found = keys->second.find(key);
    const bool isChosenForDevice = !isOnCpu && key == "attention.implementation";
    return found == keys->second.end() || isChosenForDevice ? nullptr : &found->second.value;
  });
}

/// Why the study cannot go on with a report; empty: nothing is seen.
QString conflictOf(const study::Study& study, const report::Report& report) {
  const auto recorded = report::effectiveConfig(report);
  if (!recorded) {
    return QString::fromStdString(recorded.error().message());
  }
  const bool isOnCpu = study::areCpus(report::deviceId(report.provenance));
  std::vector<study::RunChange> changes;
  std::size_t compared = 0;
  for (const report::Run& run : report.runs) {
    if (!isFinishedVariant(run)) {
      continue;
    }
    ++compared;
    if (std::string change = changeOf(study, run, *recorded, isOnCpu); !change.empty()) {
      changes.push_back({run.name, std::move(change)});
    }
  }
  QStringList conflicts;
  for (const std::string& conflict : study::changesOnce(changes, compared)) {
    conflicts << QString::fromStdString(conflict);
  }
  return conflicts.join(QStringLiteral("; "));
}

int finishedOf(const study::Study& study, const report::Report& report) {
  return static_cast<int>(std::ranges::count_if(report.runs, [&](const report::Run& run) {
    return isFinishedVariant(run) && hasRun(study, run.name);
  }));
}

int failedOf(const study::Study& study, const report::Report& report) {
  return static_cast<int>(std::ranges::count_if(report.runs, [&](const report::Run& run) {
    return run.status == report::RunStatus::Failed && run.role == report::RunRole::Variant &&
           run.name != report.reference && hasRun(study, run.name);
  }));
}

/// "3–4", the samples that the runs which are to be made have already; empty: none has any.
QString keptSamplesOf(const study::Study& study, const report::Report& report) {
  std::vector<std::uint64_t> kept;
  for (const report::Run& run : report.runs) {
    const bool isMade = run.status != report::RunStatus::Finished &&
                        run.status != report::RunStatus::Skipped && hasRun(study, run.name);
    if (isMade && report.provenance.samples > 1) {
      kept.push_back(run.samples);
    }
  }
  if (kept.empty() || std::ranges::max(kept) == 0) {
    return {};
  }
  const auto [least, most] = std::ranges::minmax(kept);
  return least == most ? QString::number(most) : QStringLiteral("%1–%2").arg(least).arg(most);
}

/// What a job may start with of what an earlier one ended with.
queue::JobRequest continuing(const queue::JobState& job, bool keepsFailed) {
  queue::JobRequest request = job.request;
  request.existing = worker::ExistingResults::Resume;
  request.keepsFailed = keepsFailed;
  request.isProof = false;
  request.skips.clear();
  request.expectedRuns = job.runs;
  for (queue::JobRun& run : request.expectedRuns) {
    run.isSkipAsked = false;
    const bool stays = run.status == report::RunStatus::Finished ||
                       run.status == report::RunStatus::Skipped ||
                       (keepsFailed && job.hasFailed(run));
    if (!stays) {
      run = {.name = run.name};
    }
  }
  return request;
}

}  // namespace

/// What the background finds out about a study before it is started.
struct RunLauncher::Checked {
  queue::JobRequest request;
  bool hasResults = false;
  int finished = 0;       ///< runs of the study that the results have
  int failed = 0;         ///< variants of it that failed there
  QString keptSamples{};  ///< of the others; empty: none
  qulonglong samples = 1;
  QStringList code{};     ///< that the study brings
  QString conflict = {};  ///< why the results cannot be continued; empty: nothing speaks against it
};

Result<RunLauncher::Checked> RunLauncher::checkStudy(const std::string& text,
                                                     const std::string& path) {
  const auto study = ULP_TRY(study::parseStudy(text, path));
  Checked checked{.request = {.studyFile = path,
                              .outputDir = study.outputDir,
                              .expectedRuns = plannedRuns(study)}};
  for (const std::string& code : study::foreignCode(study)) {
    checked.code << QString::fromStdString(code);
  }
  const std::filesystem::path file = study.outputDir / "precision_report.json";
  std::error_code ignored;
  checked.hasResults = std::filesystem::exists(file, ignored);
  if (checked.hasResults) {
    const auto earlier = report::loadReport(file);
    checked.conflict = earlier ? conflictOf(study, *earlier->report)
                               : QString::fromStdString(earlier.error().message());
    checked.finished = earlier ? finishedOf(study, *earlier->report) : 0;
    checked.failed = earlier ? failedOf(study, *earlier->report) : 0;
    checked.keptSamples = earlier ? keptSamplesOf(study, *earlier->report) : QString();
    checked.samples = earlier ? earlier->report->provenance.samples : 1;
  }
  return checked;
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
  launchWith({});
}

void RunLauncher::launchOn(const QString& host, bool installs) {
  launchWith({.host = host, .installs = installs});
}

void RunLauncher::launchWith(const queue::JobRequest& place) {
  const StudyText& study = m_workspace.study.finished();
  if (study.path.isEmpty()) {
    m_workspace.requests.saveStudy([this, place] { launchWith(place); });
    return;
  }
  if (study.isModified()) {
    m_workspace.study.save(study.path, [this, place](const Result<>& saved) {
      if (!saved) {
        m_workspace.messages.raise(messageOf(saved.error(), kRunTag));
        return;
      }
      // What was said of the last run stays until the check has an answer.
      check(place);
    });
    return;
  }
  check(place);
}

void RunLauncher::check(const queue::JobRequest& place) {
  const StudyText& study = m_workspace.study.content();
  const std::string text = study.text.toStdString();
  const std::string path = study.path.toStdString();
  m_background.run<Result<Checked>>(
      kRunTag,
      this,
      [text, path, place](const std::stop_token&) {
        auto checked = checkStudy(text, path);
        if (checked) {
          checked->request.host = place.host;
          checked->request.installs = place.installs;
        }
        return checked;
      },
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
  } else if (!mayRunCode(*checked, topic)) {
    return;
  } else if (checked->hasResults) {
    decide(*checked, topic);
  } else {
    m_workspace.messages.dismiss(topic);
    enqueue(checked->request);
  }
}

bool RunLauncher::mayRunCode(const Checked& checked, const QString& topic) {
  const QString file = QString::fromStdString(checked.request.studyFile.string());
  QStringList asked;
  for (const QString& code : checked.code) {
    if (!m_agreed.contains(file + QLatin1Char('|') + code)) {
      asked << code;
    }
  }
  if (asked.isEmpty()) {
    return true;
  }
  m_workspace.messages.raise(
      {.text = tr("Running %1 executes code that is not Ulpscope's, with all rights that you have: "
                  "%2. Run it only if you trust whoever wrote it.")
                   .arg(file, asked.join(QStringLiteral(", "))),
       .topic = topic,
       .actions = {{tr("Run it"), [this, checked, file, asked, topic] {
                      for (const QString& code : asked) {
                        m_agreed << file + QLatin1Char('|') + code;
                      }
                      m_workspace.messages.dismiss(topic);
                      take(checked, topic);
                    }}}});
  return false;
}

void RunLauncher::decide(const Checked& checked, const QString& topic) {
  if (!checked.conflict.isEmpty()) {
    refuseResuming(checked.request, checked.conflict, topic);
    return;
  }
  const QString folder = QString::fromStdString(checked.request.outputDir.string());
  const auto runs = static_cast<int>(checked.request.expectedRuns.size());
  std::vector<MessageAction> actions;
  QString text;
  if (checked.finished >= runs) {
    text = tr("%1 already holds the results of this study.").arg(folder);
    actions.push_back({tr("Open them"), [this, folder, topic] {
                         m_workspace.messages.dismiss(topic);
                         m_workspace.reports.open({folder});
                       }});
  } else {
    const QString finished = QString::number(checked.finished);
    text = checked.keptSamples.isEmpty()
               ? tr("%1 already holds results of this study: %2 of %3 runs are finished. Resume "
                    "keeps them and makes the others.")
                     .arg(folder, finished, QString::number(runs))
               : tr("%1 already holds results of this study: %2 of %3 runs are finished, the "
                    "others have %4 of %5 samples. Resume keeps all of that and makes the rest.")
                     .arg(folder,
                          finished,
                          QString::number(runs),
                          checked.keptSamples,
                          QString::number(checked.samples));
    queue::JobRequest resumed = checked.request;
    resumed.existing = worker::ExistingResults::Resume;
    actions.push_back({tr("Resume"), starting(resumed, topic)});
    if (checked.failed > 0 && checked.finished + checked.failed < runs) {
      text += QLatin1Char(' ') +
              tr("%n variant(s) failed and would be tried again.", nullptr, checked.failed);
      resumed.keepsFailed = true;
      actions.push_back({tr("Resume without them"), starting(std::move(resumed), topic)});
    }
  }
  std::ranges::move(waysToStartAnew(checked.request, topic), std::back_inserter(actions));
  m_workspace.messages.raise({.text = text, .topic = topic, .actions = std::move(actions)});
}

void RunLauncher::refuseResuming(const queue::JobRequest& request,
                                 const QString& reason,
                                 const QString& topic) {
  m_workspace.messages.raise(
      {.text = tr("%1 holds results that this study cannot continue: %2.")
                   .arg(QString::fromStdString(request.outputDir.string()), reason),
       .topic = topic,
       .actions = waysToStartAnew(request, topic)});
}

std::vector<MessageAction> RunLauncher::waysToStartAnew(const queue::JobRequest& request,
                                                        const QString& topic) {
  queue::JobRequest replacing = request;
  replacing.existing = worker::ExistingResults::Overwrite;
  return {{tr("New folder"), [this, request, topic] { startInFreeFolder(request, topic); }},
          {tr("Replace"), starting(std::move(replacing), topic)}};
}

std::function<void()> RunLauncher::starting(queue::JobRequest request, const QString& topic) {
  return [this, request = std::move(request), topic] {
    m_workspace.messages.dismiss(topic);
    enqueue(request);
  };
}

void RunLauncher::startInFreeFolder(const queue::JobRequest& request, const QString& topic) {
  m_background.run<std::filesystem::path>(
      topic,
      this,
      [taken = request.outputDir](const std::stop_token&) { return freeFolder(taken); },
      [this, request, topic](const std::filesystem::path& folder) {
        queue::JobRequest moved = request;
        moved.outputDir = folder;
        moved.existing = worker::ExistingResults::Refuse;
        starting(std::move(moved), topic)();
      });
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
  queue::JobRequest request = continuing(job, false);
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

void RunLauncher::resumeWithoutFailed(const queue::JobState& job) {
  enqueue(continuing(job, true));
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
  if (state->request.isProof) {
    return;
  }
  if (state->status == queue::JobStatus::Failed && !state->conflicts.isEmpty()) {
    queue::JobRequest anew = state->request;
    anew.outputDir = state->outputDir;
    for (queue::JobRun& run : anew.expectedRuns) {
      run = {.name = run.name};
    }
    refuseResuming(anew, state->conflicts.join(QStringLiteral("; ")), kRunTag);
  } else if (state->status == queue::JobStatus::Failed) {
    m_workspace.messages.raise(
        {.severity = Severity::Broken, .text = state->error, .topic = kRunTag});
  }
}

}  // namespace ulp::views
