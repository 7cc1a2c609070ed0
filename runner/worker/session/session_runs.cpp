#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

#include "core/base/text/format_number.h"
#include "core/report/model/merge_samples.h"
#include "runner/worker/capture/reversed_sequences.h"
#include "runner/worker/session/report_draft.h"
#include "runner/worker/session/skip_requests.h"
#include "runner/worker/session/study_session.h"

/// The second half of a session, when everything is ready: sample by sample, all runs on each.
namespace ulp::worker {
namespace {

/// Elements kept of a tensor with `capture.tensors: sampled`.
constexpr std::uint64_t kSampleLimit = std::uint64_t{1} << 16;

/// The report grows with its rows, not with the samples: written after each of many short samples
/// it would take longer than they do.
constexpr std::chrono::seconds kSaveInterval{5};

/// A study cannot go on when its results cannot be written, and must not when it was stopped.
bool endsStudy(ErrorCode code) {
  return code == ErrorCode::Io || code == ErrorCode::Cancelled;
}

/// Waiting for its next sample, or at it.
bool isOpen(const report::Run& run) {
  return run.status == report::RunStatus::Pending || run.status == report::RunStatus::Running;
}

report::RunStatus statusAfter(const Error& error) {
  return error.code() == ErrorCode::Cancelled ? report::RunStatus::Cancelled
                                              : report::RunStatus::Failed;
}

}  // namespace

Result<> StudySession::runAll() {
  if (m_toRun == 0) {
    m_reportIsSaved = true;
    m_sink.message("info", "every run is finished already; nothing to do");
    return {};
  }
  Result<> done;
  for (m_sample = 0; done && m_sample < m_samples.size(); ++m_sample) {
    done = runSample();
  }
  if (done) {
    done = applySkips();
  }
  Result<> closed = closeOpenRuns();
  if (!done || !closed) {
    return done ? closed : done;
  }
  return variantFailures();
}

Result<> StudySession::runSample() {
  m_captures.clear();
  m_referenceClips.clear();
  const std::vector<const PlannedRun*> missing = missingVariants(m_sample);
  if (missing.empty() && !isMissing(m_runs.front(), m_sample)) {
    return {};
  }
  ULP_TRY(runReference(m_runs.front()));
  for (const PlannedRun* planned : missing) {
    ULP_TRY(applySkips());
    if (!isMissing(*planned, m_sample)) {
      continue;
    }
    ULP_TRY(runVariant(*planned));
  }
  const bool isDue = std::chrono::steady_clock::now() - m_lastSave >= kSaveInterval;
  return m_samples.size() > 1 && isDue ? saveAndTell() : Result<>();
}

Result<> StudySession::runReference(const PlannedRun& planned) {
  // The record of a finished reference, and its tensors on disk, stay as they are.
  const bool isAgain = !isMissing(planned, m_sample);
  report::Run& record = *findRun(m_draft, planned.name);
  report::Run attempt;
  attempt.name = record.name;
  attempt.loss = std::numeric_limits<double>::quiet_NaN();
  attempt.samples = 0;
  report::Run& run = isAgain ? attempt : record;
  run.status = report::RunStatus::Running;
  tensors::CaptureWriter* writer = isAgain ? nullptr : writerOfSample();
  ReferenceObserver observer(observerParts(writer), m_captures);
  auto outcome = execute(planned, observer, writer);
  if (outcome && isAgain) {
    if (auto same = checkReference(record, outcome->loss); !same) {
      outcome = tl::unexpected(same.error());
    }
  }
  // Of several samples the record tells more than this one, and closeOpenRuns() tells it.
  const bool isKnown = isAgain && outcome && m_samples.size() > 1;
  ULP_TRY(isKnown ? Result<>() : conclude(run, {}, outcome));
  if (!outcome) {
    return tl::unexpected(outcome.error());
  }
  keepReference(*outcome);
  if (m_sample == 0) {
    const std::uint64_t spilled = m_captures.spilledBytes();
    m_sink.message("info",
                   fmt::format("reference: {} tensors, {}, stay in memory for the comparisons{}",
                               m_captures.count(),
                               formatBytes(m_captures.bytes()),
                               spilled == 0 ? ""
                                            : fmt::format("; {} of the micro-batches before the "
                                                          "last in a file",
                                                          formatBytes(spilled))));
  }
  return {};
}

Result<> StudySession::runVariant(const PlannedRun& planned) {
  report::Run& run = *findRun(m_draft, planned.name);
  run.status = report::RunStatus::Running;
  run.error.clear();
  tensors::CaptureWriter* writer = writerOfSample();
  VariantObserver observer(observerParts(writer), m_captures, m_comparer);
  auto outcome = execute(planned, observer, writer);
  Differences differences{.rows = observer.takeComparisons(), .tops = observer.topAgreement()};
  if (outcome) {
    if (auto added = addLossRow(differences.rows, m_referenceLoss, outcome->loss); !added) {
      outcome = tl::unexpected(added.error());
    }
  }
  return conclude(run, std::move(differences), outcome);
}

Result<> StudySession::applySkips() {
  if (!m_options.skips) {
    return {};
  }
  for (const std::string& name : m_options.skips->takeNew()) {
    report::Run* run = findRun(m_draft, name);
    if (run == nullptr) {
      m_sink.message("warning", fmt::format("skip {}: the study has no such run", name));
    } else if (name == m_draft.reference) {
      m_sink.message("warning",
                     "skip: the reference is what everything is compared with; stop the study "
                     "instead");
    } else if (!isOpen(*run)) {
      if (run->status != report::RunStatus::Skipped) {
        m_sink.message("info",
                       fmt::format("skip {}: it is {} already", name, toString(run->status)));
      }
    } else {
      run->status = report::RunStatus::Skipped;
      dropExecutions(m_samples.size() - run->samples);
      ULP_TRY(publish(*run, false));
    }
  }
  return {};
}

bool StudySession::wasSkipped(std::string_view run, const Result<engine::RunOutcome>& outcome) {
  return !outcome && outcome.error().code() == ErrorCode::Cancelled && !m_stop.stop_requested() &&
         m_options.skips && m_options.skips->isAsked(run) && run != m_draft.reference;
}

Result<engine::RunOutcome> StudySession::execute(const PlannedRun& planned,
                                                 engine::Observer& observer,
                                                 tensors::CaptureWriter* writer) {
  m_sink.emit(RunStarted{.run = planned.name,
                         .index = m_started++,
                         .total = m_toRun,
                         .device = m_request.device,
                         .sample = static_cast<int>(m_sample),
                         .samples = static_cast<int>(m_samples.size())});
  m_told.insert(planned.name);
  if (m_stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, planned.name + ": stopped");
  }
  if (writer != nullptr) {
    if (auto begun = writer->beginRun(planned.name); !begun) {
      return failWhile(planned.name, std::move(begun));
    }
  }
  auto outcome = compute(planned, observer);
  if (!outcome) {
    return failWhile(planned.name, std::move(outcome));
  }
  if (writer != nullptr) {
    m_progress->phase(planned.name, "write");
    if (auto finished = writer->finishRun(); !finished) {
      return failWhile(planned.name, std::move(finished));
    }
  }
  return outcome;
}

