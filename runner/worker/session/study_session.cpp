#include "runner/worker/session/study_session.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/base/barrier.h"
#include "core/base/text/format_number.h"
#include "core/engine/python_engine.h"
#include "core/report/model/merge_samples.h"
#include "runner/worker/capture/reversed_sequences.h"
#include "runner/worker/parts/shared_reference.h"
#include "runner/worker/session/operation_notes.h"
#include "runner/worker/session/report_draft.h"
#include "runner/worker/session/skip_requests.h"
#include "runner/worker/session/study_runner.h"

namespace ulp::worker {
namespace {

/// Elements kept of a tensor with `capture.tensors: sampled`.
constexpr std::uint64_t kSampleLimit = std::uint64_t{1} << 16;

/// A study cannot go on when its results cannot be written, and must not when it was stopped.
bool endsStudy(ErrorCode code) {
  return code == ErrorCode::Io || code == ErrorCode::Cancelled;
}

report::RunStatus statusAfter(const Error& error) {
  return error.code() == ErrorCode::Cancelled ? report::RunStatus::Cancelled
                                              : report::RunStatus::Failed;
}

bool lacksMemory(const Result<engine::RunOutcome>& outcome) {
  return !outcome && outcome.error().code() == ErrorCode::OutOfMemory;
}

/// While it lives, what is done leaves nothing behind.
class Computing {
 public:
  explicit Computing(const RunOptions& options) : m_computes(options.computes) { tell(true); }
  ~Computing() { tell(false); }
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;

 private:
  void tell(bool computes) const {
    if (m_computes) {
      m_computes(computes);
    }
  }

