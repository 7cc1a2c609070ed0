#include "app/cli/cluster/tasks.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <ostream>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "app/cli/run/new_process.h"
#include "app/cli/run/study_run.h"
#include "app/cli/run/study_summary.h"
#include "core/base/error.h"
#include "core/base/processes/started_program.h"
#include "core/base/text/shell_quoted.h"
#include "runner/cluster/merge_tasks.h"
#include "runner/worker/session/run_folder.h"

namespace ulp::cli {
namespace {

std::string nodeName() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Result<> runTask(const cluster::ClusterRun& run,
                 std::size_t task,
                 ProgressMode progress,
                 bool hasControl,
                 const CommandContext& context) {
  std::error_code failed;
  std::filesystem::current_path(run.workingDir, failed);
  if (failed) {
    return fail(systemError(run.workingDir, "cannot be the working folder", failed.value()));
  }
  auto study = ULP_TRY(run.study());
  const RunArguments arguments{.study = run.studyFile,
                               .inMemory = std::move(study),
                               .sets = run.sets,
                               .progress = progress,
                               .hasControl = hasControl,
                               .options = {.outputDir = run.taskFolder(task),
                                           .variants = run.variants,
                                           .device = run.deviceOf(task),
                                           .threads = run.threads,
                                           .existing = worker::ExistingResults::Resume,
                                           .part = run.partOf(task)}};
  ULP_TRY(runStudyQuietly(arguments, context));
  return {};
}

}  // namespace

Result<> makeTask(const cluster::ClusterRun& run,
                  std::size_t task,
                  ProgressMode progress,
                  bool hasControl,
                  const CommandContext& context) {
  if (task >= run.tasks.size()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format(
            "{}: has tasks 0 to {}, no task {}", run.folder.string(), run.tasks.size() - 1, task));
  }
  // Who makes it already goes on, and says how it ended.
  ULP_TRY(worker::RunFolder::claim(run.taskFolder(task), worker::ExistingResults::Resume)
              .map([](const auto& /*free again*/) {}));
  ULP_TRY(cluster::forgetTaskEnd(run, task));
  Result<> done = runTask(run, task, progress, hasControl, context);
  cluster::TaskEnd end{.status = "finished", .node = nodeName()};
  if (!done) {
    end.exitCode = static_cast<int>(exitCodeFor(done.error().code()));
    end.status = done.error().code() == ErrorCode::Cancelled ? "cancelled" : "failed";
    end.error = done.error().message();
  }
  Result<> said = cluster::writeTaskEnd(run, task, end);
  return done ? said : done;
}

Result<> makeTasksHere(const cluster::ClusterRun& run, const std::vector<std::size_t>& tasks) {
  const auto program = ULP_TRY(ownProgram());
  for (const std::size_t task : tasks) {
    const pid_t child = ULP_TRY(startProgram({.words = {program.string(),
                                                        "task",
                                                        run.folder.string(),
                                                        std::to_string(task),
                                                        "--progress",
                                                        "plain"},
                                              .output = STDERR_FILENO}));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
      if (errno != EINTR) {
        return fail(systemError(program, "the end of a task was lost", errno));
      }
    }
    const bool isCancelled =
        WIFSIGNALED(status) ||
        (WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(ExitCode::Cancelled));
    if (isCancelled) {
      return fail(
          ErrorCode::Cancelled,
          fmt::format("{}: stopped in task {}; ulpscope-cli submit {} --again --local makes "
                      "what is left",
                      run.folder.string(),
                      task,
                      shellWord(run.folder.string())));
    }
  }
  return {};
}

Result<ExitCode> mergeRun(const cluster::ClusterRun& run,
                          const std::vector<cluster::TaskStatus>& statuses,
                          const CommandContext& context) {
  using cluster::TaskState;
  const auto note = [&statuses](std::size_t task) -> std::string {
    const cluster::TaskStatus& status = statuses.at(task);
    if (status.state != TaskState::Failed) {
      return {};
    }
    return fmt::format("failed{}: {}",
                       status.node.empty() ? "" : fmt::format(" on {}", status.node),
                       status.reason);
  };
  const auto report = ULP_TRY(cluster::mergeTasks(
      run, {.conclude = concludeReport, .note = note}, [&context](const worker::Event& event) {
        const auto* message = std::get_if<worker::Message>(&event);
        if (message != nullptr && message->level == "warning") {
          fmt::print(context.err, "warning: {}\n", message->text);
        }
      }));
  ULP_TRY(printSummary(*report, context));
  fmt::print(context.out, "\nReport: {}\n", (run.folder / "precision_report.json").string());
  std::vector<Error> missing;
  for (const report::Run& each : report->runs) {
    if (each.status != report::RunStatus::Finished && each.status != report::RunStatus::Skipped) {
      missing.emplace_back(ErrorCode::RunFailed,
                           each.error.empty()
                               ? fmt::format("{}: {}", each.name, toString(each.status))
                               : each.error);
    }
  }
  return missing.empty() ? ExitCode::Done : context.reportErrors(missing);
}

}  // namespace ulp::cli
