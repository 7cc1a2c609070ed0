#include "runner/queue/job_supervisor.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>
#include <vector>

#include <QtCore/QMetaObject>

#include "core/base/handed_over.h"
#include "core/base/processes/process_memory.h"
#include "runner/queue/cuda_numbering.h"
#include "runner/queue/kill_later.h"

namespace ulp::queue {
namespace {

constexpr int kPublishIntervalMs = 50;
constexpr int kSampleIntervalMs = 500;
constexpr int kFirstSampleMs = 150;
/// After which the last answer tells nothing of now.
constexpr int kAnswerPatienceMs = 4000;
/// Of the worker's standard error, kept for the message of a failed job.
constexpr int kLastMessages = 8;
/// Unreadable lines that are shown in the log; further ones are only counted.
constexpr int kShownUnreadable = 5;
constexpr qsizetype kShownLineLength = 400;
/// As long as nobody notices that the window is still there.
constexpr int kShutDownPatienceMs = 500;

QString shown(const QByteArray& line) {
  return QString::fromUtf8(line.left(kShownLineLength)).trimmed();
}

ResourceProbe::Read readUse() {
  return [gpus = std::make_shared<GpuMonitor>()](std::int64_t pid, const std::string& device) {
    return ResourceUse{.memory = readProcessMemory(pid), .gpu = gpus->use(device, pid)};
  };
}

}  // namespace

JobSupervisor::JobSupervisor(QString program, CancelPatience patience, Publish publish)
    : m_program(std::move(program)),
      m_patience(patience),
      m_publish(std::move(publish)),
      m_publishTimer(this),
      m_escalation(this),
      m_sampling(this),
      m_probe(readUse(), [this](std::int64_t pid, const Result<ResourceUse>& use) {
        QMetaObject::invokeMethod(
            this, HandedOver([this, pid, use] { takeUse(pid, use); }), Qt::QueuedConnection);
      }) {
  m_publishTimer.setSingleShot(true);
  m_escalation.setSingleShot(true);
  connect(&m_publishTimer, &QTimer::timeout, this, &JobSupervisor::publishNow);
  m_sampling.setInterval(kSampleIntervalMs);
  connect(&m_sampling, &QTimer::timeout, this, &JobSupervisor::sample);
  connect(&m_escalation, &QTimer::timeout, this, &JobSupervisor::askHarder);
}

JobSupervisor::~JobSupervisor() {
  shutDown();
}

void JobSupervisor::cancel(JobId id) {
  if (m_active && m_active->state.id == id && m_active->asked == Asked::Nothing) {
    m_active->state.status = JobStatus::Cancelling;
    askHarder();
    publishNow();
  }
}

void JobSupervisor::skip(JobId id, const QString& run) {
  if (!m_active || m_active->state.id != id) {
    return;
  }
  const auto found = std::ranges::find(m_active->state.runs, run, &JobRun::name);
  if (found == m_active->state.runs.end() || found->isSkipAsked) {
    return;
  }
  found->isSkipAsked = true;
  askToSkip(run);
  publishNow();
}

void JobSupervisor::askToSkip(const QString& run) {
  m_active->process.write(QStringLiteral("skip %1\n").arg(run).toUtf8());
}

void JobSupervisor::askHarder() {
  if (!m_active) {
    return;
  }
  switch (m_active->asked) {
    case Asked::Nothing:
      m_active->asked = Asked::Interrupt;
      if (const auto pid = m_active->process.processId(); pid > 0) {
        ::kill(static_cast<pid_t>(pid), SIGINT);
      }
      m_escalation.start(m_patience.terminateMs);
      break;
    case Asked::Interrupt:
      m_active->asked = Asked::Terminate;
      m_active->process.terminate();
      m_escalation.start(m_patience.killMs);
      break;
    case Asked::Terminate:
    case Asked::Kill:
      m_active->asked = Asked::Kill;
      m_active->process.kill();
      break;
  }
}

void JobSupervisor::tellToEnd() {
  m_publishTimer.stop();
  m_escalation.stop();
  m_sampling.stop();
  if (!m_active || std::exchange(m_active->isToldToEnd, true)) {
    return;
  }
  QProcess& process = m_active->process;
  process.disconnect(this);
  // A second signal would end the worker at once.
  if (m_active->asked == Asked::Nothing && !m_active->state.request.host.isEmpty()) {
    // What runs on a host goes on without this window.
    ::kill(static_cast<pid_t>(process.processId()), SIGHUP);
  } else if (m_active->asked == Asked::Nothing) {
    process.terminate();
  }
}

void JobSupervisor::shutDown() {
  tellToEnd();
  if (!m_active) {
    return;
  }
  QProcess& process = m_active->process;
  if (process.waitForFinished(kShutDownPatienceMs) || process.state() == QProcess::NotRunning) {
    m_active.reset();
    return;
  }
  const auto pid = static_cast<pid_t>(process.processId());
  if (!killLater(pid, std::chrono::milliseconds(m_patience.terminateMs + m_patience.killMs))) {
    process.kill();
  }
  // A QProcess waits half a minute for its process when it is destroyed; these never are.
  static auto& left = *new std::vector<std::unique_ptr<Active>>;
  left.push_back(std::move(m_active));
}

void JobSupervisor::start(JobState job) {
  m_active = std::make_unique<Active>();
  m_active->state = std::move(job);
  m_active->state.status = JobStatus::Running;
  m_active->elapsed.start();
  connectProcess();
  m_active->process.start(
      m_program, workerArguments(m_active->state.request), QIODevice::ReadWrite);
  for (const QString& run : m_active->state.request.skips) {
    askToSkip(run);
  }
  m_sampling.start();
  if (m_active->state.request.host.isEmpty()) {
    // Soon, but not before the process has become the program.
    QTimer::singleShot(kFirstSampleMs, this, &JobSupervisor::sample);
  }
  publishNow();
}

void JobSupervisor::connectProcess() {
  QProcess& process = m_active->process;
  connect(&process, &QProcess::readyReadStandardOutput, this, &JobSupervisor::readEvents);
  connect(&process, &QProcess::readyReadStandardError, this, &JobSupervisor::readMessages);
  // Queued: both signals may come from inside start(), and the slot deletes the process.
  connect(
      &process,
      &QProcess::finished,
      this,
      [this](int code, QProcess::ExitStatus status) {
        onEnded(WorkerExit{.crashed = status == QProcess::CrashExit, .code = code});
      },
      Qt::QueuedConnection);
  connect(
      &process,
      &QProcess::errorOccurred,
      this,
      [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart && m_active) {
          onEnded(WorkerExit{.started = false, .startError = m_active->process.errorString()});
        }
      },
      Qt::QueuedConnection);
}

