#include "runner/worker/study_session.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/format_number.h"
#include "runner/worker/device_choice.h"
#include "runner/worker/report_draft.h"
#include "runner/worker/skip_requests.h"
#include "runner/worker/step_input.h"
#include "runner/worker/step_summary.h"
#include "runner/worker/token_input.h"
#include "runner/worker/token_texts_of.h"

namespace ulp::worker {
namespace {

/// Elements kept of a tensor with `capture.tensors: sampled`.
constexpr std::uint64_t kSampleLimit = std::uint64_t{1} << 16;

/// A study cannot go on when its results cannot be written, and must not when it was stopped.
bool endsStudy(ErrorCode code) {
  return code == ErrorCode::Io || code == ErrorCode::Cancelled;
}

report::RunStatus statusOf(const Result<engine::RunOutcome>& outcome) {
  if (outcome) {
    return report::RunStatus::Finished;
  }
  return outcome.error().code() == ErrorCode::Cancelled ? report::RunStatus::Cancelled
                                                        : report::RunStatus::Failed;
}

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
      m_start(std::chrono::steady_clock::now()) {}

Result<report::ReportPtr> StudySession::run() {
  Result<> result = prepare();
  if (result) {
    result = runAll();
  }
  m_captures.clear();
  if (const std::string error = m_sink.logError(); !error.empty()) {
    m_sink.message("warning", error);
  }
  announceEnd(result);
  if (!result) {
    return tl::unexpected(result.error());
  }
  return std::make_shared<const report::Report>(std::move(m_draft));
}

Result<> StudySession::prepare() {
  auto runs = planRuns(m_study, m_options.variants);
  if (!runs) {
    return tl::unexpected(runs.error());
  }
  m_runs = *std::move(runs);
  m_draft = makeDraft(m_study, m_runs);
  m_draft.provenance.ulpscopeVersion = ULP_VERSION;
  m_draft.provenance.startedAt = utcTimestamp(std::chrono::system_clock::now());
  const std::array<Result<> (StudySession::*)(), 6> steps{&StudySession::claimFolder,
                                                          &StudySession::openModel,
                                                          &StudySession::readInput,
                                                          &StudySession::chooseSites,
                                                          &StudySession::checkPlans,
                                                          &StudySession::openOutputs};
  for (const auto step : steps) {
    if (auto done = (this->*step)(); !done) {
      return done;
    }
  }
  return {};
}

Result<> StudySession::claimFolder() {
  auto folder = RunFolder::claim(
      m_options.outputDir.empty() ? m_study.outputDir : m_options.outputDir, m_options.existing);
  if (!folder) {
    return tl::unexpected(folder.error());
  }
  m_folder = *std::move(folder);
  if (m_options.existing == ExistingResults::Resume && m_folder->hasReport()) {
    auto loaded = report::loadReport(m_folder->reportFile());
    if (!loaded) {
      return failWhile("--resume", std::move(loaded));
    }
    m_earlier = loaded->report;
    m_earlierSeconds = m_earlier->provenance.seconds;
    adoptSettledRuns(m_draft, *m_earlier);
    reviveNamedRuns(m_draft, m_options.variants);
  }
  dropUnasked(m_draft, m_runs);
  const auto missing = static_cast<int>(missingVariants().size());
  const bool runsReference = missing > 0 || isMissing(m_runs.front());
  m_toRun = runsReference ? missing + 1 : 0;
  m_progress.emplace(m_toRun, [this](const Event& event) { m_sink.emit(event); });
  StudyStarted started{{}, m_folder->path().string(), m_earlier != nullptr};
  for (const report::Run& run : m_draft.runs) {
    started.runs.push_back(run.name);
    if (run.status == report::RunStatus::Finished) {
      started.kept.push_back(run.name);
    } else if (run.status == report::RunStatus::Skipped) {
      started.skipped.push_back(run.name);
    }
  }
  m_sink.emit(started);
  for (const std::string& warning : m_study.warnings) {
    m_sink.message("warning", warning);
  }
  return {};
}

Result<> StudySession::openModel() {
  m_progress->phase("", "load");
  m_threads = m_engine.setThreads(m_options.threads);
  m_comparer = numerics::Comparer({.threads = m_threads, .team = &m_engine.team()});
  const std::string& wanted = m_options.device.empty() ? m_study.device : m_options.device;
  const auto choice = chooseDevice(m_engine.devices(), wanted);
  if (!choice) {
    return tl::unexpected(choice.error());
  }
  if (!choice->warning.empty()) {
    m_sink.message("warning", choice->warning);
  }
  const auto path = study::resolveModelPath(m_study);
  if (!path) {
    return tl::unexpected(path.error());
  }
  auto model = m_engine.openModel({.path = *path,
                                   .randomWeights = m_study.randomWeights,
                                   .seed = m_study.modelSeed,
                                   .architectureJson = m_study.architectureJson},
                                  m_stop);
  if (!model) {
    return tl::unexpected(model.error());
  }
  m_model = *std::move(model);
  const engine::ModelInfo& info = m_model->info();
  m_draft.model = {.name = info.name,
                   .family = info.family,
                   .layers = info.layers,
                   .parameters = info.parameters};
  m_draft.provenance.torchVersion = m_engine.torchVersion();
  const engine::DeviceInfo& device = choice->device;
  m_draft.provenance.device =
      device.name.empty() ? device.id : fmt::format("{} ({})", device.id, device.name);
  m_draft.provenance.threads = m_threads;
  m_draft.provenance.weightsDigest = info.weightsDigest;
  m_request.device = device.id;
  m_sink.message("info",
                 fmt::format("model {}: {}, {} layers, {} parameters; device {}, {} threads, "
                             "LibTorch {}",
                             info.name,
                             info.family,
                             info.layers,
                             info.parameters,
                             m_draft.provenance.device,
                             m_threads,
                             m_draft.provenance.torchVersion));
  return {};
}

Result<> StudySession::readInput() {
  const engine::ModelInfo& info = m_model->info();
  auto step = loadStep(m_study, info.vocabularySize, m_engine);
  if (!step) {
    return tl::unexpected(step.error());
  }
  m_request.loss = std::move(step->loss);
  m_microBatches = std::move(step->microBatches);
  m_draft.provenance.tokenDigest = std::move(step->tokenDigest);
  m_draft.provenance.input = std::move(step->description);
  const engine::TokenBatch& tokens = m_microBatches.back();
  m_sink.message(
      "info",
      fmt::format("input: {} sequences of {} tokens{}; {}",
                  tokens.batch,
                  tokens.length,
                  m_microBatches.size() == 1
                      ? ""
                      : fmt::format(" in each of {} micro-batches", m_microBatches.size()),
                  m_draft.provenance.input));
  if (info.maxPositions > 0 && tokens.length > info.maxPositions) {
    m_sink.message("warning",
                   fmt::format("input: {} positions, but the model was made for {}",
                               tokens.length,
                               info.maxPositions));
  }
  return m_earlier == nullptr ? Result<>() : checkResumable(*m_earlier, m_draft, m_runs);
}

Result<> StudySession::chooseSites() {
  m_request.level = m_study.captureLevel;
  m_request.parameterGradients = m_study.captureParameterGradients;
  m_sites = m_model->sites(m_request.level, m_request.parameterGradients);
  auto filter = SiteFilter::create(m_sites, m_study.include, m_study.exclude);
  if (!filter) {
    return tl::unexpected(filter.error());
  }
  m_filter = *std::move(filter);
  return {};
}

/// Mistakes that only the model shows are reported before the first run starts; what this device
/// cannot do ends the run that asks for it.
Result<> StudySession::checkPlans() {
  for (const PlannedRun& run : m_runs) {
    auto possible = run.isChosen ? m_model->check(run.precision, m_request.device) : Result<>();
    if (!possible && possible.error().code() == ErrorCode::InvalidArgument) {
      return failWhile(run.name, std::move(possible));
    }
  }
  return {};
}

Result<> StudySession::openOutputs() {
  if (m_options.existing == ExistingResults::Overwrite) {
    if (auto removed = m_folder->removeResults(); !removed) {
      return removed;
    }
  }
  if (auto opened = m_sink.openFiles(m_folder->path()); !opened) {
    return opened;
  }
  if (auto copied = writeFileAtomically(m_folder->path() / "study.yaml", m_draft.studyYaml);
      !copied) {
    return copied;
  }
  if (auto written = writeTokens(); !written) {
    return written;
  }
  m_logProbabilities.emplace(m_folder->path());
  if (auto loaded = m_earlier == nullptr ? Result<>() : m_logProbabilities->load(); !loaded) {
    return loaded;
  }
  if (m_study.captureTensors == study::TensorStorage::None || m_toRun == 0) {
    return {};
  }
  auto writer = tensors::CaptureWriter::create(m_folder->path());
  if (!writer) {
    return tl::unexpected(writer.error());
  }
  m_writer = *std::move(writer);
  return {};
}

/// What the tokens say is worth knowing, but no study fails for it.
Result<> StudySession::writeTokens() {
  const auto tokenizer = openTokenizer(m_study);
  if (!tokenizer && tokenizer.error().code() != ErrorCode::NotFound) {
    m_sink.message("warning",
                   fmt::format("{}; the report shows the numbers of its tokens, not their texts",
                               tokenizer.error().message()));
  }
  return report::writeTokenTexts(tokenTextsOf(m_microBatches, tokenizer.value_or(nullptr)),
                                 m_folder->path());
}

Result<> StudySession::runAll() {
  if (m_toRun == 0) {
    m_reportIsSaved = true;
    m_sink.message("info", "every run is finished already; nothing to do");
    return {};
  }
  if (auto reference = runReference(m_runs.front()); !reference) {
    return reference;
  }
  for (const PlannedRun* planned : missingVariants()) {
    if (auto skipped = applySkips(); !skipped) {
      return skipped;
    }
    if (!isMissing(*planned)) {
      continue;
    }
    if (auto variant = runVariant(*planned); !variant) {
      return variant;
    }
  }
  if (auto skipped = applySkips(); !skipped) {
    return skipped;
  }
  return variantFailures();
}

Result<> StudySession::runReference(const PlannedRun& planned) {
  // The record of a finished reference, and its tensors on disk, stay as they are.
  const bool isAgain = !isMissing(planned);
  report::Run& record = *findRun(m_draft, planned.name);
  report::Run attempt = record;
  attempt.status = report::RunStatus::Running;
  report::Run& run = isAgain ? attempt : record;
  run.status = report::RunStatus::Running;
  tensors::CaptureWriter* writer = isAgain ? nullptr : m_writer.get();
  ReferenceObserver observer(observerParts(writer), m_captures);
  auto outcome = execute(planned, observer, writer);
  if (outcome && isAgain) {
    if (auto same = checkReference(record, outcome->loss); !same) {
      outcome = tl::unexpected(same.error());
    }
  }
  if (auto concluded = conclude(run, outcome); !concluded) {
    return concluded;
  }
  if (!outcome) {
    return tl::unexpected(outcome.error());
  }
  keepReference(*outcome);
  m_sink.message("info",
                 fmt::format("reference: {} tensors, {}, stay in memory for the comparisons",
                             m_captures.count(),
                             formatBytes(m_captures.bytes())));
  return {};
}

Result<> StudySession::runVariant(const PlannedRun& planned) {
  report::Run& run = *findRun(m_draft, planned.name);
  run.status = report::RunStatus::Running;
  run.error.clear();
  VariantObserver observer(observerParts(m_writer.get()), m_captures, m_comparer);
  auto outcome = execute(planned, observer, m_writer.get());
  run.comparisons = observer.takeComparisons();
  if (outcome) {
    if (auto added = addLossRow(run.comparisons, m_referenceLoss, outcome->loss); !added) {
      outcome = tl::unexpected(added.error());
    }
  }
  if (!outcome && !m_firstFailure && !wasSkipped(planned.name, outcome)) {
    m_firstFailure = outcome.error().code();
  }
  return conclude(run, outcome);
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
    } else if (run->status != report::RunStatus::Pending) {
      if (run->status != report::RunStatus::Skipped) {
        m_sink.message("info",
                       fmt::format("skip {}: it is {} already", name, toString(run->status)));
      }
    } else if (auto skipped = skipVariant(*run); !skipped) {
      return skipped;
    }
  }
  return {};
}