Result<engine::RunOutcome> StudySession::compute(const PlannedRun& planned,
                                                 engine::Observer& observer) {
  const MicroBatches& batches = m_samples[m_sample];
  engine::RunRequest request = m_request;
  request.plan = planned.precision;
  request.microBatches = batches;
  if (planned.reversesSequences) {
    std::ranges::transform(batches, request.microBatches.begin(), reversedSequences);
  }
  m_progress->beginRun(planned.name, m_sites, {.index = m_sample, .count = m_samples.size()});
  std::stop_source runStop;
  const std::stop_callback onStop(m_stop, [&runStop] { runStop.request_stop(); });
  const bool canBeSkipped = m_options.skips && planned.name != m_draft.reference;
  if (canBeSkipped) {
    m_options.skips->runBegins(planned.name, runStop);
  }
  RestoringObserver restoring(observer, batches.back().batch, batches.back().length);
  engine::Observer& seen = planned.reversesSequences ? restoring : observer;
  auto outcome = m_model->run(request, seen, runStop.get_token());
  if (canBeSkipped) {
    m_options.skips->runEnds();
  }
  m_progress->endRun(outcome.has_value());
  if (outcome && planned.reversesSequences) {
    ULP_TRY(restoreSequences(*outcome, batches));
  }
  return outcome;
}

