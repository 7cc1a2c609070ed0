#include "app/cli/run/study_run.h"

#include <algorithm>
#include <csignal>
#include <fmt/ostream.h>
#include <memory>
#include <ostream>
#include <unistd.h>
#include <utility>

#include "app/cli/run/control_input.h"
#include "app/cli/run/host_signals.h"
#include "app/cli/run/host_study.h"
#include "app/cli/run/memory_warning.h"
#include "app/cli/run/new_process.h"
#include "app/cli/run/shipped_study.h"
#include "app/cli/run/study_summary.h"
#include "app/cli/stop_signals.h"
#include "core/base/barrier.h"
#include "core/engine/engine.h"
#include "core/study/reading/study.h"
#include "core/study/schema/device_names.h"
#include "runner/cluster/device_study.h"
#include "runner/worker/session/device_choice.h"
#include "runner/worker/session/study_runner.h"

namespace ulp::cli {
namespace {

/// Hands the events on and remembers where the report is. A study that goes on in another process
/// (`mayGoOn`) has not ended for whoever listens.
class EventRelay {
 public:
  EventRelay(const RunProgress& progress, bool mayGoOn)
      : m_progress(progress), m_mayGoOn(mayGoOn) {}

  void operator()(const worker::Event& event) {
    if (const auto* updated = std::get_if<worker::ReportUpdated>(&event)) {
      m_report = updated->path;
      m_wroteReport = true;
    } else if (const auto* finished = std::get_if<worker::StudyFinished>(&event)) {
      m_report = finished->report;
      if (m_mayGoOn && finished->leavesRuns) {
        m_isToGoOn = true;
        return;
      }
      m_saidFinished = true;
    }
    m_progress(event);
  }

  /// A study that never started, or that cannot go on, ends with the same event as any other.
  void finishWith(const Error& error) {
    if (!m_saidFinished) {
      m_progress(worker::StudyFinished{
          "failed", 0, m_report, std::string(toString(error.code())), error.message()});
    }
  }

  /// Its device was lost before the last run.
  [[nodiscard]] bool isToGoOn() const { return m_isToGoOn; }

  [[nodiscard]] const std::string& report() const { return m_report; }

  /// This process did, or one that it started.
  [[nodiscard]] bool wroteReport() const { return m_wroteReport; }

