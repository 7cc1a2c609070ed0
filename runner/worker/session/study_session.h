#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "core/tensors/store/capture_store.h"
#include "core/tensors/store/sample_store.h"
#include "runner/worker/capture/capture_observers.h"
#include "runner/worker/capture/log_probability_file.h"
#include "runner/worker/capture/progress_meter.h"
#include "runner/worker/capture/sample_rows.h"
#include "runner/worker/capture/site_filter.h"
#include "runner/worker/events/event_sink.h"
#include "runner/worker/input/step_input.h"
#include "runner/worker/session/run_folder.h"
#include "runner/worker/session/run_options.h"
#include "runner/worker/session/run_plan.h"

namespace ulp::worker {

/// One execution of a study; runStudy() makes one and lets it run once.
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
  [[nodiscard]] Result<> claimFolder();
  [[nodiscard]] Result<> openModel();
  [[nodiscard]] Result<> readInput();
  [[nodiscard]] Result<> chooseSites();
  [[nodiscard]] Result<> checkPlans();
  [[nodiscard]] Result<> openOutputs();
  [[nodiscard]] Result<> writeTokens();
  [[nodiscard]] Result<> openSamples();

  [[nodiscard]] Result<> runAll();
  /// All runs on sample m_sample, the reference first.
  [[nodiscard]] Result<> runSample();
  [[nodiscard]] Result<> runReference(const PlannedRun& planned);
  [[nodiscard]] Result<> runVariant(const PlannedRun& planned);
  /// Leaves out the waiting variants that were asked for since it was last called.
  [[nodiscard]] Result<> applySkips();
  /// It ended because it alone was asked to.
  [[nodiscard]] bool wasSkipped(std::string_view run, const Result<engine::RunOutcome>& outcome);
  [[nodiscard]] Result<engine::RunOutcome> execute(const PlannedRun& planned,
                                                   engine::Observer& observer,
                                                   tensors::CaptureWriter* writer);
  [[nodiscard]] Result<engine::RunOutcome> compute(const PlannedRun& planned,
                                                   engine::Observer& observer);
  /// Keeps what the variants need of the reference's outcome.
  void keepReference(const engine::RunOutcome& outcome);
  /// Adds what a run gave on the sample to its record.
  [[nodiscard]] Result<> keepSample(report::Run& run,
                                    Differences differences,
                                    const engine::RunOutcome& outcome);
  /// `tops` are those of the sample that was merged last.
  [[nodiscard]] Result<> updateLogProbabilities(report::Run& run,
                                                const numerics::TopAgreement& tops) const;
  [[nodiscard]] Result<> conclude(report::Run& run,
                                  Differences differences,
                                  Result<engine::RunOutcome>& outcome);
  /// Records the end of a run that failed, was stopped or skipped.
  void recordEnd(report::Run& run, const Error& error, bool isSkipped);
  /// Saves the report and says that the run has ended.
  [[nodiscard]] Result<> publish(const report::Run& run, bool isFinished);
  [[nodiscard]] Result<> closeOpenRuns();
  void tellFinished(const report::Run& run);
  [[nodiscard]] Result<> saveResults();
  [[nodiscard]] Result<> saveAndTell();
  [[nodiscard]] Result<> checkReference(const report::Run& record, double loss);
  [[nodiscard]] Result<> variantFailures() const;

  [[nodiscard]] ObserverParts observerParts(tensors::CaptureWriter* writer);
  /// Null: the tensors of this sample are not kept.
  [[nodiscard]] tensors::CaptureWriter* writerOfSample() const;
  [[nodiscard]] std::vector<const PlannedRun*> missingVariants(std::uint64_t sample);
  [[nodiscard]] bool isMissing(const PlannedRun& planned, std::uint64_t sample);
  /// Runs on samples that are to be made, those of the reference included.
  [[nodiscard]] int executionsLeft();
  void dropExecutions(std::uint64_t count);
  [[nodiscard]] double secondsSoFar() const;
  void announceEnd(const Result<>& result);

  const study::Study& m_study;
  const RunOptions& m_options;
  engine::Engine& m_engine;
  std::stop_token m_stop;
  EventSink m_sink;
  std::chrono::steady_clock::time_point m_start;

  std::unique_ptr<RunFolder> m_folder;
  std::vector<PlannedRun> m_runs;
  report::ReportPtr m_earlier;  ///< of the folder that is resumed; null: none
  report::Report m_draft;
  double m_earlierSeconds = 0;
  std::unique_ptr<engine::Model> m_model;
  engine::RunRequest m_request;  ///< all but the precision plan and the tokens
  std::vector<MicroBatches> m_samples;
  std::uint64_t m_sample = 0;                           ///< where the session is among them
  std::vector<engine::ClipDecisions> m_referenceClips;  ///< by term of the loss
  int m_threads = 0;
  std::vector<Site> m_sites;
  std::optional<SiteFilter> m_filter;
  SampleRows m_rows;
  std::optional<ProgressMeter> m_progress;
  std::unique_ptr<tensors::CaptureWriter> m_writer;  ///< null: tensors are not kept
  std::optional<LogProbabilityFile> m_logProbabilities;
  std::unique_ptr<tensors::SampleStore> m_sampleStore;  ///< null: one sample
  ReferenceCaptures m_captures;
  numerics::Comparer m_comparer;  ///< its threads serve every variant
  double m_referenceLoss = 0;
  bool m_reportIsSaved = false;
  std::optional<ErrorCode> m_firstFailure;    ///< of a variant that did not end the study
  std::set<std::string, std::less<>> m_told;  ///< runs that began and whose end was not told yet
  std::chrono::steady_clock::time_point m_lastSave;
  int m_started = 0;  ///< runs on samples begun in this session
  int m_toRun = 0;
};

}  // namespace ulp::worker
