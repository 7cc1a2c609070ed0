#include "runner/cluster/device_study.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <poll.h>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/files/folders.h"
#include "core/base/list_of.h"
#include "runner/cluster/cluster_run.h"
#include "runner/cluster/device_plan.h"
#include "runner/cluster/task_merge.h"
#include "runner/cluster/worker_process.h"
#include "runner/worker/events/event_sink.h"
#include "runner/worker/input/step_input.h"
#include "runner/worker/session/device_choice.h"
#include "runner/worker/session/report_draft.h"
#include "runner/worker/session/run_folder.h"
#include "runner/worker/session/skip_requests.h"

namespace ulp::cluster {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using report::RunStatus;

constexpr std::chrono::milliseconds kGlance{50};
/// Of several samples, what workers have saved so far is added that often.
constexpr std::chrono::seconds kAddInterval{5};

ErrorCode codeOf(const worker::StudyFinished& end) {
  return errorCodeNamed(end.errorCode).value_or(ErrorCode::RunFailed);
}

fs::path folderOfResults(const DeviceStudyRequest& request) {
  return request.options.outputDir.empty() ? request.study.outputDir : request.options.outputDir;
}

/// A worker and how far it is.
struct Worker {
  std::size_t task = 0;
  int number = 0;                            ///< of the device in the list
  std::unique_ptr<WorkerProcess> process{};  ///< null: it has ended
  std::string run{};                         ///< that it makes; empty: none yet
  double fraction = 0;
  std::optional<double> etaSeconds{};
  std::optional<worker::StudyFinished> end{};
  bool hasNews = false;  ///< that were not read from its folder
};

class DeviceStudy {
 public:
  DeviceStudy(const DeviceStudyRequest& request,
              const std::function<void(const worker::Event&)>& emit,
              std::stop_token stop)
      : m_request(request),
        m_stop(std::move(stop)),
        m_sink(emit),
        m_mergeOptions{.conclude = request.options.conclude,
                       .output = folderOfResults(request),
                       .existing = request.options.existing,
                       .keepsFailed = request.options.keepsFailed,
                       .variants = request.options.variants,
                       .areOnDevices = true},
        m_merge(m_run, m_mergeOptions, m_sink) {}

  Result<report::ReportPtr> run() {
    Result<> done = work();
    if (m_hasBegun) {
      std::error_code ignored;
      fs::remove_all(m_run.folder, ignored);
    }
    m_merge.results().tellEnd(done, {.conflicts = m_merge.conflicts(), .leavesRuns = false});
    ULP_TRY(std::move(done));
    return std::make_shared<const report::Report>(std::move(draft()));
  }

 private:
  report::Report& draft() { return m_merge.results().draft(); }

  Result<> work() {
    ULP_TRY(plan());
    ULP_TRY(checkPlaces());
    ULP_TRY(makeFolders(m_run.folder));
    ULP_TRY(saveClusterRun(m_run));
    for (std::size_t task = 0; task < m_run.tasks.size() && !m_error; ++task) {
      take(start(task));
    }
    while (std::ranges::any_of(m_workers,
                               [](const Worker& each) { return each.process != nullptr; })) {
      lookAfterWorkers();
    }
    return conclude();
  }

  /// The study as tasks, those of what an earlier session has not made.
  Result<> plan() {
    std::error_code failed;
    const fs::path output = fs::absolute(m_mergeOptions.output, failed).lexically_normal();
    m_run = {.folder = output / kPartFolder,
             .studyFile = m_request.study.file,
             .workingDir = fs::current_path(failed),
             .studyText = m_request.study.text,
             .sets = m_request.sets,
             .variants = m_request.options.variants,
             .threads = m_request.options.threads,
             .tasks = {}};
    ULP_TRY(m_merge.begin(m_request.study, m_request.devices.front()));
    m_hasBegun = true;
    if (!m_run.variants.empty()) {
      m_run.variants = listOf(draft().runs, &report::Run::name);  // with those that are kept
    }
    DeviceRequest wanted{.devices = m_request.devices, .samples = m_merge.results().endSample()};
    for (const report::Run& run : draft().runs) {
      if (isReference(run.name)) {
        wanted.firstOfReference = run.samples;
      } else if (worker::isOpen(run)) {
        wanted.runs.push_back({.name = run.name, .firstSample = run.samples});
      }
    }
    m_run.tasks = shareOut(wanted);
    return {};
  }

