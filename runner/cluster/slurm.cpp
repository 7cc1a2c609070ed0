#include "runner/cluster/slurm.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/list_of.h"
#include "core/base/text/shell_quoted.h"

namespace ulp::cluster {
namespace {

/// A controller with much to do answers late.
constexpr std::chrono::minutes kPatience{5};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \n\r\t");
  const std::size_t end = text.find_last_not_of(" \n\r\t");
  return begin == std::string_view::npos ? std::string()
                                         : std::string(text.substr(begin, end + 1 - begin));
}

/// What Slurm's words mean for whoever submits.
struct Remedy {
  std::string_view words;
  std::string_view remedy;
};
constexpr std::array<Remedy, 8> kRemedies{{
    {"nvalid partition", "sinfo lists the partitions; name one with --sbatch=--partition=NAME"},
    {"nvalid account", "name an account of yours with --sbatch=--account=NAME"},
    {"nvalid qos", "name another one with --sbatch=--qos=NAME"},
    {"nvalid job array",
     "the cluster's MaxArraySize is smaller: give each task more samples "
     "(--samples-per-task) or choose variants (--variant)"},
    {"Requested node configuration is not available",
     "no node has so much: ask for less with --sbatch=--cpus-per-task=N, --sbatch=--mem=… or "
     "--sbatch=--gpus=N"},
    {"time limit", "ask for less time with --sbatch=--time=HH:MM:SS"},
    {"nvalid generic resource", "sinfo -o %G lists what nodes have; ask with --sbatch=--gpus=N"},
    {"nable to contact slurm controller", "the cluster does not answer: try again later"},
}};

/// A path of which sbatch puts nothing in place of what follows a %.
std::string literally(const std::filesystem::path& path) {
  std::string text;
  for (const char c : path.string()) {
    text.append(c == '%' ? 2 : 1, c);
  }
  return text;
}

/// Whether an option of sbatch is one of these, which begin with their dashes.
bool isOneOf(std::string_view word, std::span<const std::string_view> options) {
  return std::ranges::any_of(options, [word](std::string_view option) {
    return word.starts_with(option) && (option.starts_with("--") || !word.starts_with("--"));
  });
}

constexpr std::array<std::string_view, 2> kDependencies{"--dependency", "-d"};

/// What a merge has no use for.
constexpr std::array<std::string_view, 13> kOfTasksAlone{"--gpus",
                                                         "--gres",
                                                         "-G",
                                                         "--mem-per-gpu",
                                                         "--cpus-per-gpu",
                                                         "--array",
                                                         "-a",
                                                         "--nodes",
                                                         "-N",
                                                         "--ntasks",
                                                         "-n",
                                                         "--exclusive",
                                                         "--requeue"};

/// The options of sbatch but some. The value of one may be the next word.
std::vector<std::string> without(std::span<const std::string_view> unwanted,
                                 const std::vector<std::string>& options) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    if (!isOneOf(word, unwanted)) {
      kept.push_back(word);
      continue;
    }
    const bool isWhole = word.find('=') != std::string::npos ||
                         (!word.starts_with("--") && word.size() > 2) || word == "--exclusive" ||
                         word == "--requeue";
    if (!isWhole && i + 1 < options.size() && !options[i + 1].starts_with('-')) {
      ++i;
    }
  }
  return kept;
}

/// Options for the processes of a task, each of so many threads (0: not said).
void addNeed(std::vector<std::string>& words, const TaskNeed& need, int threads) {
  if (need.isSpread) {
    words.push_back(fmt::format("--ntasks={}", need.ranks));
  } else if (need.ranks > 1) {
    words.emplace_back("--nodes=1");
  }
  const int cpus = need.isSpread || need.ranks == 1 ? threads : need.ranks * std::max(threads, 1);
  if (cpus > 0) {
    words.push_back(fmt::format("--cpus-per-task={}", cpus));
  }
}

std::string jobName(const ClusterRun& run) {
  return "ulpscope-" + run.folder.filename().string();
}

/// Submits a job and gives its number.
Result<std::string> submit(const std::vector<std::string>& words) {
  const auto outcome = outputOf({.words = words}, kPatience);
  if (!outcome) {
    return outcome.error().code() == ErrorCode::NotFound
               ? fail(ErrorCode::NotFound,
                      "sbatch: Slurm is not on this machine; submit from a login node of the "
                      "cluster, or make the tasks here with --local")
               : tl::unexpected(outcome.error());
  }
  if (outcome->exitCode != 0) {
    return tl::unexpected(refusalOf("sbatch", *outcome));
  }
  // "123" or "123;cluster"
  const std::string said = trimmed(outcome->text);
  const std::string number = said.substr(0, said.find(';'));
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) {
    return fail(ErrorCode::Unsupported,
                fmt::format("sbatch: says '{}' where --parsable is the number of the job", said));
  }
  return number;
}

