#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/effective_config.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "runner/worker/input/file_digests.h"

namespace ulp::worker {

/// A run of a study, resolved.
struct PlannedRun {
  std::string name;
  bool isChosen = true;                          ///< false: a variant that was not asked for
  std::map<std::string, std::string> overrides;  ///< as written
  study::Settings settings;                      ///< effective, every key
  engine::PrecisionPlan precision;
  engine::BatchPlan batch{};
  bool generatesInSteps = false;  ///< with a prompt, whose length the input tells
  report::RunRole role = report::RunRole::Variant;
  bool reversesSequences = false;  ///< of each micro-batch
  FileDigests::ByKey fileDigests{};
};

/// The reference, every variant in the order of the study, and the runs of its noise floor: the
/// reference once more for each kind, the same (repeat, threads, batch_order), with every format
/// float64, or with another attention kernel (eager, sdpa where the reference is eager). On a CUDA
/// `device`, where the same kernels may add in another order each time, a study that does not name
/// its noise floor repeats the reference. With `chosen` variants named, only these, the reference
/// and the noise floor are marked so. Errors: NotFound for a name that the study does not have,
/// with those that it has.
[[nodiscard]] Result<std::vector<PlannedRun>> planRuns(const study::Study& study,
                                                       const std::vector<std::string>& chosen,
                                                       std::string_view device = "cpu");

/// Marks as chosen what a part of the study makes: the reference and the runs that it names.
void choosePart(std::vector<PlannedRun>& runs, const std::vector<std::string>& names);

/// The optimizer that every run takes a step of.
[[nodiscard]] engine::OptimizerPlan optimizerOf(const study::Study& study);

/// {"<run>": {"<key>": {"value": …, "origin": …}}} over all runs, as reports keep it; with "sha256"
/// of the file that the value names.
[[nodiscard]] std::string effectiveJson(const std::vector<PlannedRun>& runs);

/// Names the first setting in which a planned run differs from what an earlier report has recorded
/// of it ("input.seed was 1, is now 2"); empty when none does. What may differ is left out
/// (study::changedSetting()), and so is a key that the report's version did not know where it
/// changes nothing.
[[nodiscard]] std::string firstDifference(const PlannedRun& run,
                                          const report::EffectiveConfig& recorded);

/// Gives the run of `threads` another number than the reference has: half of it, two for one.
/// `inForce`: that of the process. Does nothing without such a run. Errors: InvalidArgument on a
/// device where the number changes nothing.
[[nodiscard]] Result<> chooseFloorThreads(std::vector<PlannedRun>& runs,
                                          int inForce,
                                          const std::string& device);

/// Gives a reference in float32 or float64 on a CUDA device, and the runs of its noise floor, the
/// attention kernel that multiplies in these formats, where the study names none: the one that
/// LibTorch prefers may multiply float32 in tf32.
void chooseExactAttention(std::vector<PlannedRun>& runs, const std::string& device);

/// Errors: InvalidArgument, with the place in the study, when the sequences of a micro-batch have
/// no place in the batch of a run that is chosen, or its attention is to be a kernel of `device`
/// that takes no mask, and its padding or pieces need one.
[[nodiscard]] Result<> checkBatches(const study::Study& study,
                                    const std::vector<PlannedRun>& runs,
                                    const std::vector<engine::TokenBatch>& microBatches,
                                    const std::string& device);

/// Errors: InvalidArgument when sequences are to be reversed and a micro-batch has one alone.
[[nodiscard]] Result<> checkReversible(const std::vector<PlannedRun>& runs,
                                       const std::vector<engine::TokenBatch>& microBatches);

}  // namespace ulp::worker
