#include "runner/cluster/cluster_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <ranges>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "core/base/list_of.h"
#include "core/base/text/shell_quoted.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/study/reading/study_text.h"
#include "core/study/schema/device_names.h"
#include "runner/worker/events/run_files.h"
#include "runner/worker/input/step_input.h"
#include "runner/worker/parts/shared_reference.h"
#include "runner/worker/session/run_plan.h"

namespace ulp::cluster {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchema = "ulpscope.cluster/1";
constexpr std::string_view kTaskFolder = "tasks";
constexpr std::string_view kEndFile = "end.json";
/// As python.ranks has it.
constexpr std::int64_t kMostRanks = 4096;

json::Array textsOf(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

std::vector<std::string> textsIn(const json::Value& value) {
  return listOf(value.items(), &json::Value::text);
}

json::Value toJson(const Task& task) {
  json::Object object{
      {"runs", textsOf(task.runs)}, {"first_sample", task.firstSample}, {"samples", task.samples}};
  if (task.keepsReference) {
    object["keeps_reference"] = true;
  }
  if (task.need.ranks > 1) {
    object["ranks"] = task.need.ranks;
    object["ranks_by_srun"] = task.need.isSpread;
  }
  if (!task.device.empty()) {
    object["device"] = task.device;
  }
  return object;
}

Task taskOf(const json::Value& value) {
  // Earlier versions wrote the one run of a task.
  const std::string& run = value.at("run").text();
  return {.runs = run.empty() ? textsIn(value.at("runs")) : std::vector{run},
          .firstSample = static_cast<std::uint64_t>(value.at("first_sample").integer()),
          .samples = static_cast<std::uint64_t>(value.at("samples").integer()),
          .keepsReference = value.at("keeps_reference").boolean(),
          .need = {.ranks = static_cast<int>(
                       std::clamp<std::int64_t>(value.at("ranks").integer(), 1, kMostRanks)),
                   .isSpread = value.at("ranks_by_srun").boolean()},
          .device = value.at("device").text()};
}

json::Value toJson(const Submission& submission) {
  json::Array tasks(submission.tasks.begin(), submission.tasks.end());
  return json::Object{
      {"job", submission.job}, {"merge", submission.isMerge}, {"tasks", std::move(tasks)}};
}

Submission submissionOf(const json::Value& value) {
  return {.job = value.at("job").text(),
          .tasks = listOf(
              value.at("tasks").items(),
              [](const json::Value& task) { return static_cast<std::size_t>(task.integer()); }),
          .isMerge = value.at("merge").boolean()};
}

/// Samples lie in one row and no task is empty, whoever wrote the file.
bool isPossible(const ClusterRun& run) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  return !run.tasks.empty() && std::ranges::all_of(run.tasks, [](const Task& task) {
    return task.samples > 0 && task.samples < kMost && task.firstSample < kMost;
  }) && std::ranges::all_of(run.submissions, [&run](const Submission& each) {
    return std::ranges::all_of(each.tasks,
                               [&run](std::size_t task) { return task < run.tasks.size(); });
  });
}

/// What the processes of a run ask for.
TaskNeed needOf(const worker::PlannedRun& run) {
  const engine::PythonPlan& python = run.precision.python;
  return {.ranks = python.ranks, .isSpread = python.ranks > 1 && python.launcher == "srun"};
}

/// The reference, variants that were chosen and the runs of the noise floor, with what they ask
/// for. Whether this study repeats its reference, the device of its tasks decides: here it may have
/// another one.
Result<std::vector<std::pair<std::string, TaskNeed>>> runsOf(const study::Study& study,
                                                             const SubmitRequest& request) {
  const std::string& device = request.device.empty() ? study.device : request.device;
  const auto planned =
      ULP_TRY(worker::planRuns(study, request.variants, study::areCpus(device) ? "cpu" : "cuda"));
  std::vector<std::pair<std::string, TaskNeed>> runs;
  for (const worker::PlannedRun& run : planned) {
    if (run.isChosen) {
      runs.emplace_back(run.name, needOf(run));
    }
  }
  return runs;
}

Result<> refuseResults(const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder / kClusterFile, ignored)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: was submitted already; --again runs what failed of it, or name "
                            "another folder with --output",
                            folder.string()));
  }
  if (fs::exists(folder / "precision_report.json", ignored) ||
      fs::exists(folder / worker::kJournalFile, ignored)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds results already; name another folder with --output",
                            folder.string()));
  }
  return {};
}

fs::path absolutePath(const fs::path& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed).lexically_normal();
  // "runs/study/" has no name behind its slash.
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

std::string script(std::string_view what, std::string_view command) {
  return fmt::format("#!/bin/sh\n# Written by Ulpscope: {}\nexec {}\n", what, command);
}

}  // namespace

