#include "runner/queue/job_events.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <span>
#include <string>
#include <utility>

namespace ulp::queue {
namespace {

QString text(const std::string& utf8) {
  return QString::fromStdString(utf8);
}

report::RunStatus runStatus(const std::string& name) {
  for (const auto status :
       {report::RunStatus::Finished, report::RunStatus::Cancelled, report::RunStatus::Skipped}) {
    if (report::toString(status) == name) {
      return status;
    }
  }
  return report::RunStatus::Failed;
}

/// Position of a run, which is added when the worker never announced it.
int indexOfRun(JobState& state, const std::string& name) {
  const QString wanted = text(name);
  const auto found = std::ranges::find(state.runs, wanted, &JobRun::name);
  if (found == state.runs.end()) {
    state.runs.push_back({.name = wanted});
    return static_cast<int>(state.runs.size()) - 1;
  }
  return static_cast<int>(found - state.runs.begin());
}

void apply(JobState& state, const worker::StudyStarted& event) {
  state.outputDir = event.outputDir;
  state.resumed = event.resumed;
  state.currentRun = -1;
  state.runOfWorker.clear();
  const std::vector<JobRun> before = std::exchange(state.runs, {});
  for (const std::string& name : event.runs) {
    JobRun run{.name = text(name)};
    const auto known = std::ranges::find(before, run.name, &JobRun::name);
    const bool isFailed = std::ranges::count(event.failed, name) > 0;
    if (isFailed || std::ranges::count(event.kept, name) > 0) {
      const auto status = isFailed ? report::RunStatus::Failed : report::RunStatus::Finished;
      if (known != before.end() && known->status == status) {
        run = *known;
      }
      run.status = status;
    } else if (std::ranges::count(event.skipped, name) > 0) {
      run.status = report::RunStatus::Skipped;
    }
    run.isSkipAsked = known != before.end() && known->isSkipAsked;
    state.runs.push_back(std::move(run));
  }
}

void apply(JobState& state, const worker::RunStarted& event) {
  state.currentRun = indexOfRun(state, event.run);
  state.runOfWorker[event.worker] = state.currentRun;
  JobRun& run = state.runs.at(static_cast<std::size_t>(state.currentRun));
  // The reference runs again when a study is resumed.
  run.status = report::RunStatus::Running;
  if (event.sample == 0) {
    run.elapsedSeconds = 0;
    run.fraction = 0;
  }
  run.etaSeconds.reset();
  run.error.clear();
  run.phase.clear();
  run.site.clear();
  state.phase.clear();
  state.site.clear();
  if (!event.device.empty()) {
    state.device = text(event.device);
  }
  state.gpus = event.gpus;
}

void apply(JobState& state, const worker::Progress& event) {
  state.phase = text(event.phase);
  state.site = text(event.site);
  state.fraction = std::clamp(event.fraction, state.fraction, 1.0);
  state.etaSeconds = event.etaSeconds;
  const bool isChoosing = event.phase == "choose";  // before the reference has started
  const auto worker = state.runOfWorker.find(event.worker);
  const int place = isChoosing                          ? indexOfRun(state, event.run)
                    : worker == state.runOfWorker.end() ? -1
                                                        : worker->second;
  if (place < 0) {
    return;
  }
  JobRun& run = state.runs.at(static_cast<std::size_t>(place));
  if (run.name != text(event.run)) {
    return;
  }
  run.phase = state.phase;
  run.site = state.site;
  if (event.runFraction) {
    run.fraction = std::clamp(*event.runFraction, std::max(run.fraction, 0.0), 1.0);
    run.etaSeconds = event.runEtaSeconds;
  }
}

void apply(JobState& state, const worker::RunFinished& event) {
  const int place = indexOfRun(state, event.run);
  JobRun& run = state.runs.at(static_cast<std::size_t>(place));
  run.status = runStatus(event.status);
  run.loss = event.loss;
  run.seconds = event.seconds;
  run.peakBytes = event.peakBytes;
  run.error = text(event.error);
  run.etaSeconds.reset();
  std::erase_if(state.runOfWorker, [place](const auto& each) { return each.second == place; });
  state.currentRun = state.runOfWorker.empty() ? -1 : state.runOfWorker.begin()->second;
}

void apply(JobState& state, const worker::ReportUpdated& event) {
  state.reportPath = event.path;
  ++state.reportRevision;
}

void apply(JobState& state, const worker::Message& event) {
  appendLog(state, text(event.level), text(event.text));
  if (!event.connection.empty()) {
    state.isDisconnected = event.connection == worker::kConnectionLost;
  }
}

void apply(JobState& state, const worker::MemoryUse& event) {
  applyMemory(state, ProcessMemory{event.residentBytes, event.peakBytes});
}

void apply(JobState& state, const worker::StudyFinished& event) {
  state.error = text(event.error);
  for (const std::string& conflict : event.conflicts) {
    state.conflicts << text(conflict);
  }
  state.etaSeconds.reset();
  if (event.status == report::toString(report::RunStatus::Finished)) {
    state.fraction = 1;
  }
}

struct NumberMeaning {
  int number = 0;
  const char* words = nullptr;
};
constexpr std::array<NumberMeaning, 9> kSignals{
    {{SIGKILL, "SIGKILL"},
     {SIGSEGV, "SIGSEGV, a crash"},
     {SIGABRT, "SIGABRT, a crash"},
     {SIGBUS, "SIGBUS, a crash or a full disk"},
     {SIGILL, "SIGILL, a crash"},
     {SIGFPE, "SIGFPE, a crash"},
     {SIGTERM, "SIGTERM"},
     {SIGINT, "SIGINT"},
     {SIGXFSZ, "SIGXFSZ, a file grew beyond its limit"}}};
constexpr std::array<NumberMeaning, 5> kExitCodes{{{0, "done"},
                                                   {2, "wrong use or bad input"},
                                                   {3, "a run failed"},
                                                   {127, "a library of the worker was not found"},
                                                   {130, "cancelled"}}};

/// "3 (a run failed)", of the numbers that `known` explains; others are `unknown`.
QString explained(int number, std::span<const NumberMeaning> known, const char* unknown) {
  const auto found = std::ranges::find(known, number, &NumberMeaning::number);
  return QStringLiteral("%1 (%2)").arg(number).arg(
      QLatin1String(found == known.end() ? unknown : found->words));
}

}  // namespace

void applyEvent(JobState& state, const worker::Event& event) {
  std::visit([&state](const auto& each) { apply(state, each); }, event);
  const bool isStep = std::holds_alternative<worker::StudyStarted>(event) ||
                      std::holds_alternative<worker::RunStarted>(event) ||
                      std::holds_alternative<worker::RunFinished>(event);
  if (isStep) {
    const worker::EventText line = worker::describeEvent(event);
    appendLog(state,
              QString::fromUtf8(line.level.data(), static_cast<qsizetype>(line.level.size())),
              text(line.text));
  }
}

void appendLog(JobState& state, const QString& level, const QString& text) {
  state.log.append(LogLine{level, text, QTime::currentTime()});
  if (state.log.size() > JobState::kLogLines) {
    state.log.removeFirst();
  }
  ++state.logTotal;
}

void closeOpenRun(JobState& state, report::RunStatus status, const QString& error) {
  for (JobRun& run : state.runs) {
    if (run.status == report::RunStatus::Running) {
      run.status = status;
      run.error = error;
      run.etaSeconds.reset();
    }
  }
  state.currentRun = -1;
  state.runOfWorker.clear();
  state.etaSeconds.reset();
}

void expectRuns(JobState& state) {
  state.runs = state.request.expectedRuns;
  for (JobRun& run : state.runs) {
    run.isSkipAsked = state.request.skips.contains(run.name);
  }
}

void applyMemory(JobState& state, const std::optional<ProcessMemory>& memory) {
  if (!memory) {
    return;
  }
  state.memory = memory;
  if (state.memorySamples++ % state.memoryStride == 0) {
    state.memoryHistory.append(memory->residentBytes);
  }
  if (state.memoryHistory.size() <= JobState::kMemorySamples) {
    return;
  }
  QList<quint64> thinned;
  for (qsizetype i = 0; i < state.memoryHistory.size(); i += 2) {
    thinned.append(state.memoryHistory[i]);
  }
  state.memoryHistory = std::move(thinned);
  state.memoryStride *= 2;
}

QList<QByteArray> LineSplitter::feed(const QByteArray& bytes) {
  QList<QByteArray> lines;
  qsizetype from = 0;
  while (from < bytes.size()) {
    const qsizetype end = bytes.indexOf('\n', from);
    const qsizetype upTo = end < 0 ? bytes.size() : end;
    if (!m_skipping && m_pending.size() + (upTo - from) > kLongestLine) {
      m_skipping = true;
      m_pending.clear();
      ++m_dropped;
    }
    if (!m_skipping) {
      m_pending.append(bytes.constData() + from, upTo - from);
    }
    if (end < 0) {
      break;
    }
    if (!std::exchange(m_skipping, false)) {
      lines.append(std::exchange(m_pending, {}));
    }
    from = end + 1;
  }
  return lines;
}

QByteArray LineSplitter::rest() {
  m_skipping = false;
  return std::exchange(m_pending, {});
}

QString describeExit(const WorkerExit& exit) {
  if (!exit.started) {
    return QStringLiteral("the worker could not be started: ") + exit.startError;
  }
  if (!exit.crashed) {
    return QStringLiteral("the worker ended with exit code ") +
           explained(exit.code, kExitCodes, "not one of ours");
  }
  QString words = QStringLiteral("the worker was ended by signal ") +
                  explained(exit.code, kSignals, "no common signal");
  if (exit.code == SIGKILL) {
    words += QStringLiteral(
        "; the system does that when memory runs out: try a shorter sequence, "
        "fewer captured tensors, or close other programs");
  }
  return words;
}

QStringList workerArguments(const JobRequest& request) {
  const auto path = [](const std::filesystem::path& p) {
    return QString::fromStdString(p.string());
  };
  QStringList arguments{QStringLiteral("run"), path(request.studyFile)};
  arguments << QStringLiteral("--progress") << QStringLiteral("jsonl");
  if (!request.outputDir.empty()) {
    arguments << QStringLiteral("--output") << path(request.outputDir);
  }
  for (const QString& set : request.sets) {
    arguments << QStringLiteral("--set") << set;
  }
  for (const QString& variant : request.variants) {
    arguments << QStringLiteral("--variant") << variant;
  }
  if (!request.device.isEmpty()) {
    arguments << QStringLiteral("--device") << request.device;
  }
  if (request.threads > 0) {
    arguments << QStringLiteral("--threads") << QString::number(request.threads);
  }
  if (request.existing == worker::ExistingResults::Resume) {
    arguments << QStringLiteral("--resume");
    if (request.keepsFailed) {
      arguments << QStringLiteral("--keep-failed");
    }
  } else if (request.existing == worker::ExistingResults::Overwrite) {
    arguments << QStringLiteral("--overwrite");
  }
  arguments << QStringLiteral("--control");
  if (!request.host.isEmpty()) {
    arguments << QStringLiteral("--on") << request.host;
    if (request.installs) {
      arguments << QStringLiteral("--install");
    }
  }
  return arguments;
}

}  // namespace ulp::queue