Result<> StudySession::skipVariant(report::Run& run) {
  run.status = report::RunStatus::Skipped;
  --m_toRun;
  m_progress->dropRun();
  Result<> saved = saveReport();
  m_sink.emit(RunFinished{
      .run = run.name, .status = std::string(toString(run.status)), .loss = run.loss, .error = {}});
  if (!saved) {
    return saved;
  }
  m_sink.emit(ReportUpdated{m_folder->reportFile().string()});
  return m_sink.check();
}

bool StudySession::wasSkipped(std::string_view run, const Result<engine::RunOutcome>& outcome) {
  return !outcome && outcome.error().code() == ErrorCode::Cancelled && !m_stop.stop_requested() &&
         m_options.skips && m_options.skips->isAsked(run) && run != m_draft.reference;
}

Result<engine::RunOutcome> StudySession::execute(const PlannedRun& planned,
                                                 engine::Observer& observer,
                                                 tensors::CaptureWriter* writer) {
  m_sink.emit(RunStarted{planned.name, m_started++, m_toRun, m_request.device});
  if (m_stop.stop_requested()) {
    return fail(ErrorCode::Cancelled, planned.name + ": stopped");
  }
  if (writer != nullptr) {
    if (auto begun = writer->beginRun(planned.name); !begun) {
      return failWhile(planned.name, std::move(begun));
    }
  }
  engine::RunRequest request = m_request;
  request.plan = planned.precision;
  giveTokens(request);
  m_progress->beginRun(planned.name, m_sites);
  std::stop_source runStop;
  const std::stop_callback onStop(m_stop, [&runStop] { runStop.request_stop(); });
  const bool canBeSkipped = m_options.skips && planned.name != m_draft.reference;
  if (canBeSkipped) {
    m_options.skips->runBegins(planned.name, runStop);
  }
  auto outcome = m_model->run(request, observer, runStop.get_token());
  if (canBeSkipped) {
    m_options.skips->runEnds();
  }
  m_progress->endRun(outcome.has_value());
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

void StudySession::giveTokens(engine::RunRequest& request) const {
  request.precedingMicroBatches.assign(m_microBatches.begin(), m_microBatches.end() - 1);
  request.tokens = m_microBatches.back();
}

void StudySession::keepReference(const engine::RunOutcome& outcome) {
  m_referenceLoss = outcome.loss;
  m_referenceClips.clear();
  for (const engine::LossTermOutcome& term : outcome.terms) {
    m_referenceClips.push_back(term.clips);
  }
  takeOldLogProbabilities(m_microBatches, outcome.tokens);
}

Result<> StudySession::conclude(report::Run& run, const Result<engine::RunOutcome>& outcome) {
  const bool isSkipped = wasSkipped(run.name, outcome);
  run.status = isSkipped ? report::RunStatus::Skipped : statusOf(outcome);
  run.error = outcome || isSkipped ? "" : outcome.error().message();
  run.loss = outcome ? outcome->loss : std::numeric_limits<double>::quiet_NaN();
  run.seconds = outcome ? outcome->seconds : 0;
  if (outcome && outcome->gradientScale != 1) {
    m_sink.message("info",
                   fmt::format("{}: the loss was multiplied by {} for the backward pass; gradients "
                               "are shown without it",
                               run.name,
                               outcome->gradientScale));
  }
  run.peakBytes = outcome ? outcome->peakBytes : 0;
  run.step = outcome ? stepOf(*outcome, m_referenceClips) : report::StepSummary{};
  // The report before the event: whoever reads of a finished run finds it there.
  const Result<> saved = saveResults(run.name, outcome);
  RunFinished event{.run = run.name,
                    .status = std::string(toString(run.status)),
                    .loss = run.loss,
                    .seconds = run.seconds,
                    .peakBytes = run.peakBytes,
                    .error = run.error};
  if (outcome && !saved) {
    event.status = toString(report::RunStatus::Failed);
    event.error = saved.error().message();
  }
  m_sink.emit(event);
  if (saved) {
    m_sink.emit(ReportUpdated{m_folder->reportFile().string()});
  }
  if (!outcome && !isSkipped && endsStudy(outcome.error().code())) {
    return tl::unexpected(outcome.error());
  }
  return saved ? m_sink.check() : saved;
}

Result<> StudySession::saveResults(const std::string& run,
                                   const Result<engine::RunOutcome>& outcome) {
  if (outcome) {
    const std::int64_t length = m_microBatches.back().length;
    if (auto added = m_logProbabilities->add(run, outcome->tokens, length); !added) {
      return added;
    }
  }
  return saveReport();
}

Result<> StudySession::saveReport() {
  m_draft.provenance.seconds = m_earlierSeconds + secondsSoFar();
  if (m_options.conclude) {
    m_options.conclude(m_draft);
  }
  auto saved = report::saveReport(m_draft, m_folder->path());
  m_reportIsSaved = m_reportIsSaved || saved.has_value();
  return saved;
}

Result<> StudySession::checkReference(const report::Run& recorded, double loss) const {
  if (isSameNumber(recorded.loss, loss)) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("--resume: the reference's loss is {}, was {}: this machine computes "
                          "otherwise than the one that began; replace the results with "
                          "--overwrite, or name another folder with --output",
                          formatExact(loss),
                          formatExact(recorded.loss)));
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

std::vector<const PlannedRun*> StudySession::missingVariants() {
  std::vector<const PlannedRun*> missing;
  for (const PlannedRun& planned : m_runs) {
    if (planned.name != m_draft.reference && isMissing(planned)) {
      missing.push_back(&planned);
    }
  }
  return missing;
}

bool StudySession::isMissing(const PlannedRun& planned) {
  const report::Run* run = findRun(m_draft, planned.name);
  return run != nullptr && run->status != report::RunStatus::Finished &&
         run->status != report::RunStatus::Skipped;
}

double StudySession::secondsSoFar() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

void StudySession::announceEnd(const Result<>& result) {
  StudyFinished event;
  event.status = toString(report::RunStatus::Finished);
  if (!result) {
    const bool isCancelled = result.error().code() == ErrorCode::Cancelled;
    event.status = toString(isCancelled ? report::RunStatus::Cancelled : report::RunStatus::Failed);
    event.errorCode = toString(result.error().code());
    event.error = result.error().message();
  }
  event.seconds = secondsSoFar();
  if (m_folder && (m_reportIsSaved || m_earlier != nullptr)) {
    event.report = m_folder->reportFile().string();
  }
  m_sink.emit(event);
}

}  // namespace ulp::worker
