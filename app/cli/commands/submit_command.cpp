#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>
#include <memory>
#include <numeric>
#include <ostream>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/cluster/tasks.h"
#include "app/cli/command.h"
#include "app/cli/run/new_process.h"
#include "app/cli/run/shipped_study.h"
#include "app/cli/stop_signals.h"
#include "core/base/text/shell_quoted.h"
#include "runner/cluster/slurm.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using cluster::ClusterRun;
using cluster::TaskState;
using cluster::TaskStatus;

struct SubmitFlags {
  std::vector<std::string> what;
  cluster::SubmitRequest request;
  std::string output;
  std::vector<std::string> sbatch;
  bool isAgain = false;
  bool isStatus = false;
  bool isCancel = false;
  bool isLocal = false;
  bool isDryRun = false;
  bool isWait = false;
  std::string format = "text";
};

bool isSubmitted(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path / cluster::kClusterFile, ignored);
}

std::vector<std::size_t> inState(const std::vector<TaskStatus>& all,
                                 const std::set<TaskState>& states) {
  std::vector<std::size_t> tasks;
  for (std::size_t task = 0; task < all.size(); ++task) {
    if (states.contains(all[task].state)) {
      tasks.push_back(task);
    }
  }
  return tasks;
}

void printStatus(const ClusterRun& run,
                 const std::vector<TaskStatus>& all,
                 const CommandContext& context) {
  fmt::print(context.out, "{}: {}\n", run.folder.string(), cluster::summaryOf(all));
  for (std::size_t task = 0; task < all.size(); ++task) {
    const cluster::Task& planned = run.tasks[task];
    const TaskStatus& status = all[task];
    fmt::print(context.out,
               "{:>6}  {:<8} {}, samples {} to {}{}{}{}\n",
               task,
               cluster::toString(status.state),
               planned.name(),
               planned.firstSample,
               planned.end() - 1,
               status.job.empty() ? "" : fmt::format(", job {}", status.job),
               status.node.empty() ? "" : fmt::format(", {}", status.node),
               status.reason.empty() ? "" : fmt::format(": {}", status.reason));
  }
}