fs::path ClusterRun::taskFolder(std::size_t task) const {
  return folder / kTaskFolder / fmt::format("{:04}", task);
}

fs::path ClusterRun::logFile(std::size_t task) const {
  return folder / kTaskFolder / fmt::format("{:04}.log", task);
}

worker::StudyPart ClusterRun::partOf(std::size_t task) const {
  using Reference = worker::StudyPart::Reference;
  const Task& planned = tasks.at(task);
  worker::StudyPart part{.runs = planned.runs,
                         .firstSample = planned.firstSample,
                         .samples = planned.samples,
                         .keepsReference = planned.keepsReference};
  if (sharesReference) {
    part.reference = planned.runs.empty() ? Reference::Shares : Reference::Shared;
    part.references = references();
  }
  return part;
}

std::string lostResults(const ClusterRun& run, std::size_t task, bool areReferencesNeeded) {
  std::error_code ignored;
  if (!fs::exists(run.taskFolder(task) / "precision_report.json", ignored)) {
    return "its report is gone";
  }
  const worker::StudyPart part = run.partOf(task);
  const bool shares = part.reference == worker::StudyPart::Reference::Shares;
  for (std::uint64_t sample = part.firstSample; shares && sample < part.end(); ++sample) {
    if (areReferencesNeeded &&
        !fs::exists(worker::referenceFile(part.references, sample), ignored)) {
      return "the reference that it shares is gone";
    }
  }
  return {};
}

const std::string& ClusterRun::deviceOf(std::size_t task) const {
  const std::string& own = tasks.at(task).device;
  return own.empty() ? device : own;
}

std::string ClusterRun::jobOf(std::size_t task) const {
  for (const auto& each : submissions | std::views::reverse) {
    if (std::ranges::find(each.tasks, task) != each.tasks.end()) {
      return each.job;
    }
  }
  return {};
}

Result<study::Study> ClusterRun::study() const {
  std::vector<std::string> all = sets;
  if (!device.empty()) {
    all.push_back("device=" + device);
  }
  return study::studyOfText(studyFile, studyText, all);
}

Result<ClusterRun> planClusterRun(const SubmitRequest& request) {
  const study::Study study = ULP_TRY(study::loadStudy(request.study, request.sets));
  const std::string& device = request.device.empty() ? study.device : request.device;
  if (study::areSeveralDevices(device)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("device: '{}' are several, and a task of a cluster has one; name it "
                            "with --device cuda",
                            device));
  }
  std::error_code failed;
  ClusterRun run{.folder = absolutePath(request.output.empty() ? study.outputDir : request.output),
                 .studyFile = request.study,
                 .workingDir = fs::current_path(failed),
                 .studyText = study.text,
                 .sets = request.sets,
                 .variants = request.variants,
                 .device = request.device,
                 .threads = request.threads,
                 .options = request.options,
                 .sharesReference = request.sharesReference,
                 .tasks = {}};
  // sbatch puts nothing in place of %4a in the name of a log that holds one.
  if (run.folder.string().find('\\') != std::string::npos) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: Slurm takes no folder with a backslash in its name; name another "
                            "with --output",
                            run.folder.string()));
  }
  const auto runs = ULP_TRY(runsOf(study, request));
  const std::map<std::string, TaskNeed> needs(runs.begin(), runs.end());
  std::vector<std::string> names = listOf(runs, [](const auto& each) { return each.first; });
  std::erase(names, study::kReferenceName);
  run.tasks = ULP_TRY(planTasks({.runs = names,
                                 .samples = static_cast<std::uint64_t>(worker::sampleCount(study)),
                                 .samplesPerTask = request.samplesPerTask,
                                 .sharesReference = request.sharesReference}));
  const TaskNeed reference = needs.at(std::string(study::kReferenceName));
  for (Task& task : run.tasks) {
    // Each makes the reference on its samples, unless that is shared.
    const bool hasReference = task.runs.empty() || !request.sharesReference;
    task.need = bothNeeds(hasReference ? reference : TaskNeed{},
                          task.runs.empty() ? TaskNeed{} : needs.at(task.runs.front()));
  }
  return run;
}

Result<ClusterRun> makeClusterRun(const SubmitRequest& request, const fs::path& program) {
  auto run = ULP_TRY(planClusterRun(request));
  ULP_TRY(refuseResults(run.folder));
  ULP_TRY(makeFolders(run.folder / kTaskFolder));
  ULP_TRY(writeFileAtomically(run.folder / kTaskScript, taskScript(program, run.folder)));
  ULP_TRY(writeFileAtomically(run.folder / kMergeScript, mergeScript(program, run.folder)));
  ULP_TRY(saveClusterRun(run));
  return run;
}

