#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "runner/worker/capture/position_comparison.h"
#include "runner/worker/capture/progress_meter.h"
#include "runner/worker/capture/site_filter.h"
#include "runner/worker/events/event_sink.h"
#include "runner/worker/input/step_input.h"
#include "runner/worker/session/device_choice.h"
#include "runner/worker/session/run_options.h"
#include "runner/worker/session/run_plan.h"

namespace ulp::worker {

/// What all runs of a study share.
struct PreparedStudy {
  std::vector<PlannedRun> runs;  ///< the reference first
  int threads = 0;
  std::unique_ptr<engine::Model> model;
  engine::RunRequest request;  ///< all but the precision plan and the tokens
  std::vector<MicroBatches> samples;
  SequenceLayout sequences{};
  std::vector<Site> sites;
  std::optional<SiteFilter> filter;  ///< of the sites; set once prepareStudy() is done
  MemoryForecast memory;             ///< of runs on a CUDA device
};

/// What prepareStudy() works with.
struct PreparationParts {
  const study::Study& study;
  const RunOptions& options;
  engine::Engine& engine;
  const DeviceChoice& choice;
  EventSink& sink;                      ///< told of model, device and input
  ProgressMeter& progress;              ///< told how tokens are chosen
  report::Report& draft;                ///< gets what a report says of them
  const report::Report* earlier;        ///< of the session that is resumed; null: none is
  std::vector<std::string>& conflicts;  ///< gets why that cannot be resumed
  std::stop_token stop;
};

/// Opens the model, reads the input, chooses what is captured, and checks what can be known to be
/// wrong before the first run. Errors: those of the files of model and input; InvalidArgument for
/// what the study asks of them; Cancelled.
[[nodiscard]] Result<PreparedStudy> prepareStudy(const PreparationParts& parts,
                                                 std::vector<PlannedRun> runs);

}  // namespace ulp::worker
