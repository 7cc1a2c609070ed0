#include "runner/cluster/merge_tasks.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "core/base/text/shell_quoted.h"
#include "core/report/summary/provenance_line.h"
#include "runner/cluster/task_merge.h"
#include "runner/worker/events/event_sink.h"
#include "runner/worker/session/run_plan.h"

namespace ulp::cluster {
namespace {

Result<> mergeAll(const ClusterRun& run, TaskMerge& merge) {
  const study::Study study = ULP_TRY(run.study());
  for (std::size_t task = 0; task < run.tasks.size(); ++task) {
    ULP_TRY(merge.read(task));
  }
  const report::Report* model = merge.model();
  if (model == nullptr) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: no task has given anything yet; ulpscope-cli submit {} --status "
                            "says how they stand",
                            run.folder.string(),
                            shellWord(run.folder.string())));
  }
  ULP_TRY(merge.begin(study, report::deviceId(model->provenance)));
  for (const report::Report* each : merge.reports()) {
    report::Provenance& made = merge.results().draft().provenance;
    made.startedAt = std::min(made.startedAt, each->provenance.startedAt);
    merge.results().addSeconds(each->provenance.seconds);
  }
  ULP_TRY(merge.add());
  ULP_TRY(merge.finish());
  return merge.results().publishAll();
}

}  // namespace

Result<report::ReportPtr> mergeTasks(const ClusterRun& run,
                                     const MergeOptions& options,
                                     const std::function<void(const worker::Event&)>& emit) {
  worker::EventSink sink(emit);
  TaskMerge merge(run, options, sink);
  Result<> done = mergeAll(run, merge);
  merge.results().tellEnd(done, {.conflicts = merge.conflicts(), .leavesRuns = false});
  ULP_TRY(std::move(done));
  return std::make_shared<const report::Report>(std::move(merge.results().draft()));
}

}  // namespace ulp::cluster