Result<> saveClusterRun(const ClusterRun& run) {
  const json::Object object{
      {"schema", kSchema},
      {"study", run.studyFile.string()},
      {"text", run.studyText},
      {"sets", textsOf(run.sets)},
      {"variants", textsOf(run.variants)},
      {"device", run.device},
      {"threads", run.threads},
      {"working_folder", run.workingDir.string()},
      {"sbatch", textsOf(run.options)},
      {"shares_reference", run.sharesReference},
      {"tasks", listOf(run.tasks, [](const Task& task) { return toJson(task); })},
      {"jobs", listOf(run.submissions, [](const Submission& each) { return toJson(each); })}};
  return writeFileAtomically(run.folder / kClusterFile, json::dump(object, {.indent = 1}) + "\n");
}

Result<ClusterRun> loadClusterRun(const fs::path& folder) {
  const fs::path file = folder / kClusterFile;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: is no run that was submitted to a cluster: {} is not there; "
                            "ulpscope-cli submit STUDY makes one",
                            folder.string(),
                            kClusterFile));
  }
  const std::string text = ULP_TRY(readTextFile(file));
  const json::Value value = ULP_TRY(whileDoing(file.string(), json::parseObject(text)));
  const std::string& schema = value.at("schema").text();
  if (schema != kSchema) {
    return fail(
        schema.starts_with("ulpscope.cluster/") ? ErrorCode::Unsupported : ErrorCode::CorruptData,
        fmt::format(
            "{}: its schema is '{}', this version reads {}", file.string(), schema, kSchema));
  }
  ClusterRun run{.folder = absolutePath(folder),
                 .studyFile = value.at("study").text(),
                 .workingDir = value.at("working_folder").text(),
                 .studyText = value.at("text").text(),
                 .sets = textsIn(value.at("sets")),
                 .variants = textsIn(value.at("variants")),
                 .device = value.at("device").text(),
                 .threads = static_cast<int>(value.at("threads").integer()),
                 .options = textsIn(value.at("sbatch")),
                 .sharesReference = value.at("shares_reference").boolean(),
                 .tasks = listOf(value.at("tasks").items(), taskOf),
                 .submissions = listOf(value.at("jobs").items(), submissionOf)};
  if (!isPossible(run)) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: its tasks are impossible; submit the study anew", file.string()));
  }
  return run;
}

Result<std::optional<TaskEnd>> readTaskEnd(const ClusterRun& run, std::size_t task) {
  const fs::path file = run.taskFolder(task) / kEndFile;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return std::nullopt;
  }
  const std::string text = ULP_TRY(readTextFile(file));
  const json::Value value = ULP_TRY(whileDoing(file.string(), json::parseObject(text)));
  return TaskEnd{.exitCode = static_cast<int>(value.at("exit_code").integer()),
                 .status = value.at("status").text(),
                 .error = value.at("error").text(),
                 .node = value.at("node").text()};
}

Result<> writeTaskEnd(const ClusterRun& run, std::size_t task, const TaskEnd& end) {
  const json::Object object{{"exit_code", end.exitCode},
                            {"status", end.status},
                            {"error", end.error},
                            {"node", end.node}};
  ULP_TRY(makeFolders(run.taskFolder(task)));
  return writeFileAtomically(run.taskFolder(task) / kEndFile, json::dump(object) + "\n");
}

Result<> forgetTaskEnd(const ClusterRun& run, std::size_t task) {
  const fs::path file = run.taskFolder(task) / kEndFile;
  std::error_code failed;
  fs::remove(file, failed);
  return failed ? fail(systemError(file, "cannot be removed", failed.value())) : Result<>();
}

bool hasBegun(const ClusterRun& run, std::size_t task) {
  std::error_code ignored;
  return fs::exists(run.taskFolder(task) / worker::kJournalFile, ignored);
}

Result<std::vector<std::string>> shellWords(std::string_view line) {
  std::vector<std::string> words;
  bool isInWord = false;
  char quote = 0;
  const auto word = [&]() -> std::string& {
    if (!std::exchange(isInWord, true)) {
      words.emplace_back();
    }
    return words.back();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      isInWord = false;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      word();
    } else if (c == quote && quote != 0) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word() += line[++i];
    } else {
      word() += c;
    }
  }
  if (quote != 0) {
    return fail(ErrorCode::InvalidArgument, fmt::format("--sbatch: {}: a quote has no end", line));
  }
  return words;
}

std::string taskScript(const fs::path& program, const fs::path& folder) {
  return script("a job array makes one task each (docs/cluster.md).",
                fmt::format("{} task {} \"${{SLURM_ARRAY_TASK_ID:-$1}}\" --progress plain",
                            shellQuoted(program.string()),
                            shellQuoted(folder.string())));
}

std::string mergeScript(const fs::path& program, const fs::path& folder) {
  return script(
      "puts the results of all tasks together (docs/cluster.md).",
      fmt::format("{} merge {}", shellQuoted(program.string()), shellQuoted(folder.string())));
}

}  // namespace ulp::cluster