  const std::function<void(bool)>& m_computes;
};

}  // namespace

StudySession::StudySession(const study::Study& study,
                           const RunOptions& options,
                           engine::Engine& engine,
                           const std::function<void(const Event&)>& emit,
                           std::stop_token stop)
    : m_study(study),
      m_options(options),
      m_engine(engine),
      m_stop(std::move(stop)),
      m_sink(emit),
      m_results(options, m_sink) {}

Result<report::ReportPtr> StudySession::run() {
  Result<> result = behindBarrier("the study", [this] { return prepare(); });
  if (result) {
    result = behindBarrier("the study", [this] { return runAll(); });
  }
  m_captures.clear();
  if (const std::string error = m_sink.logError(); !error.empty()) {
    m_sink.message("warning", error);
  }
  m_results.tellEnd(result, {.conflicts = m_conflicts, .leavesRuns = m_leavesRuns});
  ULP_TRY(std::move(result));
  return std::make_shared<const report::Report>(std::move(m_results.draft()));
}

Result<> StudySession::prepare() {
  const std::string& wanted = m_options.device.empty() ? m_study.device : m_options.device;
  const auto devices = m_engine.devices();
  const DeviceChoice choice = ULP_TRY(chooseDevice(devices, wanted));
  m_gpus = cudaUuids(devices);
  const bool isPart = m_options.part.has_value();
  auto runs = ULP_TRY(planRuns(
      m_study, isPart ? std::vector<std::string>() : m_options.variants, choice.device.id));
  if (isPart) {
    choosePart(runs, m_options.part->runs);
    // A noise floor that was planned for a GPU, which this device is not.
    m_isIdle = !m_options.part->keepsReference &&
               std::ranges::count(runs, true, &PlannedRun::isChosen) == 1;
  }
  ULP_TRY(m_results.begin(m_study, runs));
  const bool hasFloor = std::ranges::any_of(runs, [](const PlannedRun& run) {
    return run.isChosen && run.role == report::RunRole::Floor;
  });
  if (hasFloor && m_study.noiseFloor.empty()) {
    m_sink.message("info",
                   fmt::format("noise_floor: the reference runs once more, since kernels of {} may "
                               "add in another order each time; [] leaves it out",
                               choice.device.id));
  }
  m_captures.spillTo(m_results.folder());
  m_toRun = executionsLeft(runs);
  m_progress.emplace(m_toRun, [this](const Event& event) { m_sink.emit(event); });
  m_progress->phase("", "load");
  m_prepared = ULP_TRY([&] {
    const Computing computing(m_options);
    return prepareStudy({.study = m_study,
                         .options = m_options,
                         .engine = m_engine,
                         .choice = choice,
                         .sink = m_sink,
                         .progress = *m_progress,
                         .draft = m_results.draft(),
                         .earlier = m_results.earlier(),
                         .conflicts = m_conflicts,
                         .stop = m_stop},
                        std::move(runs));
  }());
  m_comparer = ULP_TRY(m_engine.captureComparer(
      m_prepared.request.device, {.threads = m_prepared.threads, .team = &m_engine.team()}));
  if (const std::string problem = m_comparer->problem(); !problem.empty()) {
    m_sink.message("warning", "every tensor is copied to the CPU to be compared there: " + problem);
  }
  if (isPart && m_options.part->reference == StudyPart::Reference::Shares) {
    m_captures.holdAll();
  }
  m_captures.stayOnDevice([this] { return m_comparer->roomOnDevice(); });
  return m_results.open(m_study, m_prepared, m_toRun > 0);
}

Result<> StudySession::runAll() {
  if (m_toRun == 0) {
    m_sink.message("info", "no run is left; nothing to do");
    return variantFailures(m_results.draft());
  }
  Result<> done;
  for (m_sample = m_results.firstSample(); done && m_sample < m_results.endSample(); ++m_sample) {
    // What is finished is recorded, whatever ended the study.
    done = behindBarrier("the study", [this] { return runSample(); });
  }
  if (done) {
    done = applySkips();
  }
  Result<> closed = m_results.closeOpenRuns();
  if (!done || !closed) {
    return done ? closed : done;
  }
  return variantFailures(m_results.draft());
}

Result<> StudySession::runSample() {
  m_captures.clear();
  m_referenceClips.clear();
  const PlannedRun& reference = m_prepared.runs.front();
  const std::vector<const PlannedRun*> missing = missingVariants(m_prepared.runs, m_sample);
  if (missing.empty() && !isReferenceDue(m_sample)) {
    return {};
  }
  ULP_TRY(checkDevice());
  ULP_TRY(runReference(reference));
  for (const PlannedRun* planned : missing) {
    ULP_TRY(applySkips());
    if (!m_results.isMissing(planned->name, m_sample)) {
      continue;
    }
    ULP_TRY(checkDevice());
    ULP_TRY(runVariant(*planned));
  }
  return m_results.saveIfDue();
}

Result<> StudySession::runReference(const PlannedRun& planned) {
  // The record of a finished reference, and its tensors on disk, stay as they are.
  const bool isAgain = !m_results.isMissing(planned.name, m_sample);
  report::Run& record = *findRun(m_results.draft(), planned.name);
  report::Run attempt;
  attempt.name = record.name;
  attempt.loss = std::numeric_limits<double>::quiet_NaN();
  attempt.samples = 0;
  report::Run& run = isAgain ? attempt : record;
  run.status = report::RunStatus::Running;
  const bool isKept = (!isAgain || !m_results.hasTensors(planned.name)) &&
                      (!m_options.part || m_options.part->keepsReference);
  tensors::CaptureWriter* writer = isKept ? m_results.writer(m_sample) : nullptr;
  auto outcome = makeReference(planned, writer);
  if (outcome && isAgain) {
    if (auto same = checkReference(*outcome); !same) {
      outcome = tl::unexpected(same.error());
    }
  }
  // Of several samples the record tells more than this one, and closeOpenRuns() tells it.
  const bool isKnown = isAgain && outcome && samplesMade() > 1;
  ULP_TRY(isKnown ? Result<>() : conclude(run, {}, outcome));
  if (!outcome) {
    return tl::unexpected(outcome.error());
  }
  tellOfOperations(planned, *outcome, {});
  keepReference(*outcome);
  if (m_sample == m_results.firstSample()) {
    m_sink.message("info", m_captures.whereTheyAre());
  }
  return {};
}

Result<engine::RunOutcome> StudySession::makeReference(const PlannedRun& planned,
                                                       tensors::CaptureWriter* writer) {
  using Reference = StudyPart::Reference;
  const Reference way = m_options.part ? m_options.part->reference : Reference::Own;
  const ReferenceIdentity identity =
      identityOf(m_results.draft().provenance, planned.fileDigests, m_sample);
  if (way == Reference::Shared) {
    beginRun(planned);
    m_progress->phase(planned.name, "load");
    return whileDoing(planned.name,
                      readReference(m_options.part->references, m_sample, identity, m_captures));
  }
  ReferenceObserver observer(observerParts(writer), m_captures);
  auto outcome = execute(planned, observer, writer);
  if (outcome && way == Reference::Shares) {
    m_progress->phase(planned.name, "write");
    ULP_TRY(whileDoing(
        planned.name,
        writeReference(m_options.part->references, m_sample, identity, m_captures, *outcome)));
  }
  return outcome;
}

Result<> StudySession::runVariant(const PlannedRun& planned) {
  report::Run& run = *findRun(m_results.draft(), planned.name);
  run.status = report::RunStatus::Running;
  forgetError(run);
  tensors::CaptureWriter* writer = m_results.writer(m_sample);
  VariantObserver observer(observerParts(writer), m_captures, *m_comparer);
  auto outcome = execute(planned, observer, writer);
  Differences differences{.rows = observer.takeComparisons(),
                          .tops = observer.topAgreement(),
                          .routers = observer.takeRouters(),
                          .positions = observer.takePositions()};
  if (outcome) {
    const std::vector<Site> uncompared = observer.takeUncompared();
    run.missingGradients = m_captures.missingGradients(differences.rows, uncompared);
    tellOfOperations(planned, *outcome, uncompared);
    dropIncomplete(differences, outcome->missing);
    dropIncomplete(differences, outcome->unplaced);
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
    report::Run* run = findRun(m_results.draft(), name);
    if (run == nullptr) {
      m_sink.message("warning", fmt::format("skip {}: the study has no such run", name));
    } else if (name == m_results.draft().reference) {
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
      dropExecutions(samplesMade() - run->samples);
      ULP_TRY(m_results.publish(*run, false));
    }
  }
  return {};
}

bool StudySession::wasSkipped(std::string_view run, const Result<engine::RunOutcome>& outcome) {
  return !outcome && outcome.error().code() == ErrorCode::Cancelled && !m_stop.stop_requested() &&
         m_options.skips && m_options.skips->isAsked(run) && run != m_results.draft().reference;
}

void StudySession::beginRun(const PlannedRun& planned) {
  m_results.beginRun({.run = planned.name,
                      .index = m_started++,
                      .total = m_toRun,
                      .device = m_prepared.request.device,
                      .sample = static_cast<int>(m_sample - m_results.firstSample()),
                      .samples = static_cast<int>(samplesMade()),
                      .gpus = m_gpus});
}

Result<engine::RunOutcome> StudySession::execute(const PlannedRun& planned,
                                                 RecordingObserver& observer,
                                                 tensors::CaptureWriter* writer) {
  beginRun(planned);
  if (m_stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, planned.name + ": stopped");
  }
  if (isPlannable()) {
    m_freeBytes = ULP_TRY(whileDoing(planned.name, m_engine.freeBytes(m_prepared.request.device)));
  }
  auto outcome = attempt(planned, observer, writer);
  if (lacksMemory(outcome) && m_captures.deviceBytes() > 0) {
    m_sink.message("info",
                   fmt::format("{}: begins again, with the reference's tensors in host memory: {}",
                               planned.name,
                               outcome.error().message()));
    observer.restart();
    ULP_TRY(whileDoing(planned.name, m_captures.leaveDevice()));
    m_keepsOnHost = true;
    outcome = attempt(planned, observer, writer);
  }
  if (lacksMemory(outcome)) {
    outcome = tl::unexpected(besidePlan(planned.name, outcome.error()));
  }
  m_progress->endRun(outcome.has_value());
  if (!outcome) {
    return failWhile(planned.name, std::move(outcome));
  }
  if (writer != nullptr) {
    m_progress->phase(planned.name, "write");
    ULP_TRY(whileDoing(planned.name, writer->finishRun()));
  }
  return outcome;
}