  /// A worker has one device; a model that looks for its own would take those of the others.
  Result<> checkPlaces() const {
    for (const worker::PlannedRun& run : m_merge.runs()) {
      const engine::PythonPlan& python = run.precision.python;
      const char* key = python.ranks > 1            ? "python.ranks"
                        : !python.deviceMap.empty() ? "python.device_map"
                        : !python.device.empty()    ? "python.device"
                                                    : nullptr;
      if (run.isChosen && key != nullptr) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("device: {} are several, a worker on each, and {} of {} chooses "
                                "devices itself; name one device (--device)",
                                fmt::join(m_request.devices, ","),
                                key,
                                run.name));
      }
    }
    return {};
  }

  Result<> start(std::size_t task) {
    Worker worker{.task = task};
    const std::string& device = m_run.tasks[task].device;
    const auto place = std::ranges::find(m_request.devices, device);
    // Of devices that stand there twice, the one that has no worker.
    auto number = static_cast<int>(place - m_request.devices.begin());
    const auto isTaken = [&](int candidate) {
      return std::ranges::any_of(
          m_workers, [&](const Worker& each) { return each.process && each.number == candidate; });
    };
    while (isTaken(number) && number + 1 < static_cast<int>(m_request.devices.size())) {
      ++number;
    }
    worker.number = number;
    worker.process = ULP_TRY(WorkerProcess::start(m_request.program, m_run.folder, task));
    if (m_isStopping) {
      worker.process->stop();
    }
    m_workers.push_back(std::move(worker));
    ULP_TRY(m_merge.read(task));
    return {};
  }

  void lookAfterWorkers() {
    readWorkers();
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
      const auto& process = m_workers[i].process;
      if (process && process->output() < 0 && process->errors() < 0) {
        take(onEnd(i));
      }
    }
    if (!m_isStopping && m_stop.stop_requested()) {
      take(fail(ErrorCode::Cancelled, stoppedText()));
    }
    handOnSkips();
    take(addNews());
  }

  /// Waits a moment for what workers write.
  void readWorkers() {
    std::vector<pollfd> watched;
    for (const Worker& each : m_workers) {
      for (const int descriptor : each.process
                                      ? std::array{each.process->output(), each.process->errors()}
                                      : std::array{-1, -1}) {
        watched.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
      }
    }
    ::poll(watched.data(), watched.size(), static_cast<int>(kGlance.count()));
    for (std::size_t i = 0; i < m_workers.size(); ++i) {
      Worker& worker = m_workers[i];
      if (watched[2 * i].revents != 0) {
        worker.process->readOutput([&](const worker::Event& event) {
          std::visit([&](const auto& each) { on(worker, each); }, event);
        });
      }
      if (watched[2 * i + 1].revents != 0) {
        worker.process->readErrors();
      }
    }
  }

  std::string stoppedText() const {
    const auto running = std::ranges::find_if(
        m_workers, [](const Worker& each) { return each.process && !each.run.empty(); });
    return running == m_workers.end() ? "stopped" : running->run + ": stopped";
  }

  /// The first error ends the study: all workers are told to stop.
  void take(const Result<>& result) {
    if (result) {
      return;
    }
    if (!m_error) {
      m_error = result.error();
    }
    if (!std::exchange(m_isStopping, true)) {
      for (const Worker& each : m_workers) {
        if (each.process) {
          each.process->stop();
        }
      }
    }
  }

  void on(Worker& /*worker*/, const worker::StudyStarted& /*event*/) {}

  void on(Worker& worker, const worker::RunStarted& event) {
    take(addNews());  // that the run before has ended
    worker.run = event.run;
    const Task& task = m_run.tasks[worker.task];
    // The other workers' references are for themselves.
    if (isReference(event.run) && !task.keepsReference) {
      return;
    }
    if (report::Run* run = worker::findRun(draft(), event.run); run && worker::isOpen(*run)) {
      run->status = RunStatus::Running;
    }
    worker::RunStarted told = event;
    told.index = m_started++;
    told.total = std::max(total(), m_started);
    told.sample = static_cast<int>(task.firstSample) + event.sample;
    told.samples = static_cast<int>(m_merge.results().endSample());
    told.worker = worker.number;
    m_merge.results().beginRun(told);
  }

  void on(Worker& worker, const worker::Progress& event) {
    worker.fraction = event.fraction;
    worker.etaSeconds = event.etaSeconds;
    const Clock::time_point now = Clock::now();
    if (now - m_lastProgress < kGlance) {
      return;
    }
    m_lastProgress = now;
    worker::Progress told = event;
    told.worker = worker.number;
    double weights = 0;
    double done = 0;
    told.etaSeconds = 0;
    for (const Worker& each : m_workers) {
      const Task& task = m_run.tasks[each.task];
      const auto weight = static_cast<double>(task.samples * (task.runs.size() + 1));
      weights += weight;
      done += weight * (each.process ? each.fraction : 1);
      if (each.process) {
        told.etaSeconds = told.etaSeconds && each.etaSeconds
                              ? std::optional(std::max(*told.etaSeconds, *each.etaSeconds))
                              : std::nullopt;
      }
    }
    m_fraction = std::clamp(done / weights, m_fraction, 1.0);
    told.fraction = m_fraction;
    m_sink.emit(told);
  }

  void on(Worker& worker, const worker::RunFinished& event) {
    worker.hasNews = true;
    m_isNewsUrgent = true;
    if (event.run == worker.run) {
      worker.run.clear();
    }
  }

  void on(Worker& worker, const worker::ReportUpdated& /*event*/) { worker.hasNews = true; }

  void on(Worker& /*worker*/, const worker::Message& event) {
    // They say most things alike.
    if (m_told.insert(event.text).second) {
      m_sink.message(event.level, event.text);
    }
  }

  void on(Worker& /*worker*/, const worker::MemoryUse& /*of a host*/) {}

  void on(Worker& worker, const worker::StudyFinished& event) { worker.end = event; }

  int total() const {
    std::uint64_t count = 0;
    for (const Worker& each : m_workers) {
      const Task& task = m_run.tasks[each.task];
      count += task.samples * (task.runs.size() + (task.keepsReference ? 1 : 0));
    }
    return static_cast<int>(count);
  }

  /// At once what ended, of several samples now and then the rest.
  bool isAddingDue() {
    return std::exchange(m_isNewsUrgent, false) ||
           (std::ranges::any_of(m_workers, &Worker::hasNews) && m_merge.results().endSample() > 1 &&
            Clock::now() - m_lastAdd > kAddInterval);
  }

  /// Adds what workers have saved.
  Result<> addNews() {
    if (m_error || !isAddingDue()) {
      return {};
    }
    m_lastAdd = Clock::now();
    for (Worker& each : m_workers) {
      if (std::exchange(each.hasNews, false)) {
        ULP_TRY(m_merge.read(each.task));
      }
    }
    ULP_TRY(m_merge.add());
    ULP_TRY(m_merge.publishEnds());
    return m_merge.isOpen() ? m_merge.results().saveIfDue() : Result<>();
  }

  void handOnSkips() {
    if (!m_request.options.skips) {
      return;
    }
    for (const std::string& name : m_request.options.skips->takeNew()) {
      const report::Run* run = worker::findRun(draft(), name);
      if (run == nullptr) {
        m_sink.message("warning", fmt::format("skip {}: the study has no such run", name));
        continue;
      }
      if (isReference(name)) {
        m_sink.message("warning",
                       "skip: the reference is what everything is compared with; stop the study "
                       "instead");
        continue;
      }
      if (!worker::isOpen(*run)) {
        m_sink.message("info",
                       fmt::format("skip {}: it is {} already", name, toString(run->status)));
        continue;
      }
      for (const Worker& each : m_workers) {
        if (each.process && std::ranges::count(m_run.tasks[each.task].runs, name) > 0) {
          each.process->skip(name);
        }
      }
    }
  }

  /// A worker has ended: well, or another one has to make what is left, or the study ends.
  Result<> onEnd(std::size_t place) {
    const std::string death = m_workers[place].process->waitForEnd();
    const std::vector<std::string> words = m_workers[place].process->lastMessages();
    m_workers[place].process.reset();
    const Worker ended{
        .task = m_workers[place].task, .run = m_workers[place].run, .end = m_workers[place].end};
    ULP_TRY(m_merge.read(ended.task));
    m_isNewsUrgent = true;
    const Task task = m_run.tasks[ended.task];
    std::vector<std::string> left = task.runs;
    std::erase_if(left, [&](const std::string& run) { return !m_merge.isLeftIn(ended.task, run); });
    const bool hasReference = m_merge.samplesOf(ended.task, study::kReferenceName) == task.samples;
    if (m_isStopping || (left.empty() && hasReference)) {
      return {};
    }
    if (ended.end && ended.end->leavesRuns) {
      m_sink.message("warning", ended.end->error + ": it starts now");
      return startAgain(ended.task, left);
    }
    if (ended.end) {
      return fail(codeOf(*ended.end), ended.end->error);
    }
    const std::string how = howItEnded(task.device, death, words);
    if (ended.run.empty() || isReference(ended.run)) {
      return fail(ErrorCode::Device,
                  fmt::format("{}{}", ended.run.empty() ? "" : ended.run + ": ", how));
    }
    ULP_TRY(m_merge.add());
    m_merge.failRun(ended.run, Error(ErrorCode::Device, fmt::format("{}: {}", ended.run, how)));
    std::erase(left, ended.run);
    return left.empty() && hasReference ? Result<>() : startAgain(ended.task, left);
  }

  static std::string howItEnded(const std::string& device,
                                const std::string& death,
                                const std::vector<std::string>& words) {
    std::string text = fmt::format(
        "the worker on {} died: {}", device, death.empty() ? "it ended without a result" : death);
    return words.empty() ? text : fmt::format("{}\n{}", text, fmt::join(words, "\n"));
  }

  /// Another worker makes what a task leaves, from the first sample that one of its runs lacks.
  Result<> startAgain(std::size_t before, std::vector<std::string> left) {
    Task task = m_run.tasks[before];
    std::uint64_t done = m_merge.samplesOf(before, study::kReferenceName);
    for (const std::string& run : left) {
      done = std::min(done, m_merge.samplesOf(before, run));
    }
    task.firstSample += done;
    task.samples -= done;
    task.runs = std::move(left);
    m_run.tasks.push_back(std::move(task));
    ULP_TRY(saveClusterRun(m_run));
    return start(m_run.tasks.size() - 1);
  }

  /// All workers have ended.
  Result<> conclude() {
    Result<> kept = keepAll();
    if (m_error) {
      return tl::unexpected(*m_error);
    }
    ULP_TRY(std::move(kept));
    return worker::variantFailures(draft());
  }

  Result<> keepAll() {
    ULP_TRY(m_merge.add());
    if (!m_merge.isOpen()) {
      return {};
    }
    ULP_TRY(m_merge.publishEnds());
    ULP_TRY(m_merge.finish());
    ULP_TRY(m_merge.results().closeOpenRuns());
    return m_merge.results().saveAndTell();
  }

  const DeviceStudyRequest& m_request;
  std::stop_token m_stop;
  worker::EventSink m_sink;
  MergeOptions m_mergeOptions;
  ClusterRun m_run;
  TaskMerge m_merge;
  std::vector<Worker> m_workers;
  std::set<std::string> m_told;
  std::optional<Error> m_error;
  bool m_hasBegun = false;  ///< the folder is ours
  bool m_isStopping = false;
  bool m_isNewsUrgent = false;
  int m_started = 0;
  double m_fraction = 0;
  Clock::time_point m_lastProgress;
  Clock::time_point m_lastAdd = Clock::now();
};

}  // namespace