void JobSupervisor::sample() {
  if (!m_active) {
    return;
  }
  JobState& state = m_active->state;
  if (!state.request.host.isEmpty()) {
    // What the process of a study elsewhere uses tells nothing of that, but its time passes.
    publishNow();
    return;
  }
  state.pid = m_active->process.processId();
  if (state.pid <= 0) {
    return;
  }
  if (!m_unanswered.isValid()) {
    m_unanswered.start();
  } else if (!state.isUseStale && m_unanswered.elapsed() > kAnswerPatienceMs) {
    state.isUseStale = true;
    appendLog(state,
              QStringLiteral("warning"),
              QStringLiteral("The GPU's driver does not answer: what the worker uses of memory and "
                             "GPU is not known until it does. Where it never does, restart the "
                             "driver or the machine."));
  }
  m_probe.request(state.pid, namedByUuid(state.device.toStdString(), state.gpus));
  publishNow();
}

void JobSupervisor::takeUse(std::int64_t pid, const Result<ResourceUse>& use) {
  m_unanswered.invalidate();
  // Of a worker that has ended nobody wants to know.
  if (!m_active || m_active->state.pid != pid) {
    return;
  }
  JobState& state = m_active->state;
  state.isUseStale = false;
  if (use) {
    applyMemory(state, use->memory);
    state.gpu = use->gpu;
  } else {
    appendLog(state, QStringLiteral("warning"), QString::fromStdString(use.error().message()));
  }
  publishSoon();
}

void JobSupervisor::timeRuns() {
  JobState& state = m_active->state;
  std::map<int, QElapsedTimer>& timers = m_active->runsElapsed;
  std::erase_if(timers, [&state](const auto& each) { return !state.isCurrent(each.first); });
  // A run of several samples goes on in turn with the others, and its times add up.
  for (const auto& [worker, run] : state.runOfWorker) {
    QElapsedTimer& timer = timers[run];
    if (timer.isValid()) {
      state.runs.at(static_cast<std::size_t>(run)).elapsedSeconds +=
          static_cast<double>(timer.nsecsElapsed()) / 1e9;
    }
    timer.start();
  }
}