Result<std::string> submitArray(ClusterRun& run,
                                const std::vector<std::size_t>& tasks,
                                std::string_view after) {
  for (const std::size_t task : tasks) {
    ULP_TRY(forgetTaskEnd(run, task));
  }
  auto job = ULP_TRY(submit(arrayWords(run, tasks, after)));
  run.submissions.push_back({.job = job, .tasks = tasks});
  ULP_TRY(saveClusterRun(run));
  return job;
}

std::set<std::string> jobsOf(const ClusterRun& run) {
  std::set<std::string> jobs;
  for (const Submission& each : run.submissions) {
    jobs.insert(each.job);
  }
  return jobs;
}

/// What a program says of the jobs; nothing where it cannot be asked. A queue that has forgotten
/// all of them says that one is invalid.
std::optional<std::string> asked(const std::vector<std::string>& words) {
  const auto outcome = outputOf({.words = words}, kPatience);
  if (!outcome) {
    return std::nullopt;
  }
  const bool isForgotten = outcome->errors.find("nvalid job id") != std::string::npos;
  return outcome->exitCode == 0 || isForgotten ? std::optional(outcome->text) : std::nullopt;
}

std::optional<JobEntry> entryOf(const JobEntries& entries, const std::string& job) {
  const auto found = entries.find(job);
  return found == entries.end() ? std::nullopt : std::optional(found->second);
}

Result<> cancel(const std::vector<std::string>& options, const std::vector<std::string>& jobs) {
  std::vector<std::string> words{"scancel", "--quiet"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), jobs.begin(), jobs.end());
  const auto outcome = outputOf({.words = words}, kPatience);
  if (!outcome) {
    return outcome.error().code() == ErrorCode::NotFound
               ? fail(ErrorCode::NotFound,
                      "scancel: Slurm is not on this machine; cancel from a login node of the "
                      "cluster")
               : Result<>(tl::unexpected(outcome.error()));
  }
  return outcome->exitCode == 0 ? Result<>()
                                : Result<>(tl::unexpected(refusalOf("scancel", *outcome)));
}

}  // namespace

std::vector<TaskArray> arraysOf(const ClusterRun& run, std::vector<std::size_t> tasks) {
  std::ranges::sort(tasks);
  const std::size_t shared = run.sharesReference ? referenceTasks(run.tasks) : 0;
  std::map<std::pair<bool, TaskNeed>, std::vector<std::size_t>> groups;
  for (const std::size_t task : tasks) {
    groups[{task >= shared, run.tasks.at(task).need}].push_back(task);
  }
  return listOf(groups, [](const auto& group) {
    return TaskArray{.tasks = group.second, .isReference = !group.first.first};
  });
}

std::vector<std::string> arrayWords(const ClusterRun& run,
                                    const std::vector<std::size_t>& tasks,
                                    std::string_view after) {
  std::vector<std::string> words{"sbatch",
                                 "--parsable",
                                 "--requeue",
                                 "--open-mode=append",
                                 "--job-name=" + jobName(run),
                                 "--array=" + arrayText(tasks),
                                 "--chdir=" + run.workingDir.string(),
                                 // %4a: the number of the task, of four digits
                                 "--output=" + literally(run.folder / "tasks") + "/%4a.log"};
  addNeed(words, tasks.empty() ? TaskNeed{} : run.tasks.at(tasks.front()).need, run.threads);
  std::vector<std::string> options = run.options;
  if (!after.empty()) {
    words.push_back(fmt::format("--dependency=afterok:{}", after));
    words.emplace_back("--kill-on-invalid-dep=yes");
    // What it waits for waits for the user's own.
    options = without(kDependencies, options);
  }
  words.insert(words.end(), options.begin(), options.end());
  words.push_back((run.folder / kTaskScript).string());
  return words;
}

std::vector<std::string> mergeWords(const ClusterRun& run, const std::vector<std::string>& after) {
  std::vector<std::string> words{"sbatch",
                                 "--parsable",
                                 "--job-name=" + jobName(run) + "-merge",
                                 "--chdir=" + run.workingDir.string(),
                                 "--open-mode=append",
                                 "--output=" + literally(run.folder / kMergeLog),
                                 fmt::format("--dependency=afterany:{}", fmt::join(after, ":"))};
  const std::vector<std::string> options =
      without(kDependencies, without(kOfTasksAlone, run.options));
  words.insert(words.end(), options.begin(), options.end());
  words.push_back((run.folder / kMergeScript).string());
  return words;
}

