#include "runner/cluster/task_plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/study/reading/study.h"

namespace ulp::cluster {

std::string Task::name() const {
  return runs.empty() ? std::string(study::kReferenceName)
                      : fmt::format("{}", fmt::join(runs, ", "));
}

bool isReference(std::string_view run) {
  return run == study::kReferenceName;
}

Result<std::vector<Task>> planTasks(const TaskRequest& request) {
  const std::uint64_t samples = std::max<std::uint64_t>(request.samples, 1);
  const std::uint64_t perTask =
      request.samplesPerTask == 0 ? samples : std::min(request.samplesPerTask, samples);
  const std::uint64_t shares = (samples + perTask - 1) / perTask;
  const bool isAlone = request.sharesReference || request.runs.empty();
  const std::uint64_t perShare = request.runs.size() + (isAlone ? 1 : 0);
  if (shares > kMostTasks / perShare) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} runs on {} samples, {} in each task, are more than {} tasks, which "
                            "no job array has; give a task more samples (--samples-per-task)",
                            perShare,
                            samples,
                            perTask,
                            kMostTasks));
  }
  std::vector<Task> tasks;
  const auto add = [&](std::uint64_t share, const std::string& run, bool keepsReference) {
    const std::uint64_t first = share * perTask;
    tasks.push_back({.runs = run.empty() ? std::vector<std::string>() : std::vector{run},
                     .firstSample = first,
                     .samples = std::min(perTask, samples - first),
                     .keepsReference = keepsReference});
  };
  for (std::uint64_t share = 0; isAlone && share < shares; ++share) {
    add(share, "", true);
  }
  for (std::uint64_t share = 0; share < shares; ++share) {
    for (const std::string& run : request.runs) {
      add(share, run, !isAlone && &run == &request.runs.front());
    }
  }
  return tasks;
}

std::size_t referenceTasks(const std::vector<Task>& tasks) {
  const auto other =
      std::ranges::find_if(tasks, [](const Task& task) { return !task.runs.empty(); });
  return other == tasks.end() ? 0 : static_cast<std::size_t>(other - tasks.begin());
}

TaskNeed bothNeeds(const TaskNeed& a, const TaskNeed& b) {
  return {.ranks = std::max(a.ranks, b.ranks), .isSpread = a.isSpread || b.isSpread};
}

std::string arrayText(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
      ++last;
    }
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
    text += last > i ? fmt::format("-{}", numbers[last]) : "";
    i = last + 1;
  }
  return text;
}

}  // namespace ulp::cluster