 private:
  const RunProgress& m_progress;
  std::string m_report;
  bool m_mayGoOn;
  bool m_wroteReport = false;
  bool m_isToGoOn = false;
  bool m_saidFinished = false;
};

/// What may be asked of the study while it runs.
struct Wishes {
  StopSignals& signals;
  std::shared_ptr<worker::SkipRequests> skips;
};

/// The devices that a text names, all CUDA devices by their numbers. Errors: those of
/// study::deviceNames(); NotFound where there is no CUDA device.
Result<std::vector<std::string>> devicesToUse(const std::string& wanted,
                                              const CommandContext& context) {
  auto names = study::deviceNames(wanted);
  if (!names) {
    return fail(names.error().code(),
                fmt::format("device: '{}' must be {}", wanted, names.error().message()));
  }
  if (names->front() != study::kAllCudaDevices) {
    return names;
  }
  const auto engine = ULP_TRY(context.openEngine());
  std::vector<std::string> found;
  std::string note = "no CUDA device is there";
  for (const engine::DeviceInfo& device : engine->devices()) {
    if (worker::isCuda(device.id) && device.note.empty() && device.memoryBytes > 0) {
      found.push_back(device.id);
    } else if (worker::isCuda(device.id) && !device.note.empty()) {
      note = fmt::format("{}: {}", device.id, device.note);
    }
  }
  return found.empty()
             ? fail(ErrorCode::NotFound,
                    fmt::format("device: cuda:all: {}; choose another with --device", note))
             : Result<std::vector<std::string>>(std::move(found));
}

Result<report::ReportPtr> run(const RunArguments& arguments,
                              const CommandContext& context,
                              EventRelay& relay,
                              const Wishes& wishes) {
  auto study = ULP_TRY(arguments.inMemory ? Result<study::Study>(*arguments.inMemory)
                                          : loadStudyNamed(arguments.study, arguments.sets));
  worker::RunOptions options = arguments.options;
  std::vector<std::string> sets = arguments.sets;
  if (!options.part && !options.device.empty()) {
    study.device = options.device;
    study.settings["device"] = {options.device, study::Origin::CommandLine, {}};
    sets.push_back("device=" + options.device);
  }
  const std::string& wanted = options.device.empty() ? study.device : options.device;
  const auto devices =
      options.part ? std::vector<std::string>{wanted} : ULP_TRY(devicesToUse(wanted, context));
  if (!options.part) {
    options.conclude = concludeReport;
    ULP_TRY(cluster::settleLostParts(
        options.outputDir.empty() ? study.outputDir : options.outputDir, options));
  }
  if (devices.size() > 1) {
    options.skips = wishes.skips;
    const cluster::DeviceStudyRequest request{.study = study,
                                              .sets = sets,
                                              .devices = devices,
                                              .options = options,
                                              .program = ULP_TRY(ownProgram())};
    if (ULP_TRY(cluster::canBeShared(request))) {
      return cluster::runOnDevices(
          request, [&relay](const worker::Event& event) { relay(event); }, wishes.signals.token());
    }
  }
  options.device = devices.front();
  const auto engine = ULP_TRY(context.openEngine());
  options.skips = wishes.skips;
  options.computes = [&signals = wishes.signals](bool computes) {
    signals.setExpendable(computes);
  };
  options.forecastMemory = [&study](std::uint64_t freeBytes) {
    return forecastMemory(study, freeBytes);
  };
  options.conclude = concludeReport;
  return worker::runStudy(
      study,
      options,
      *engine,
      [&relay](const worker::Event& event) { relay(event); },
      wishes.signals.token());
}

bool hasComparisons(const report::Report& report) {
  return std::ranges::any_of(report.runs,
                             [](const auto& each) { return !each.comparisons.empty(); });
}

/// After a failure, what could be finished is worth a look all the same.
void printWhatIsFinished(const std::string& path, const CommandContext& context) {
  const auto loaded = report::loadReport(path);
  if (loaded && hasComparisons(*loaded->report) && printSummary(*loaded->report, context)) {
    fmt::print(context.out, "\nReport: {}\n", path);
  }
}

/// Says to people where that is which could be finished.
void tellOfFailure(const Error& error,
                   const EventRelay& relay,
                   const RunArguments& arguments,
                   const CommandContext& context) {
  // What lies where a study was refused is older.
  const bool isRefused = error.code() == ErrorCode::InvalidArgument && !relay.wroteReport();
  if (arguments.progress == ProgressMode::JsonLines || relay.report().empty() || isRefused) {
    return;
  }
  if (error.code() != ErrorCode::Cancelled) {
    printWhatIsFinished(relay.report(), context);
  } else {
    fmt::print(context.err, "Finished runs are in {}; --resume continues.\n", relay.report());
  }
}

RunProgress progressFor(const RunArguments& arguments, const CommandContext& context) {
  return makeRunProgress(arguments.progress,
                         {.out = context.out,
                          .err = context.err,
                          .hasColour = context.errHasColour,
                          .width = terminalWidth()});
}

Result<FinishedStudy> runElsewhere(const RunArguments& arguments, const CommandContext& context) {
  HostSignals signals;
  auto skips = std::make_shared<worker::SkipRequests>();
  std::unique_ptr<DescriptorWatch> control;
  if (arguments.hasControl) {
    control = ULP_TRY(readControlInput(STDIN_FILENO, skips));
  }
  const RunProgress progress = progressFor(arguments, context);
  EventRelay relay(progress, false);
  auto finished = behindBarrier(arguments.study.string(), [&] {
    return runStudyOnHost(
        arguments, signals, skips, [&relay](const worker::Event& event) { relay(event); });
  });
  if (!finished) {
    relay.finishWith(finished.error());
    tellOfFailure(finished.error(), relay, arguments, context);
  }
  return finished;
}

}  // namespace

Result<FinishedStudy> runStudyQuietly(const RunArguments& arguments,
                                      const CommandContext& context) {
  // A file beyond the limit of the system is then an error of the write that names it.
  std::signal(SIGXFSZ, SIG_IGN);
  if (arguments.remote) {
    return runElsewhere(arguments, context);
  }
  const auto signals = ULP_TRY(StopSignals::install());
  auto skips = std::make_shared<worker::SkipRequests>();
  std::unique_ptr<DescriptorWatch> control;
  if (arguments.hasControl) {
    control = ULP_TRY(readControlInput(STDIN_FILENO, skips));
  }
  const RunProgress progress = progressFor(arguments, context);
  EventRelay relay(progress, !arguments.inMemory);
  auto report = behindBarrier(arguments.study.string(), [&] {
    return run(arguments, context, relay, {*signals, std::move(skips)});
  });
  if (report) {
    return FinishedStudy{*std::move(report), relay.report()};
  }
  if (relay.isToGoOn() && !signals->token().stop_requested()) {
    relay(worker::Message{"warning", report.error().message() + ": it starts now"});
    context.out.flush();
    report = tl::unexpected(goOnInNewProcess(arguments));
  }
  relay.finishWith(report.error());
  tellOfFailure(report.error(), relay, arguments, context);
  return tl::unexpected<Error>(std::move(report.error()));
}

Result<> runStudyFile(const RunArguments& arguments, const CommandContext& context) {
  const auto study = ULP_TRY(runStudyQuietly(arguments, context));
  if (arguments.progress != ProgressMode::JsonLines) {
    ULP_TRY(printSummary(*study.report, context));
    fmt::print(context.out, "\nReport: {}\n", study.reportFile.string());
  }
  return {};
}

}  // namespace ulp::cli