void StudySession::keepReference(const engine::RunOutcome& outcome) {
  m_referenceLoss = outcome.loss;
  for (const engine::LossTermOutcome& term : outcome.terms) {
    m_referenceClips.push_back(term.clips);
  }
  takeOldLogProbabilities(m_samples[m_sample], outcome.tokens);
}

Result<> StudySession::keepSample(report::Run& run,
                                  Differences differences,
                                  const engine::RunOutcome& outcome) {
  if (outcome.gradientScale != 1) {
    m_sink.message("info",
                   fmt::format("{}: the loss was multiplied by {} for the backward pass; gradients "
                               "are shown without it",
                               run.name,
                               outcome.gradientScale));
  }
  if (m_sampleStore) {
    ULP_TRY(m_rows.store(*m_sampleStore, {run.name, m_sample, outcome.loss}, differences.rows));
  }
  m_logProbabilities->put(run.name, m_sample, outcome.tokens);
  report::Run sample;
  sample.loss = outcome.loss;
  sample.seconds = outcome.seconds;
  sample.peakBytes = outcome.peakBytes;
  sample.step = stepOf(outcome, m_referenceClips);
  sample.comparisons = std::move(differences.rows);
  ULP_TRY(mergeSample(run, std::move(sample)));
  return run.name == m_draft.reference ? Result<>() : updateLogProbabilities(run, differences.tops);
}

Result<> StudySession::updateLogProbabilities(report::Run& run,
                                              const numerics::TopAgreement& tops) const {
  auto error = ULP_TRY(m_logProbabilities->errorOf(run.name, m_draft.reference));
  if (error) {
    const report::LogProbabilityError before = run.samples > 1 && run.logProbabilities
                                                   ? *run.logProbabilities
                                                   : report::LogProbabilityError{};
    error->positions = before.positions + tops.rows;
    error->sameTop = before.sameTop + tops.same;
  }
  run.logProbabilities = error;
  return {};
}

Result<> StudySession::conclude(report::Run& run,
                                Differences differences,
                                Result<engine::RunOutcome>& outcome) {
  if (outcome) {
    if (auto kept = keepSample(run, std::move(differences), *outcome); !kept) {
      outcome = tl::unexpected(kept.error());
    }
  } else if (run.samples == 0) {
    run.comparisons = std::move(differences.rows);
  }
  const bool isSkipped = wasSkipped(run.name, outcome);
  const bool isLast = m_sample + 1 == m_samples.size();
  if (outcome) {
    run.status = isLast ? report::RunStatus::Finished : report::RunStatus::Running;
    run.error.clear();
    if (!isLast) {
      return m_sink.check();
    }
  } else {
    recordEnd(run, outcome.error(), isSkipped);
  }
  Result<> published = publish(run, outcome.has_value());
  if (!outcome && !isSkipped && endsStudy(outcome.error().code())) {
    return tl::unexpected(outcome.error());
  }
  return published;
}

void StudySession::recordEnd(report::Run& run, const Error& error, bool isSkipped) {
  run.status = isSkipped ? report::RunStatus::Skipped : statusAfter(error);
  run.error = isSkipped ? "" : error.message();
  dropExecutions(m_samples.size() - m_sample - 1);
  if (!isSkipped && !m_firstFailure && run.name != m_draft.reference) {
    m_firstFailure = error.code();
  }
}

Result<> StudySession::publish(const report::Run& run, bool isFinished) {
  // The report before the event: whoever reads of a finished run finds it there.
  Result<> saved = saveResults();
  if (isFinished && !saved) {
    report::Run unsaved = run;
    unsaved.status = report::RunStatus::Failed;
    unsaved.error = saved.error().message();
    tellFinished(unsaved);
  } else {
    tellFinished(run);
  }
  if (!saved) {
    return saved;
  }
  m_sink.emit(ReportUpdated{m_folder->reportFile().string()});
  return m_sink.check();
}