void JobSupervisor::readEvents() {
  for (const QByteArray& line : m_active->events.feed(m_active->process.readAllStandardOutput())) {
    takeEventLine(line);
  }
}

void JobSupervisor::readMessages() {
  for (const QByteArray& line : m_active->messages.feed(m_active->process.readAllStandardError())) {
    takeMessageLine(line);
  }
}

void JobSupervisor::takeEventLine(const QByteArray& line) {
  if (line.trimmed().isEmpty()) {
    return;
  }
  const auto event = worker::parseEvent(line.toStdString());
  if (!event) {
    if (++m_active->unreadable <= kShownUnreadable) {
      appendLog(m_active->state,
                QStringLiteral("warning"),
                QStringLiteral("The worker wrote what is no event: ") + shown(line));
    }
    publishSoon();
    return;
  }
  if (const auto* finished = std::get_if<worker::StudyFinished>(&*event)) {
    m_active->saidEnd = true;
    m_active->saidFinished = finished->status == report::toString(report::RunStatus::Finished);
  }
  // The time of a run that ends with this event is taken before it is closed.
  timeRuns();
  applyEvent(m_active->state, *event);
  timeRuns();
  publishSoon();
}

void JobSupervisor::takeMessageLine(const QByteArray& line) {
  const QString text = shown(line);
  if (text.isEmpty()) {
    return;
  }
  m_active->lastMessages.append(text);
  if (m_active->lastMessages.size() > kLastMessages) {
    m_active->lastMessages.removeFirst();
  }
  appendLog(m_active->state, QStringLiteral("warning"), text);
  publishSoon();
}

void JobSupervisor::onEnded(const WorkerExit& exit) {
  if (!m_active) {
    return;
  }
  m_escalation.stop();
  m_sampling.stop();
  readEvents();
  readMessages();
  takeEventLine(m_active->events.rest());
  takeMessageLine(m_active->messages.rest());
  settle(exit);
  m_active->state.pid = 0;
  publishNow();
  m_active.reset();
}

void JobSupervisor::settle(const WorkerExit& exit) {
  JobState& state = m_active->state;
  if (const int unreadable = m_active->unreadable + m_active->events.dropped();
      unreadable > kShownUnreadable) {
    appendLog(state,
              QStringLiteral("warning"),
              QStringLiteral("%1 lines of the worker were no events.").arg(unreadable));
  }
  constexpr int kCancelledCode = 130;
  const bool endedByItself = exit.started && !exit.crashed;
  state.exitCode = endedByItself ? exit.code : -1;
  if (endedByItself && exit.code == 0 && m_active->saidFinished) {
    state.status = JobStatus::Finished;
    return;
  }
  const bool wasAsked = m_active->asked != Asked::Nothing && exit.started;
  if (wasAsked || (endedByItself && exit.code == kCancelledCode)) {
    state.status = JobStatus::Cancelled;
    state.error.clear();
    closeOpenRun(state, report::RunStatus::Cancelled, {});
    return;
  }
  state.status = JobStatus::Failed;
  state.error = failureText(exit);
  if (!m_active->saidEnd) {
    state.death = describeExit(exit);
    state.lastMessages = m_active->lastMessages;
  }
  closeOpenRun(state, report::RunStatus::Failed, describeExit(exit));
  appendLog(state, QStringLiteral("error"), state.error);
}

QString JobSupervisor::failureText(const WorkerExit& exit) const {
  if (!m_active->state.error.isEmpty()) {
    return m_active->state.error;
  }
  QString text;
  if (!exit.started) {
    text = m_program + QStringLiteral(": ") + describeExit(exit) +
           QStringLiteral("; install ulpscope-cli beside this program");
  } else if (!exit.crashed && exit.code == 0) {
    text = QStringLiteral("the worker ended without a result; is it another program or version?");
  } else {
    text = describeExit(exit);
  }
  if (!m_active->lastMessages.isEmpty()) {
    text += QStringLiteral("\n") + m_active->lastMessages.join(QLatin1Char('\n'));
  }
  return text;
}

void JobSupervisor::publishSoon() {
  if (!m_publishTimer.isActive()) {
    m_publishTimer.start(kPublishIntervalMs);
  }
}

void JobSupervisor::publishNow() {
  m_publishTimer.stop();
  if (!m_active) {
    return;
  }
  timeRuns();
  m_active->state.elapsedSeconds = static_cast<double>(m_active->elapsed.elapsed()) / 1000.0;
  m_publish(std::make_shared<const JobState>(m_active->state));
}

}  // namespace ulp::queue
