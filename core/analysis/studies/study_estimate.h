#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/studies/model_outline.h"
#include "core/analysis/studies/run_formats.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"

namespace ulp::analysis {

/// What is going to run.
struct PlannedStudy {
  std::vector<OutlineSite> sites;  ///< those that are captured
  std::uint64_t parameters = 0;
  std::int64_t tokens = 0;         ///< of all sequences of a micro-batch
  std::uint64_t microBatches = 1;  ///< of the step
  std::uint64_t samples = 1;       ///< steps on tokens of their own that every run takes
  bool backward = true;            ///< false: the forward pass alone
  study::TensorStorage kept = study::TensorStorage::Full;
  std::vector<RunFormats> runs;  ///< the reference first; those of the noise floor, too
  bool onCpu = true;
  int threads = 1;
};

struct StudyEstimate {
  std::optional<double> seconds;  ///< nothing: not known without an earlier run on that device
  std::uint64_t memoryBytes = 0;  ///< the worker's peak; of a GPU's see device_memory.h
  std::uint64_t diskBytes = 0;
  std::uint64_t elements = 0;  ///< compared for each variant and sample
  bool isCalibrated = false;   ///< from an earlier report, else from shapes and assumed speeds
};

/// Assumed without an earlier run: floating-point operations and compared elements a second of one
/// core.
inline constexpr double kAssumedFlops = 30e9;
inline constexpr double kAssumedElements = 50e6;

/// Tells whether estimateStudy() can learn from a report: all of its runs are finished, timed and
/// have compared something.
[[nodiscard]] bool tellsTimeOfRuns(const report::Report& report);

/// Time, memory and disk. Time grows with the samples, memory does not; on disk are the tensors of
/// the first sample alone, but the metrics of all. `earlier`, a report of the same model,
/// calibrates time and memory: its seconds for a run on a sample and its peak, scaled by the
/// elements captured then and now; null or without a finished run: not calibrated.
[[nodiscard]] StudyEstimate estimateStudy(const PlannedStudy& plan,
                                          const report::Report* earlier = nullptr);

}  // namespace ulp::analysis
