#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "runner/worker/capture/capture_observers.h"
#include "runner/worker/capture/progress_meter.h"
#include "runner/worker/events/event_sink.h"
#include "runner/worker/session/run_options.h"
#include "runner/worker/session/study_preparation.h"
#include "runner/worker/session/study_results.h"

namespace ulp::worker {

/// One execution of a study, sample by sample, all runs on each; runStudy() makes one and lets it
/// run once.
class StudySession {
 public:
  StudySession(const study::Study& study,
               const RunOptions& options,
               engine::Engine& engine,
               const std::function<void(const Event&)>& emit,
               std::stop_token stop);

  [[nodiscard]] Result<report::ReportPtr> run();

 private:
  [[nodiscard]] Result<> prepare();
  [[nodiscard]] Result<> runAll();
  /// All runs on sample m_sample, the reference first.
  [[nodiscard]] Result<> runSample();
  [[nodiscard]] Result<> runReference(const PlannedRun& planned);
  /// Runs the reference, or reads what another part of the study has made of it.
  [[nodiscard]] Result<engine::RunOutcome> makeReference(const PlannedRun& planned,
                                                         tensors::CaptureWriter* writer);
  [[nodiscard]] Result<> runVariant(const PlannedRun& planned);
  /// Leaves out the waiting variants that were asked for since it was last called.
  [[nodiscard]] Result<> applySkips();
  /// It ended because it alone was asked to.
  [[nodiscard]] bool wasSkipped(std::string_view run, const Result<engine::RunOutcome>& outcome);
  /// Tells that a run begins.
  void beginRun(const PlannedRun& planned);
  /// Makes a run. Where it lacks memory while a device holds tensors of the reference, these leave
  /// and it begins again.
  [[nodiscard]] Result<engine::RunOutcome> execute(const PlannedRun& planned,
                                                   RecordingObserver& observer,
                                                   tensors::CaptureWriter* writer);
  [[nodiscard]] Result<engine::RunOutcome> attempt(const PlannedRun& planned,
                                                   RecordingObserver& observer,
                                                   tensors::CaptureWriter* writer);
  [[nodiscard]] Result<engine::RunOutcome> compute(const PlannedRun& planned,
                                                   engine::Observer& observer);
  /// Says which operations have no row.
  void tellOfOperations(const PlannedRun& run,
                        const engine::RunOutcome& outcome,
                        const std::vector<Site>& uncompared);
  /// Keeps what the variants need of the reference's outcome.
  void keepReference(const engine::RunOutcome& outcome);
  /// Refuses to go on where the reference comes out otherwise than it did in an earlier session.
  [[nodiscard]] Result<> checkReference(const engine::RunOutcome& outcome);
  /// The native engine runs on a CUDA device.
  [[nodiscard]] bool isPlannable();
  /// What a run is to take of a CUDA device; nothing: nobody could tell.
  [[nodiscard]] std::optional<MemoryParts> planOf(const std::string& run) const;
  /// An error of a run that lacked memory, with what was planned for it on a CUDA device.
  [[nodiscard]] Error besidePlan(const std::string& run, const Error& error);
  /// What a finished run took of a CUDA device, beside what was planned; nothing on the CPU.
  [[nodiscard]] std::optional<DeviceMemory> memoryOf(const std::string& run,
                                                     const engine::RunOutcome& outcome) const;
  [[nodiscard]] Result<> conclude(report::Run& run,
                                  Differences differences,
                                  Result<engine::RunOutcome>& outcome);
  /// Records the end of a run that failed, was stopped or skipped.
  void recordEnd(report::Run& run, const Error& error, bool isSkipped);
  /// Error: Device, where another process has to make the runs that are left.
  [[nodiscard]] Result<> checkDevice();

  [[nodiscard]] ObserverParts observerParts(tensors::CaptureWriter* writer);
  [[nodiscard]] std::vector<const PlannedRun*> missingVariants(const std::vector<PlannedRun>& runs,
                                                               std::uint64_t sample);
  /// Runs on samples that are to be made, those of the reference included.
  /// It gave nothing on a sample yet, or what other parts wait for.
  [[nodiscard]] bool isReferenceDue(std::uint64_t sample);
  [[nodiscard]] int executionsLeft(const std::vector<PlannedRun>& runs);
  void dropExecutions(std::uint64_t count);
  /// How many samples this session makes.
  [[nodiscard]] std::uint64_t samplesMade() const {
    return m_results.endSample() - m_results.firstSample();
  }

  const study::Study& m_study;
  const RunOptions& m_options;
  engine::Engine& m_engine;
  std::stop_token m_stop;
  EventSink m_sink;
  StudyResults m_results;
  PreparedStudy m_prepared;
  std::vector<std::string> m_gpus;  ///< as cudaUuids() tells
  std::set<std::string> m_told;     ///< of operations; samples mostly repeat each other
  std::optional<ProgressMeter> m_progress;

  std::uint64_t m_sample = 0;                           ///< where the session is among them
  std::vector<engine::ClipDecisions> m_referenceClips;  ///< by term of the loss
  double m_referenceLoss = 0;
  ReferenceCaptures m_captures;
  std::unique_ptr<engine::CaptureComparer> m_comparer;  ///< serves every variant
  bool m_isDeviceLost = false;
  bool m_keepsOnHost = false;            ///< no captures are kept on the device any more
  std::uint64_t m_freeBytes = 0;         ///< of a CUDA device, as the last run began
  std::vector<std::string> m_conflicts;  ///< with the session that was to be resumed
  bool m_leavesRuns = false;             ///< to another process
  bool m_isIdle = false;                 ///< the part of the study is empty here
  int m_started = 0;                     ///< runs on samples begun in this session
  int m_toRun = 0;
};

}  // namespace ulp::worker
