#include "runner/worker/session/study_session.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "runner/worker/input/token_input.h"
#include "runner/worker/session/device_choice.h"
#include "runner/worker/session/report_draft.h"
#include "runner/worker/session/study_runner.h"

namespace ulp::worker {
namespace {

/// Where a key of the study was set; empty: nobody set it, or nobody wrote a file.
std::string placeOf(const study::Study& study, std::string_view key) {
  const auto found = study.settings.find(key);
  if (found == study.settings.end()) {
    return {};
  }
  const study::Setting& setting = found->second;
  if (setting.origin == study::Origin::CommandLine) {
    return fmt::format("--set {}={}", key, setting.value);
  }
  const auto [line, column] = setting.position;
  return line == 0 || study.file.empty()
             ? std::string()
             : fmt::format("{}:{}:{}", study.file.string(), line, column);
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
  ULP_TRY(std::move(result));
  return std::make_shared<const report::Report>(std::move(m_draft));
}

Result<> StudySession::prepare() {
  m_runs = ULP_TRY(planRuns(m_study, m_options.variants));
  m_draft = makeDraft(m_study, m_runs);
  m_draft.provenance.samples = static_cast<std::uint64_t>(sampleCount(m_study));
  m_draft.provenance.ulpscopeVersion = ULP_VERSION;
  m_draft.provenance.startedAt = utcTimestamp(std::chrono::system_clock::now());
  ULP_TRY(claimFolder());
  ULP_TRY(openModel());
  ULP_TRY(readInput());
  ULP_TRY(chooseSites());
  ULP_TRY(checkPlans());
  return openOutputs();
}

Result<> StudySession::claimFolder() {
  m_folder = ULP_TRY(RunFolder::claim(
      m_options.outputDir.empty() ? m_study.outputDir : m_options.outputDir, m_options.existing));
  m_captures.spillTo(m_folder->path());
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
  m_toRun = executionsLeft();
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
  const auto choice = ULP_TRY(chooseDevice(m_engine.devices(), wanted));
  if (!choice.warning.empty()) {
    m_sink.message("warning", choice.warning);
  }
  auto path = study::resolveModelPath(m_study);
  if (!path) {
    const std::string place = placeOf(m_study, "model.path");
    return place.empty() ? tl::unexpected(path.error()) : failWhile(place, std::move(path));
  }
  m_model = ULP_TRY(m_engine.openModel({.path = *path,
                                        .randomWeights = m_study.randomWeights,
                                        .seed = m_study.modelSeed,
                                        .architectureJson = m_study.architectureJson},
                                       m_stop));
  const engine::ModelInfo& info = m_model->info();
  m_draft.model = {.name = info.name,
                   .family = info.family,
                   .layers = info.layers,
                   .parameters = info.parameters};
  m_draft.provenance.torchVersion = m_engine.torchVersion();
  const engine::DeviceInfo& device = choice.device;
  m_draft.provenance.device =
      device.name.empty() ? device.id : fmt::format("{} ({})", device.id, device.name);
  m_draft.provenance.threads = m_threads;
  m_draft.provenance.weightsDigest = info.weightsDigest;
  m_request.device = device.id;
  ULP_TRY(chooseFloorThreads(m_runs, m_threads, device.id));
  takeSettings(m_draft, m_runs);
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
  auto step = ULP_TRY(loadStep(m_study, info.vocabularySize, m_engine));
  m_request.loss = std::move(step.loss);
  m_samples = std::move(step.samples);
  ULP_TRY(checkReversible(m_runs, m_samples.front()));
  m_draft.provenance.tokenDigest = std::move(step.tokenDigest);
  m_draft.provenance.input = std::move(step.description);
  const MicroBatches& batches = m_samples.front();
  const engine::TokenBatch& tokens = batches.back();
  m_draft.provenance.sequences =
      m_samples.size() * batches.size() * static_cast<std::uint64_t>(tokens.batch);
  m_draft.provenance.sequenceLength = static_cast<std::uint64_t>(tokens.length);
  m_sink.message(
      "info",
      fmt::format(
          "input: {} sequences of {} tokens{}{}; {}",
          tokens.batch,
          tokens.length,
          batches.size() == 1 ? "" : fmt::format(" in each of {} micro-batches", batches.size()),
          m_samples.size() == 1 ? "" : fmt::format(" of each of {} samples", m_samples.size()),
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
  m_request.backward = m_study.captureBackward;
  m_request.parameterGradients = m_study.captureParameterGradients;
  m_request.optimizer = optimizerOf(m_study);
  m_sites = m_model->sites(m_request);
  m_filter = ULP_TRY(SiteFilter::create(m_sites, m_study.include, m_study.exclude));
  m_rows = SampleRows(m_sites, *m_filter);
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
    ULP_TRY(m_folder->removeResults());
  }
  ULP_TRY(m_sink.openFiles(m_folder->path()));
  ULP_TRY(writeFileAtomically(m_folder->path() / "study.yaml", m_draft.studyYaml));
  ULP_TRY(writeTokens());
  m_logProbabilities.emplace(m_folder->path());
  ULP_TRY(m_earlier == nullptr ? Result<>() : m_logProbabilities->load());
  if (m_toRun == 0) {
    return {};
  }
  ULP_TRY(openSamples());
  if (m_study.captureTensors == study::TensorStorage::None) {
    return {};
  }
  m_writer = ULP_TRY(tensors::CaptureWriter::create(m_folder->path()));
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
  MicroBatches all;
  for (const MicroBatches& sample : m_samples) {
    all.insert(all.end(), sample.begin(), sample.end());
  }
  return report::writeTokenTexts(tokenTextsOf(all, tokenizer.value_or(nullptr)), m_folder->path());
}

/// One sample needs no file: the report holds it.
Result<> StudySession::openSamples() {
  if (m_samples.size() == 1) {
    return {};
  }
  tensors::SampleLayout layout{.samples = m_samples.size(),
                               .rows = m_rows.rows(),
                               .tokenDigest = m_draft.provenance.tokenDigest};
  bool hasBegun = false;
  for (const report::Run& run : m_draft.runs) {
    layout.runs.push_back(run.name);
    hasBegun = hasBegun || run.samples > 0;
  }
  for (const report::MetricColumn& metric : m_draft.metrics) {
    layout.metrics.push_back(metric.id);
  }
  m_sampleStore = ULP_TRY(hasBegun ? tensors::SampleStore::reopen(m_folder->path(), layout)
                                   : tensors::SampleStore::create(m_folder->path(), layout));
  return {};
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

Result<report::ReportPtr> runStudy(const study::Study& study,
                                   const RunOptions& options,
                                   engine::Engine& engine,
                                   const std::function<void(const Event&)>& emit,
                                   const std::stop_token& stop) {
  return StudySession(study, options, engine, emit, stop).run();
}

}  // namespace ulp::worker