Error refusalOf(std::string_view program, const ProgramOutput& outcome) {
  std::string said = trimmed(outcome.errors.empty() ? outcome.text : outcome.errors);
  std::ranges::replace(said, '\n', ' ');
  const auto remedy = std::ranges::find_if(kRemedies, [&said](const Remedy& each) {
    return said.find(each.words) != std::string::npos;
  });
  return {
      ErrorCode::InvalidArgument,
      fmt::format("{} ended with code {}: {}{}",
                  program,
                  outcome.exitCode,
                  said.empty() ? "without a word" : said,
                  remedy == kRemedies.end() ? std::string() : fmt::format("; {}", remedy->remedy))};
}

Result<> submitTasks(ClusterRun& run, std::vector<std::size_t> tasks) {
  std::vector<std::string> jobs;
  std::string references;
  const auto goOn = [&](const Error& error, std::string_view remedy) {
    return fail(error.code(),
                fmt::format("{}; jobs {} were submitted and go on; ulpscope-cli {}",
                            error.message(),
                            fmt::join(jobs, ", "),
                            fmt::format(fmt::runtime(remedy), shellWord(run.folder.string()))));
  };
  for (const TaskArray& array : arraysOf(run, std::move(tasks))) {
    auto job = submitArray(run, array.tasks, references);
    if (!job) {
      return jobs.empty() ? Result<>(tl::unexpected(job.error()))
                          : goOn(job.error(), "submit {} --again submits the other tasks");
    }
    references = array.isReference ? *job : references;
    jobs.push_back(*std::move(job));
  }
  if (jobs.empty()) {
    return {};
  }
  auto merge = submit(mergeWords(run, jobs));
  if (!merge) {
    return goOn(merge.error(), "merge {} puts their results together once they are done");
  }
  run.submissions.push_back({.job = *std::move(merge), .tasks = {}, .isMerge = true});
  return saveClusterRun(run);
}

Result<std::vector<TaskStatus>> taskStatuses(const ClusterRun& run) {
  const auto jobs = jobsOf(run);
  const std::string list = fmt::format("{}", fmt::join(jobs, ","));
  std::optional<std::string> queue;
  JobEntries queued;
  JobEntries accounts;
  if (!jobs.empty()) {
    queue = asked({"squeue",
                   "--noheader",
                   "--array",
                   fmt::format("--format={}", kQueueFormat),
                   "--jobs=" + list});
    queued = parseQueue(queue.value_or(""));
    const auto said = asked({"sacct",
                             "--noheader",
                             "--parsable2",
                             "--allocations",
                             fmt::format("--format={}", kAccountFormat),
                             "--jobs=" + list});
    accounts = parseAccounts(said.value_or(""));
  }
  std::vector<TaskStatus> all;
  for (std::size_t task = 0; task < run.tasks.size(); ++task) {
    const std::string array = run.jobOf(task);
    TaskFacts facts{.job = array.empty() ? array : fmt::format("{}_{}", array, task),
                    .isQueueKnown = queue.has_value()};
    facts.end = ULP_TRY(readTaskEnd(run, task));
    facts.queued = entryOf(queued, facts.job);
    facts.account = entryOf(accounts, facts.job);
    all.push_back(statusOf(facts));
  }
  const bool isAnyOpen = std::ranges::any_of(
      all, [](const TaskStatus& each) { return each.state != TaskState::Done; });
  for (std::size_t task = 0; task < all.size(); ++task) {
    TaskStatus& status = all[task];
    std::string lost =
        status.state == TaskState::Done ? lostResults(run, task, isAnyOpen) : std::string();
    if (!lost.empty()) {
      status.state = TaskState::Failed;
      status.reason = std::move(lost);
    }
  }
  return all;
}

Result<bool> takeBackMerge(const ClusterRun& run) {
  std::vector<std::string> jobs;
  for (const Submission& each : run.submissions) {
    if (each.isMerge) {
      jobs.push_back(each.job);
    }
  }
  if (jobs.empty()) {
    return true;
  }
  // It fails, too, where they have ended.
  static_cast<void>(cancel({"--state=PENDING"}, jobs));
  const auto queue = asked({"squeue",
                            "--noheader",
                            fmt::format("--format={}", kQueueFormat),
                            fmt::format("--jobs={}", fmt::join(jobs, ","))});
  return parseQueue(queue.value_or("")).empty();
}

Result<> cancelTasks(const ClusterRun& run) {
  const auto jobs = jobsOf(run);
  return jobs.empty() ? Result<>() : cancel({}, {jobs.begin(), jobs.end()});
}

}  // namespace ulp::cluster