Result<engine::RunOutcome> StudySession::attempt(const PlannedRun& planned,
                                                 RecordingObserver& observer,
                                                 tensors::CaptureWriter* writer) {
  ULP_TRY(writer == nullptr ? Result<>() : writer->beginRun(planned.name));
  auto computed = compute(planned, observer);
  // Also of a run that failed, whose report has the rows that it came to.
  const Result<> finished = observer.finish();
  auto outcome = ULP_TRY(std::move(computed));
  ULP_TRY(finished);
  ULP_TRY(checkUnchanged(m_study, planned.settings, planned.fileDigests, outcome.codeFiles));
  return outcome;
}

Result<engine::RunOutcome> StudySession::compute(const PlannedRun& planned,
                                                 engine::Observer& observer) {
  const MicroBatches& batches = m_prepared.samples[m_sample];
  engine::RunRequest request = m_prepared.request;
  request.plan = planned.precision;
  request.batch = planned.batch;
  request.microBatches = batches;
  request.recordsKernels = request.recordsKernels && m_sample == 0;
  request.recordsGraph = m_sample == 0;  // reports keep that of the first sample
  auto* const python = dynamic_cast<engine::PythonModel*>(m_prepared.model.get());
  std::optional<engine::RowsOfSequences> ofSequences;
  if (planned.reversesSequences) {
    if (python != nullptr) {
      ofSequences = ULP_TRY(python->rowsOfSequences(request, m_stop));
    }
    std::ranges::transform(batches, request.microBatches.begin(), reversedSequences);
  }
  m_progress->beginRun(planned.name,
                       m_prepared.sites,
                       {.index = m_sample - m_results.firstSample(), .count = samplesMade()});
  std::stop_source runStop;
  const std::stop_callback onStop(m_stop, [&runStop] { runStop.request_stop(); });
  const bool canBeSkipped = m_options.skips && planned.name != m_results.draft().reference;
  if (canBeSkipped) {
    m_options.skips->runBegins(planned.name, runStop);
  }
  RestoringObserver restoring(
      observer, batches.back().batch, batches.back().length, std::move(ofSequences));
  engine::Observer& seen = planned.reversesSequences ? restoring : observer;
  auto outcome = behindBarrier("the run", [&] {
    const Computing computing(m_options);
    return m_prepared.model->run(request, seen, runStop.get_token());
  });
  if (canBeSkipped) {
    m_options.skips->runEnds();
  }
  for (const std::string& note :
       python != nullptr ? python->takeNotes() : std::vector<std::string>()) {
    if (m_told.insert(note).second) {
      m_sink.message("warning", note);
    }
  }
  const bool isNative = m_results.draft().provenance.engine.empty();
  if (outcome && request.recordsKernels && isNative && outcome->kernels.isEmpty()) {
    m_sink.message("warning",
                   fmt::format("{}: no kernels were recorded: CUPTI shows none, as where another "
                               "profiler is attached or the driver keeps them for administrators; "
                               "capture.kernels: false asks for none",
                               planned.name));
  }
  if (outcome && planned.reversesSequences) {
    ULP_TRY(restoreSequences(*outcome, batches));
    std::ranges::move(restoring.leftOut(), std::back_inserter(outcome->unplaced));
  }
  return outcome;
}

