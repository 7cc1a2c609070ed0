#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/report.h"
#include "core/study/study.h"
#include "core/tensors/capture_store.h"
#include "runner/worker/capture_observers.h"
#include "runner/worker/event_sink.h"
#include "runner/worker/log_probability_file.h"
#include "runner/worker/progress_meter.h"
#include "runner/worker/run_folder.h"
#include "runner/worker/run_options.h"
#include "runner/worker/run_plan.h"
#include "runner/worker/site_filter.h"

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

  [[nodiscard]] Result<> runAll();
  [[nodiscard]] Result<> runReference(const PlannedRun& planned);
  [[nodiscard]] Result<> runVariant(const PlannedRun& planned);
  /// Leaves out the waiting variants that were asked for since it was last called.
  [[nodiscard]] Result<> applySkips();
  [[nodiscard]] Result<> skipVariant(report::Run& run);
  /// It ended because it alone was asked to.
  [[nodiscard]] bool wasSkipped(std::string_view run, const Result<engine::RunOutcome>& outcome);
  [[nodiscard]] Result<engine::RunOutcome> execute(const PlannedRun& planned,
                                                   engine::Observer& observer,
                                                   tensors::CaptureWriter* writer);
  /// The micro-batches of the step for one run.
  void giveTokens(engine::RunRequest& request) const;
  /// What the variants need of the reference's outcome.
  void keepReference(const engine::RunOutcome& outcome);
  [[nodiscard]] Result<> conclude(report::Run& run, const Result<engine::RunOutcome>& outcome);
  [[nodiscard]] Result<> saveResults(const std::string& run,
                                     const Result<engine::RunOutcome>& outcome);
  [[nodiscard]] Result<> saveReport();
  [[nodiscard]] Result<> checkReference(const report::Run& recorded, double loss) const;
  [[nodiscard]] Result<> variantFailures() const;

  [[nodiscard]] ObserverParts observerParts(tensors::CaptureWriter* writer);
  [[nodiscard]] std::vector<const PlannedRun*> missingVariants();
  [[nodiscard]] bool isMissing(const PlannedRun& planned);
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
  std::vector<engine::TokenBatch> m_microBatches;
  std::vector<engine::ClipDecisions> m_referenceClips;  ///< by term of the loss
  int m_threads = 0;
  std::vector<Site> m_sites;
  std::optional<SiteFilter> m_filter;
  std::optional<ProgressMeter> m_progress;
  std::unique_ptr<tensors::CaptureWriter> m_writer;  ///< null: tensors are not kept
  std::optional<LogProbabilityFile> m_logProbabilities;
  ReferenceCaptures m_captures;
  numerics::Comparer m_comparer;  ///< its threads serve every variant
  double m_referenceLoss = 0;
  bool m_reportIsSaved = false;
  std::optional<ErrorCode> m_firstFailure;  ///< of a variant that did not end the study
  int m_started = 0;                        ///< runs begun in this session
  int m_toRun = 0;
};

}  // namespace ulp::worker