Result<> settleLostParts(const fs::path& output, const worker::RunOptions& options) {
  const fs::path parts = output / kPartFolder;
  std::error_code ignored;
  if (!fs::exists(parts / kClusterFile, ignored)) {
    return {};
  }
  ULP_TRY(
      worker::RunFolder::claim(output, options.existing).map([](const auto& /*free again*/) {}));
  if (options.existing == worker::ExistingResults::Resume) {
    const auto lost = ULP_TRY(loadClusterRun(parts));
    const MergeOptions merging{.conclude = options.conclude,
                               .output = output,
                               .existing = options.existing,
                               .keepsFailed = true,
                               .areOnDevices = true};
    const auto merged = mergeTasks(lost, merging, [](const worker::Event& /*event*/) {});
    // Where they had not come to anything, or do not belong to what the folder holds, they go.
    if (!merged && merged.error().code() == ErrorCode::Io) {
      return tl::unexpected(merged.error());
    }
  }
  fs::remove_all(parts, ignored);
  return {};
}

Result<bool> canBeShared(const DeviceStudyRequest& request) {
  const worker::RunOptions& options = request.options;
  const auto runs =
      ULP_TRY(worker::planRuns(request.study, options.variants, request.devices.front()));
  report::ReportPtr earlier;
  const fs::path file = folderOfResults(request) / "precision_report.json";
  std::error_code ignored;
  if (options.existing == worker::ExistingResults::Resume && fs::exists(file, ignored)) {
    earlier = ULP_TRY(whileDoing("--resume", report::loadReport(file))).report;
  }
  const auto samples = static_cast<std::uint64_t>(worker::sampleCount(request.study));
  std::uint64_t left = 0;
  for (const worker::PlannedRun& run : runs) {
    const report::Run* before = earlier ? earlier->findRun(run.name) : nullptr;
    const bool isSettled =
        before != nullptr && (before->status == RunStatus::Finished ||
                              (before->status == RunStatus::Failed && options.keepsFailed) ||
                              (before->status == RunStatus::Skipped &&
                               std::ranges::count(options.variants, run.name) == 0));
    left += run.isChosen && !isReference(run.name) && !isSettled ? samples : 0;
  }
  return left > 1;
}

Result<report::ReportPtr> runOnDevices(const DeviceStudyRequest& request,
                                       const std::function<void(const worker::Event&)>& emit,
                                       const std::stop_token& stop) {
  return DeviceStudy(request, emit, stop).run();
}

}  // namespace ulp::cluster