void StudySession::tellOfOperations(const PlannedRun& run,
                                    const engine::RunOutcome& outcome,
                                    const std::vector<Site>& uncompared) {
  for (const std::string& note :
       operationNotes(run.name, outcome, uncompared, run.precision.python)) {
    if (m_told.insert(note).second) {
      m_sink.message("warning", note);
    }
  }
}

void StudySession::keepReference(const engine::RunOutcome& outcome) {
  m_referenceLoss = outcome.loss;
  for (const engine::LossTermOutcome& term : outcome.terms) {
    m_referenceClips.push_back(term.clips);
  }
  takeOldLogProbabilities(m_prepared.samples[m_sample], outcome.tokens);
}

Result<> StudySession::checkReference(const engine::RunOutcome& outcome) {
  const report::Run again{.name = m_results.draft().reference, .codeFiles = outcome.codeFiles};
  ULP_TRY(report::checkSameCode(*findRun(m_results.draft(), again.name), again));
  const double loss = outcome.loss;
  const auto recorded = ULP_TRY(m_results.referenceLoss(m_sample));
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

bool StudySession::isPlannable() {
  return isCuda(m_prepared.request.device) && m_results.draft().provenance.engine.empty();
}

std::optional<MemoryParts> StudySession::planOf(const std::string& run) const {
  const auto plan = m_prepared.memory.runs.find(run);
  if (plan == m_prepared.memory.runs.end()) {
    return std::nullopt;
  }
  MemoryParts parts = plan->second;
  parts.captures = m_keepsOnHost ? 0 : parts.captures;
  return parts;
}

Error StudySession::besidePlan(const std::string& run, const Error& error) {
  if (!isPlannable()) {
    return error;
  }
  const auto plan = planOf(run);
  return {error.code(),
          fmt::format("{}; {}, and {} were free as it began",
                      error.message(),
                      plan ? "it was planned to take " + describe(*plan)
                           : "its memory could not be planned",
                      formatBytes(m_freeBytes))};
}

std::optional<DeviceMemory> StudySession::memoryOf(const std::string& run,
                                                   const engine::RunOutcome& outcome) const {
  if (!outcome.memory) {
    return std::nullopt;
  }
  const engine::DeviceMoments& moments = *outcome.memory;
  return DeviceMemory{.planned = planOf(run),
                      .free = m_freeBytes,
                      .begin = moments.begin,
                      .forward = moments.forward,
                      .backward = moments.backward,
                      .forwardPeak = moments.forwardPeak,
                      .backwardPeak = moments.backwardPeak,
                      .captures = m_captures.deviceBytes(),
                      .reserved = moments.reserved};
}

Result<> StudySession::conclude(report::Run& run,
                                Differences differences,
                                Result<engine::RunOutcome>& outcome) {
  if (outcome) {
    if (auto kept = m_results.keep(run,
                                   m_sample,
                                   std::move(differences),
                                   *outcome,
                                   m_referenceClips,
                                   memoryOf(run.name, *outcome));
        !kept) {
      outcome = tl::unexpected(kept.error());
    }
  } else if (run.samples == 0) {
    run.comparisons = std::move(differences.rows);
  }
  const bool isSkipped = wasSkipped(run.name, outcome);
  const bool isLast = m_sample + 1 == m_results.endSample();
  if (outcome) {
    run.status = isLast ? report::RunStatus::Finished : report::RunStatus::Running;
    forgetError(run);
    if (!isLast) {
      return m_sink.check();
    }
  } else {
    recordEnd(run, outcome.error(), isSkipped);
  }
  Result<> published = m_results.publish(run, outcome.has_value());
  if (!outcome && !isSkipped && endsStudy(outcome.error().code())) {
    return tl::unexpected(outcome.error());
  }
  return published;
}

void StudySession::recordEnd(report::Run& run, const Error& error, bool isSkipped) {
  run.status = isSkipped ? report::RunStatus::Skipped : statusAfter(error);
  forgetError(run);
  if (!isSkipped) {
    run.error = error.message();
    run.errorCode = error.code();
  }
  dropExecutions(m_results.endSample() - m_sample - 1);
  m_isDeviceLost = m_isDeviceLost || error.code() == ErrorCode::Device;
}

Result<> StudySession::checkDevice() {
  if (!m_isDeviceLost) {
    return {};
  }
  m_leavesRuns = true;
  return fail(
      ErrorCode::Device,
      fmt::format("{} cannot be used by this process any more; another one can make the runs "
                  "that are left (--resume --keep-failed)",
                  m_prepared.request.device));
}

ObserverParts StudySession::observerParts(tensors::CaptureWriter* writer) {
  const bool isSampled = m_study.captureTensors == study::TensorStorage::Sampled;
  return {.filter = *m_prepared.filter,
          .progress = *m_progress,
          .writer = writer,
          .sampleLimit = isSampled ? kSampleLimit : 0,
          .sequences = m_prepared.sequences};
}

std::vector<const PlannedRun*> StudySession::missingVariants(const std::vector<PlannedRun>& runs,
                                                             std::uint64_t sample) {
  std::vector<const PlannedRun*> missing;
  for (const PlannedRun& planned : runs) {
    if (planned.name != m_results.draft().reference && m_results.isMissing(planned.name, sample)) {
      missing.push_back(&planned);
    }
  }
  return missing;
}

bool StudySession::isReferenceDue(std::uint64_t sample) {
  const std::optional<StudyPart>& part = m_options.part;
  std::error_code ignored;
  return m_results.isMissing(m_results.draft().reference, sample) ||
         (part && part->reference == StudyPart::Reference::Shares &&
          !std::filesystem::exists(referenceFile(part->references, sample), ignored));
}

int StudySession::executionsLeft(const std::vector<PlannedRun>& runs) {
  std::size_t count = 0;
  if (m_isIdle) {
    return 0;
  }
  for (std::uint64_t sample = m_results.firstSample(); sample < m_results.endSample(); ++sample) {
    const std::size_t missing = missingVariants(runs, sample).size();
    count += missing > 0 || isReferenceDue(sample) ? missing + 1 : 0;
  }
  return static_cast<int>(count);
}

void StudySession::dropExecutions(std::uint64_t count) {
  m_toRun -= static_cast<int>(count);
  m_progress->dropRuns(static_cast<int>(count));
}

Result<report::ReportPtr> runStudy(const study::Study& study,
                                   const RunOptions& options,
                                   engine::Engine& engine,
                                   const std::function<void(const Event&)>& emit,
                                   const std::stop_token& stop) {
  return StudySession(study, options, engine, emit, stop).run();
}

}  // namespace ulp::worker