/// Waits until no task is queued or running any more, nor what puts their results together.
Result<std::vector<TaskStatus>> waitForTasks(const ClusterRun& run, const CommandContext& context) {
  constexpr std::chrono::milliseconds kFirst{500};
  constexpr std::chrono::milliseconds kLongest{10'000};
  const auto signals = ULP_TRY(StopSignals::install());
  auto pause = kFirst;
  std::string before;
  while (true) {
    auto statuses = ULP_TRY(cluster::taskStatuses(run));
    const std::string now = cluster::summaryOf(statuses);
    if (now != std::exchange(before, now)) {
      fmt::print(context.err, "{}: {}\n", run.folder.string(), now);
      pause = kFirst;
    }
    const bool areOver = inState(statuses, {TaskState::Pending, TaskState::Running}).empty();
    if (areOver && ULP_TRY(cluster::takeBackMerge(run))) {
      return statuses;
    }
    const auto end = std::chrono::steady_clock::now() + pause;
    while (std::chrono::steady_clock::now() < end) {
      if (signals->token().stop_requested()) {
        return fail(ErrorCode::Cancelled,
                    fmt::format("{}: the tasks go on; ulpscope-cli submit {} --wait waits again, "
                                "--cancel takes them back",
                                run.folder.string(),
                                shellWord(run.folder.string())));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    pause = std::min(pause * 2, kLongest);
  }
}

Result<ExitCode> waitAndMerge(const ClusterRun& run, const CommandContext& context) {
  const auto statuses = ULP_TRY(waitForTasks(run, context));
  return mergeRun(run, statuses, context);
}

/// Hands tasks to Slurm, or makes them here.
Result<ExitCode> start(ClusterRun run,
                       const std::vector<std::size_t>& tasks,
                       const SubmitFlags& flags,
                       const CommandContext& context) {
  if (flags.isLocal) {
    ULP_TRY(makeTasksHere(run, tasks));
    const auto statuses = ULP_TRY(cluster::taskStatuses(run));
    return mergeRun(run, statuses, context);
  }
  ULP_TRY(cluster::submitTasks(run, tasks));
  if (flags.format == "json") {
    const auto statuses = ULP_TRY(cluster::taskStatuses(run));
    fmt::print(context.out, "{}\n", cluster::statusJson(run, statuses));
    return ExitCode::Done;
  }
  std::vector<std::string> jobs;
  for (const cluster::Submission& each : run.submissions) {
    jobs.push_back(each.job);
  }
  fmt::print(context.out,
             "{}: {} of {} tasks submitted, jobs {}\n",
             run.folder.string(),
             tasks.size(),
             run.tasks.size(),
             fmt::join(jobs, ", "));
  context.out.flush();
  return flags.isWait ? waitAndMerge(run, context) : Result<ExitCode>(ExitCode::Done);
}

/// A run that was submitted: what is to be done with it.
Result<ExitCode> goOn(const fs::path& folder,
                      const SubmitFlags& flags,
                      const CommandContext& context) {
  ClusterRun run = ULP_TRY(cluster::loadClusterRun(folder));
  if (flags.isCancel) {
    ULP_TRY(cluster::cancelTasks(run));
  }
  if (flags.isWait && !flags.isAgain) {
    return waitAndMerge(run, context);
  }
  const auto statuses = ULP_TRY(cluster::taskStatuses(run));
  if (flags.isAgain) {
    const auto missing = inState(statuses, {TaskState::Failed, TaskState::Waiting});
    std::error_code ignored;
    if (missing.empty() && !fs::exists(run.folder / "precision_report.json", ignored) &&
        inState(statuses, {TaskState::Pending, TaskState::Running}).empty()) {
      return waitAndMerge(run, context);
    }
    if (missing.empty()) {
      fmt::print(context.out, "{}: nothing failed: {}\n", folder.string(), summaryOf(statuses));
      return ExitCode::Done;
    }
    return start(std::move(run), missing, flags, context);
  }
  if (flags.format == "json") {
    fmt::print(context.out, "{}\n", cluster::statusJson(run, statuses));
  } else if (flags.isStatus || flags.isCancel) {
    printStatus(run, statuses, context);
  } else {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: was submitted already; say what is to be done with it: --status, "
                            "--again, --wait or --cancel",
                            folder.string()));
  }
  return ExitCode::Done;
}

/// Says what would be submitted.
Result<ExitCode> showPlan(const ClusterRun& run, const CommandContext& context) {
  std::vector<std::size_t> all(run.tasks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::string> jobs;
  std::string references;
  int arrays = 0;
  for (const cluster::TaskArray& array : arraysOf(run, std::move(all))) {
    fmt::print(context.out, "{}\n", shellLine(arrayWords(run, array.tasks, references)));
    arrays += array.isReference ? 0 : 1;
    jobs.emplace_back(array.isReference ? "REFERENCES"
                      : arrays == 1     ? "TASKS"
                                        : fmt::format("TASKS{}", arrays));
    references = array.isReference ? jobs.back() : references;
  }
  fmt::print(context.out, "{}\n", shellLine(mergeWords(run, jobs)));
  return ExitCode::Done;
}

Result<ExitCode> submitStudy(const fs::path& study,
                             const SubmitFlags& flags,
                             const CommandContext& context) {
  cluster::SubmitRequest request = flags.request;
  const auto program = ULP_TRY(ownProgram());
  request.study = ULP_TRY(studyNamed(study, program));
  const bool isOneOfSeveral = flags.what.size() > 1 && !flags.output.empty();
  request.output = isOneOfSeveral ? fs::path(flags.output) / study.stem() : fs::path(flags.output);
  for (const std::string& line : flags.sbatch) {
    const auto words = ULP_TRY(cluster::shellWords(line));
    request.options.insert(request.options.end(), words.begin(), words.end());
  }
  if (flags.isDryRun) {
    const auto planned = ULP_TRY(cluster::planClusterRun(request));
    return showPlan(planned, context);
  }
  const auto run = ULP_TRY(cluster::makeClusterRun(request, program));
  std::vector<std::size_t> all(run.tasks.size());
  for (std::size_t task = 0; task < all.size(); ++task) {
    all[task] = task;
  }
  return start(run, all, flags, context);
}

ExitCode submitAll(const SubmitFlags& flags, const CommandContext& context) {
  ExitCode worst = ExitCode::Done;
  for (const std::string& each : flags.what) {
    const bool isRun = isSubmitted(each) || flags.isAgain || flags.isStatus || flags.isCancel;
    const auto end = isRun ? goOn(each, flags, context) : submitStudy(each, flags, context);
    const ExitCode code = context.exitCodeOf(end);
    worst = worst == ExitCode::Done ? code : worst;
    if (code == ExitCode::Cancelled) {
      break;
    }
  }
  return worst;
}

void addPlanOptions(CLI::App& command, SubmitFlags& flags) {
  cluster::SubmitRequest& request = flags.request;
  command.add_option("--output", flags.output, "Folder of the run, which every node sees");
  command.add_option("--set", request.sets, "KEY=VALUE in place of the study's; repeat")
      ->allow_extra_args(false);
  command.add_option("--variant", request.variants, "Run this variant only; repeat")
      ->allow_extra_args(false);
  command.add_option("--device", request.device, "auto, cpu, cuda or cuda:N");
  command.add_option("--threads", request.threads, "Threads on the CPU, and CPUs of each task")
      ->check(CLI::Range(1, 4096));
  command
      .add_option("--samples-per-task", request.samplesPerTask, "Samples of a task (default: all)")
      ->check(CLI::PositiveNumber);
  command.add_flag("--share-reference",
                   request.sharesReference,
                   "Run the reference once for all variants, which read its tensors");
  command
      .add_option("--sbatch", flags.sbatch, "Options for sbatch, such as --sbatch=--time=1:00:00")
      ->allow_extra_args(false);
}

void addSubmitCommand(CLI::App& app, CommandContext& context) {
  CLI::App* command =
      app.add_subcommand("submit", "Run studies on a cluster, as job arrays of Slurm");
  const auto flags = std::make_shared<SubmitFlags>();
  command
      ->add_option("STUDY",
                   flags->what,
                   "Study files, names of those that ship, or folders of runs that were submitted")
      ->required();
  addPlanOptions(*command, *flags);
  command->add_flag("--dry-run", flags->isDryRun, "Show what would be submitted");
  command->add_flag(
      "--local", flags->isLocal, "Make the tasks here, one after another, without Slurm");
  command->add_flag("--wait", flags->isWait, "Wait for the tasks, then merge their results");
  command->add_flag("--again", flags->isAgain, "Of a run: submit what failed or is missing");
  command->add_flag("--status", flags->isStatus, "Of a run: say how its tasks stand");
  command->add_flag("--cancel", flags->isCancel, "Of a run: take its tasks back");
  command->add_option("--format", flags->format, "How tasks stand: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([flags, &context] { context.exitCode = submitAll(*flags, context); });
}

}  // namespace

void registerSubmit(CommandRegistry& registry) {
  registry.add({.order = 12, .add = addSubmitCommand});
}

}  // namespace ulp::cli
