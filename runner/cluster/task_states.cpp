#include "runner/cluster/task_states.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/json/dump.h"

namespace ulp::cluster {
namespace {

/// Jobs that will run, or run again.
constexpr std::array<std::string_view, 9> kPendingStates{"PENDING",
                                                         "CONFIGURING",
                                                         "REQUEUED",
                                                         "REQUEUE_FED",
                                                         "REQUEUE_HOLD",
                                                         "SPECIAL_EXIT",
                                                         "RESV_DEL_HOLD",
                                                         "PREEMPTED",
                                                         "RESIZING"};
constexpr std::array<std::string_view, 6> kRunningStates{
    "RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT"};
/// What a broken line may claim at most.
constexpr std::uint64_t kMostElements = kMostTasks;

template <std::size_t kCount>
bool isOneOf(std::string_view word, const std::array<std::string_view, kCount>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// "2-5,7" without what stands behind "%"; "2-8:3" are 2, 5 and 8.
std::vector<std::uint64_t> elementsOf(std::string_view text) {
  std::vector<std::uint64_t> elements;
  for (const std::string_view part : split(text.substr(0, text.find('%')), ',')) {
    const std::size_t colon = part.find(':');
    const std::string_view range = part.substr(0, colon);
    const auto step = colon == std::string_view::npos
                          ? std::optional<std::uint64_t>(1)
                          : parseNumber<std::uint64_t>(part.substr(colon + 1));
    const std::size_t dash = range.find('-');
    const auto first = parseNumber<std::uint64_t>(range.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parseNumber<std::uint64_t>(range.substr(dash + 1));
    if (!first || !last || !step || *step == 0 || *last >= kMostElements) {
      continue;
    }
    for (std::uint64_t each = *first; each <= *last; each += *step) {
      elements.push_back(each);
    }
  }
  return elements;
}

/// The jobs that "12", "12_3" or "12_[3-5]" stands for.
std::vector<std::string> jobsOf(std::string_view id) {
  const std::size_t bracket = id.find("_[");
  if (bracket == std::string_view::npos || !id.ends_with(']')) {
    return {std::string(id)};
  }
  const std::string_view inner = id.substr(bracket + 2, id.size() - bracket - 3);
  return listOf(elementsOf(inner), [&](std::uint64_t element) {
    return fmt::format("{}_{}", id.substr(0, bracket), element);
  });
}

bool isJobId(std::string_view id) {
  return !id.empty() && id.front() >= '0' && id.front() <= '9';
}

std::string_view firstWord(std::string_view text) {
  return text.substr(0, text.find_first_of(" +"));
}

/// Slurm says "None" and "(null)" for nothing.
std::string textOrNothing(std::string_view text) {
  return text == "None" || text == "(null)" || text == "None assigned" ? std::string()
                                                                       : std::string(text);
}

json::Value statusValue(const ClusterRun& run, std::size_t task, const TaskStatus& status) {
  const Task& planned = run.tasks[task];
  return json::Object{{"task", task},
                      {"run", planned.name()},
                      {"first_sample", planned.firstSample},
                      {"samples", planned.samples},
                      {"state", toString(status.state)},
                      {"reason", status.reason},
                      {"node", status.node},
                      {"job", status.job}};
}

}  // namespace

std::string_view toString(TaskState state) {
  constexpr std::array<std::string_view, kTaskStates.size()> kNames{
      "waiting", "pending", "running", "done", "failed"};
  return kNames.at(static_cast<std::size_t>(state));
}

JobEntries parseQueue(std::string_view text) {
  JobEntries entries;
  for (const std::string_view line : split(text, '\n')) {
    const auto parts = split(line, '|');
    if (parts.size() < 4 || !isJobId(parts[0])) {
      continue;
    }
    // A reason may hold anything.
    const auto reasonAt = static_cast<std::size_t>(parts[3].data() - line.data());
    for (std::string& job : jobsOf(parts[0])) {
      entries[std::move(job)] = {.state = std::string(firstWord(parts[1])),
                                 .node = textOrNothing(parts[2]),
                                 .reason = textOrNothing(line.substr(reasonAt))};
    }
  }
  return entries;
}

JobEntries parseAccounts(std::string_view text) {
  JobEntries entries;
  for (const std::string_view line : split(text, '\n')) {
    const auto parts = split(line, '|');
    if (parts.size() < 4 || !isJobId(parts[0]) || parts[0].find('.') != std::string_view::npos) {
      continue;
    }
    const std::string_view code = parts[3];
    for (std::string& job : jobsOf(parts[0])) {
      entries[std::move(job)] = {
          .state = std::string(firstWord(parts[1])),
          .node = textOrNothing(parts[2]),
          .reason = code == "0:0" ? std::string() : fmt::format("exit code {}", code)};
    }
  }
  return entries;
}

TaskStatus statusOf(const TaskFacts& facts) {
  TaskStatus status{.job = facts.job};
  if (facts.queued && isOneOf(facts.queued->state, kPendingStates)) {
    status.state = TaskState::Pending;
    status.reason = facts.queued->reason;
    return status;
  }
  if (facts.queued && isOneOf(facts.queued->state, kRunningStates)) {
    // It ends in a moment where it has said how.
    status.state = TaskState::Running;
    status.node = facts.queued->node;
    return status;
  }
  if (facts.end) {
    status.state = facts.end->exitCode == 0 ? TaskState::Done : TaskState::Failed;
    status.reason = facts.end->error;
    status.node = facts.end->node;
    return status;
  }
  const auto& said = facts.account ? facts.account : facts.queued;
  if (said && !isOneOf(said->state, kPendingStates) && !isOneOf(said->state, kRunningStates)) {
    status.state = TaskState::Failed;
    status.reason = said->state == "COMPLETED" ? "it ended without a result" : said->state;
    if (!said->reason.empty()) {
      status.reason += ", " + said->reason;
    }
    status.node = said->node;
    return status;
  }
  if (facts.job.empty()) {
    return status;
  }
  if (!facts.isQueueKnown) {
    status.state = TaskState::Pending;
    status.reason = "Slurm does not answer";
    return status;
  }
  status.state = TaskState::Failed;
  status.reason =
      "Slurm does not know it any more, and it left no result: it was cancelled, lost "
      "its node, or ran out of time or memory";
  return status;
}

std::array<std::size_t, kTaskStates.size()> countStates(const std::vector<TaskStatus>& all) {
  std::array<std::size_t, kTaskStates.size()> counts{};
  for (const TaskStatus& each : all) {
    ++counts.at(static_cast<std::size_t>(each.state));
  }
  return counts;
}

std::string summaryOf(const std::vector<TaskStatus>& all) {
  const auto counts = countStates(all);
  std::set<std::string> reasons;
  for (const TaskStatus& each : all) {
    if (each.state == TaskState::Pending && !each.reason.empty()) {
      reasons.insert(each.reason);
    }
  }
  std::vector<std::string> parts;
  for (const TaskState state : {TaskState::Running,
                                TaskState::Pending,
                                TaskState::Waiting,
                                TaskState::Failed,
                                TaskState::Done}) {
    const std::size_t count = counts.at(static_cast<std::size_t>(state));
    if (count == 0) {
      continue;
    }
    parts.push_back(fmt::format("{} {}", count, toString(state)));
    if (state == TaskState::Pending && !reasons.empty()) {
      parts.back() += fmt::format(" ({})", fmt::join(reasons, ", "));
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string statusJson(const ClusterRun& run, const std::vector<TaskStatus>& all) {
  json::Object counts;
  const auto numbers = countStates(all);
  for (const TaskState state : kTaskStates) {
    counts[toString(state)] = numbers.at(static_cast<std::size_t>(state));
  }
  json::Array tasks;
  for (std::size_t task = 0; task < all.size(); ++task) {
    tasks.push_back(statusValue(run, task, all[task]));
  }
  return json::dump(json::Object{{"folder", run.folder.string()},
                                 {"summary", summaryOf(all)},
                                 {"counts", std::move(counts)},
                                 {"tasks", std::move(tasks)}});
}

}  // namespace ulp::cluster