/// Runs between two samples when the study ends, and a reference that ran again for others.
Result<> StudySession::closeOpenRuns() {
  bool isChanged = false;
  for (report::Run& run : m_draft.runs) {
    if (run.status == report::RunStatus::Running) {
      run.status = report::RunStatus::Cancelled;
      run.error = fmt::format(
          "{}: the study ended after {} of {} samples", run.name, run.samples, m_samples.size());
      isChanged = true;
    }
  }
  Result<> saved = isChanged ? saveAndTell() : Result<>();
  for (const report::Run& run : m_draft.runs) {
    if (m_told.contains(run.name)) {
      tellFinished(run);
    }
  }
  return saved;
}

void StudySession::tellFinished(const report::Run& run) {
  m_told.erase(run.name);
  m_sink.emit(RunFinished{.run = run.name,
                          .status = std::string(toString(run.status)),
                          .loss = run.loss,
                          .seconds = run.seconds,
                          .peakBytes = run.peakBytes,
                          .error = run.error});
}

Result<> StudySession::saveResults() {
  ULP_TRY(m_logProbabilities->save(m_samples.front().back().length));
  m_draft.provenance.seconds = m_earlierSeconds + secondsSoFar();
  if (m_options.conclude) {
    m_options.conclude(m_draft);
  }
  auto saved = report::saveReport(m_draft, m_folder->path());
  m_reportIsSaved = m_reportIsSaved || saved.has_value();
  m_lastSave = std::chrono::steady_clock::now();
  return saved;
}

Result<> StudySession::saveAndTell() {
  ULP_TRY(saveResults());
  m_sink.emit(ReportUpdated{m_folder->reportFile().string()});
  return m_sink.check();
}

Result<> StudySession::checkReference(const report::Run& record, double loss) {
  const auto recorded = ULP_TRY(m_sampleStore ? m_sampleStore->loss(record.name, m_sample)
                                              : Result<double>(record.loss));
  if (isSameNumber(recorded, loss)) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("--resume: the reference's loss is {}, was {}: this machine computes "
                          "otherwise than the one that began; replace the results with "
                          "--overwrite, or name another folder with --output",
                          formatExact(loss),
                          formatExact(recorded)));
}

Result<> StudySession::variantFailures() const {
  std::vector<std::string> errors;
  for (const report::Run& run : m_draft.runs) {
    if (run.status == report::RunStatus::Failed) {
      errors.push_back(run.error);
    }
  }
  if (errors.empty() || !m_firstFailure) {
    return {};
  }
  return fail(*m_firstFailure,
              fmt::format("{} of {} variants failed; the others are in the report\n{}",
                          errors.size(),
                          m_draft.runs.size() - 1,
                          fmt::join(errors, "\n")));
}

ObserverParts StudySession::observerParts(tensors::CaptureWriter* writer) {
  const bool isSampled = m_study.captureTensors == study::TensorStorage::Sampled;
  return {.filter = *m_filter,
          .progress = *m_progress,
          .writer = writer,
          .sampleLimit = isSampled ? kSampleLimit : 0};
}

tensors::CaptureWriter* StudySession::writerOfSample() const {
  return m_sample == 0 ? m_writer.get() : nullptr;
}

std::vector<const PlannedRun*> StudySession::missingVariants(std::uint64_t sample) {
  std::vector<const PlannedRun*> missing;
  for (const PlannedRun& planned : m_runs) {
    if (planned.name != m_draft.reference && isMissing(planned, sample)) {
      missing.push_back(&planned);
    }
  }
  return missing;
}

bool StudySession::isMissing(const PlannedRun& planned, std::uint64_t sample) {
  const report::Run* run = findRun(m_draft, planned.name);
  return run != nullptr && isOpen(*run) && run->samples <= sample;
}

int StudySession::executionsLeft() {
  std::size_t count = 0;
  for (std::uint64_t sample = 0; sample < m_draft.provenance.samples; ++sample) {
    const std::size_t missing = missingVariants(sample).size();
    count += missing > 0 || isMissing(m_runs.front(), sample) ? missing + 1 : 0;
  }
  return static_cast<int>(count);
}

void StudySession::dropExecutions(std::uint64_t count) {
  m_toRun -= static_cast<int>(count);
  m_progress->dropRuns(static_cast<int>(count));
}

}  // namespace ulp::worker
