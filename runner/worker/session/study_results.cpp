#include "runner/worker/session/study_results.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/merge_samples.h"
#include "core/study/editing/study_as_run.h"
#include "core/tensors/store/capture_layout.h"
#include "runner/worker/input/token_input.h"
#include "runner/worker/session/report_draft.h"

namespace ulp::worker {
namespace {

/// The report grows with its rows, not with the samples: written after each of many short samples
/// it would take longer than they do.
constexpr std::chrono::seconds kSaveInterval{5};

/// Of operations that tokens decide about, those of every sample are kept; the session has told of
/// the others.
void dropLonelyOperations(std::vector<report::Comparison>& rows,
                          const std::vector<report::Comparison>& others) {
  std::set<std::pair<Pass, std::string_view>> known;
  for (const report::Comparison& other : others) {
    known.emplace(other.site.pass, other.site.name);
  }
  std::erase_if(rows, [&known](const report::Comparison& row) {
    return row.site.level == Level::Op && !known.contains({row.site.pass, row.site.name});
  });
}

}  // namespace

StudyResults::StudyResults(const RunOptions& options, EventSink& sink)
    : m_options(options), m_sink(sink), m_start(std::chrono::steady_clock::now()) {}

Result<> StudyResults::begin(const study::Study& study, const std::vector<PlannedRun>& runs) {
  m_draft = makeDraft(runs);
  m_draft.provenance.samples = static_cast<std::uint64_t>(sampleCount(study));
  m_first = m_options.part ? m_options.part->firstSample : 0;
  m_samples = m_options.part ? m_options.part->samples : m_draft.provenance.samples;
  if (endSample() > m_draft.provenance.samples) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("samples {} to {}: the study has {}; submit it anew",
                            m_first,
                            endSample() - 1,
                            m_draft.provenance.samples));
  }
  m_draft.provenance.ulpscopeVersion = ULP_VERSION;
  m_draft.provenance.startedAt = utcTimestamp(std::chrono::system_clock::now());
  m_folder = ULP_TRY(RunFolder::claim(
      m_options.outputDir.empty() ? study.outputDir : m_options.outputDir, m_options.existing));
  if (m_options.existing == ExistingResults::Resume && m_folder->hasReport()) {
    const auto loaded = ULP_TRY(whileDoing("--resume", report::loadReport(m_folder->reportFile())));
    m_earlier = loaded.report;
    adoptSettledRuns(m_draft, *m_earlier, m_options.keepsFailed);
    if (!m_options.keepsFailed && !m_options.part) {
      reviveNamedRuns(m_draft, m_options.variants);
    }
  }
  dropUnasked(m_draft, runs);
  m_draft.studyYaml = study::studyAsRun(study, variantsOf(study));
  StudyStarted started{{}, m_folder->path().string(), m_earlier != nullptr};
  for (const report::Run& run : m_draft.runs) {
    started.runs.push_back(run.name);
    if (run.status == report::RunStatus::Finished) {
      started.kept.push_back(run.name);
    } else if (run.status == report::RunStatus::Skipped) {
      started.skipped.push_back(run.name);
    } else if (run.status == report::RunStatus::Failed) {
      started.failed.push_back(run.name);
    }
  }
  m_sink.emit(started);
  for (const std::string& warning : study.warnings) {
    m_sink.message("warning", warning);
  }
  return {};
}

/// A part has some of those of the whole study, which its text is of.
std::vector<std::string> StudyResults::variantsOf(const study::Study& study) const {
  std::vector<std::string> names;
  for (const study::Variant& variant : study.variants) {
    const std::vector<std::string>& asked = m_options.variants;
    const bool isOfWhole = asked.empty() || std::ranges::count(asked, variant.name) > 0;
    if (m_options.part ? isOfWhole : m_draft.findRun(variant.name) != nullptr) {
      names.push_back(variant.name);
    }
  }
  return names;
}

Result<> StudyResults::open(const study::Study& study,
                            const PreparedStudy& prepared,
                            bool hasWork) {
  m_length = prepared.samples.front().back().length;
  m_rows = SampleRows(prepared.sites, *prepared.filter);
  ULP_TRY(openFiles());
  ULP_TRY(writeTokens(study, prepared));
  ULP_TRY(loadLogProbabilities());
  if (!hasWork) {
    return {};
  }
  ULP_TRY(openSamples());
  if (study.captureTensors == study::TensorStorage::None) {
    return {};
  }
  m_writer = ULP_TRY(tensors::CaptureWriter::create(folder()));
  for (const report::Run& run : m_draft.runs) {
    // The reference's are written again with the reference.
    if (m_earlier != nullptr && run.status == report::RunStatus::Finished &&
        run.name != m_draft.reference && !hasTensors(run.name)) {
      m_sink.message("warning",
                     fmt::format("{}: is gone, and with it the tensors of {}",
                                 tensorFile(run.name).string(),
                                 run.name));
    }
  }
  return {};
}

std::filesystem::path StudyResults::tensorFile(std::string_view run) const {
  return folder() / tensors::kRunFolder / tensors::runFileName(run);
}

bool StudyResults::hasTensors(std::string_view run) const {
  std::error_code ignored;
  return std::filesystem::exists(tensorFile(run), ignored);
}

Result<> StudyResults::loadLogProbabilities() {
  if (m_earlier == nullptr) {
    return {};
  }
  ULP_TRY(m_logProbabilities->load());
  for (const report::Run& run : m_earlier->runs) {
    if (run.logProbabilities && !m_logProbabilities->has(run.name)) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: is gone, or does not have what {} gave; replace the results "
                              "with --overwrite, or name another folder with --output",
                              (folder() / report::kLogProbabilityFile).string(),
                              run.name));
    }
  }
  return {};
}

Result<> StudyResults::openForPieces(Layout layout) {
  m_length = layout.length;
  m_rows = std::move(layout.rows);
  ULP_TRY(openFiles());
  ULP_TRY(loadLogProbabilities());
  return openSamples();
}

Result<> StudyResults::openFiles() {
  if (m_options.existing == ExistingResults::Overwrite) {
    ULP_TRY(m_folder->removeResults());
  }
  ULP_TRY(m_sink.openFiles(folder()));
  ULP_TRY(writeFileAtomically(folder() / "study.yaml", m_draft.studyYaml));
  m_logProbabilities.emplace(folder());
  return {};
}

Result<> StudyResults::writeTokens(const study::Study& study, const PreparedStudy& prepared) {
  const auto tokenizer = openTokenizer(study);
  if (!tokenizer && tokenizer.error().code() != ErrorCode::NotFound) {
    m_sink.message("warning",
                   fmt::format("{}; the report shows the numbers of its tokens, not their texts",
                               tokenizer.error().message()));
  }
  MicroBatches all;
  for (const MicroBatches& sample : prepared.samples) {
    all.insert(all.end(), sample.begin(), sample.end());
  }
  return report::writeTokenTexts(tokenTextsOf(all, tokenizer.value_or(nullptr)), folder());
}

/// One sample needs no file: the report holds it.
Result<> StudyResults::openSamples() {
  if (m_draft.provenance.samples == 1) {
    return {};
  }
  tensors::SampleLayout layout{
      .samples = m_samples, .rows = m_rows.rows(), .tokenDigest = m_draft.provenance.tokenDigest};
  bool hasBegun = false;
  for (const report::Run& run : m_draft.runs) {
    layout.runs.push_back(run.name);
    hasBegun = hasBegun || run.samples > 0;
  }
  for (const report::MetricColumn& metric : m_draft.metrics) {
    layout.metrics.push_back(metric.id);
  }
  m_sampleStore = ULP_TRY(hasBegun ? tensors::SampleStore::reopen(folder(), layout)
                                   : tensors::SampleStore::create(folder(), layout));
  return {};
}

tensors::CaptureWriter* StudyResults::writer(std::uint64_t sample) const {
  return sample == 0 ? m_writer.get() : nullptr;
}

bool StudyResults::isMissing(std::string_view run, std::uint64_t sample) {
  const report::Run* record = findRun(m_draft, run);
  return record != nullptr && isOpen(*record) && record->samples <= sample - m_first;
}

Result<double> StudyResults::referenceLoss(std::uint64_t sample) {
  return m_sampleStore ? m_sampleStore->loss(m_draft.reference, sample - m_first)
                       : Result<double>(findRun(m_draft, m_draft.reference)->loss);
}

void StudyResults::beginRun(const RunStarted& event) {
  m_sink.emit(event);
  m_told.insert(event.run);
}

Result<> StudyResults::keep(report::Run& run,
                            std::uint64_t sample,
                            Differences differences,
                            const engine::RunOutcome& outcome,
                            std::span<const engine::ClipDecisions> clips,
                            const std::optional<DeviceMemory>& memory) {
  if (outcome.gradientScale != 1) {
    m_sink.message("info",
                   fmt::format("{}: the loss was multiplied by {} for the backward pass; gradients "
                               "are shown without it",
                               run.name,
                               outcome.gradientScale));
  }
  SamplePiece piece{.run = {.name = run.name}, .tops = differences.tops};
  report::Run& merged = piece.run;
  merged.loss = outcome.loss;
  merged.seconds = outcome.seconds;
  merged.peakBytes = outcome.peakBytes;
  merged.memory = memory;
  merged.step = stepOf(outcome, clips);
  merged.kernels = outcome.kernels;
  merged.graph = outcome.graph;
  merged.attentionKernels = outcome.attentionKernels;
  merged.codeFiles = outcome.codeFiles;
  merged.comparisons = std::move(differences.rows);
  merged.routers = std::move(differences.routers);
  merged.positions = std::move(differences.positions);
  if (m_options.part) {
    ULP_TRY(writePiece(folder(), m_draft, sample, piece));
  }
  return take(run, sample, std::move(piece), outcome.tokens);
}

Result<> StudyResults::take(report::Run& run,
                            std::uint64_t sample,
                            SamplePiece piece,
                            const engine::TokenOutcome& tokens) {
  report::Run& merged = piece.run;
  // Runs that share a file of code are compared with each other, too, if only in a table.
  for (const report::Run& other : m_draft.runs) {
    ULP_TRY(report::checkSameCode(other, merged));
  }
  const std::uint64_t place = sample - m_first;
  if (m_sampleStore) {
    ULP_TRY(m_rows.store(*m_sampleStore, {run.name, place, merged.loss}, merged.comparisons));
  }
  m_logProbabilities->put(run.name, place, tokens);
  if (run.samples > 0) {
    dropLonelyOperations(run.comparisons, merged.comparisons);
    dropLonelyOperations(merged.comparisons, run.comparisons);
  }
  ULP_TRY(mergeSample(run, std::move(merged)));
  return run.name == m_draft.reference ? Result<>() : updateLogProbabilities(run, piece.tops);
}

Result<> StudyResults::updateLogProbabilities(report::Run& run,
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

Result<> StudyResults::publish(const report::Run& run, bool isFinished) {
  Result<> saved = save();
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

Result<> StudyResults::closeOpenRuns() {
  bool isChanged = false;
  for (report::Run& run : m_draft.runs) {
    if (run.status == report::RunStatus::Running) {
      run.status = report::RunStatus::Cancelled;
      run.error = fmt::format(
          "{}: the study ended after {} of {} samples", run.name, run.samples, m_samples);
      run.errorCode = ErrorCode::Cancelled;
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

Result<> StudyResults::publishAll() {
  ULP_TRY(saveAndTell());
  for (const report::Run& run : m_draft.runs) {
    if (!isOpen(run)) {
      tellFinished(run);
    }
  }
  return m_sink.check();
}

void StudyResults::tellFinished(const report::Run& run) {
  m_told.erase(run.name);
  m_sink.emit(RunFinished{.run = run.name,
                          .status = std::string(toString(run.status)),
                          .loss = run.loss,
                          .seconds = run.seconds,
                          .peakBytes = run.peakBytes,
                          .error = run.error,
                          .plannedBytes = run.memory && run.memory->planned
                                              ? run.memory->planned->total()
                                              : std::uint64_t{0},
                          .errorCode = run.errorCode ? std::string(toString(*run.errorCode)) : ""});
}

Result<> StudyResults::save() {
  // What a report says to be there is on the disk before it.
  ULP_TRY(m_sampleStore ? m_sampleStore->sync() : Result<>());
  ULP_TRY(m_logProbabilities->save(m_length));
  const double earlier = m_earlier == nullptr ? 0 : m_earlier->provenance.seconds;
  m_draft.provenance.seconds = earlier + m_otherSeconds + secondsSoFar();
  if (m_options.conclude) {
    m_options.conclude(m_draft);
  }
  auto saved = report::saveReport(m_draft, folder());
  m_isSaved = m_isSaved || saved.has_value();
  m_lastSave = std::chrono::steady_clock::now();
  return saved;
}

Result<> StudyResults::saveAndTell() {
  ULP_TRY(save());
  m_sink.emit(ReportUpdated{m_folder->reportFile().string()});
  return m_sink.check();
}

Result<> StudyResults::saveIfDue() {
  const bool isDue = std::chrono::steady_clock::now() - m_lastSave >= kSaveInterval;
  return m_samples > 1 && isDue ? saveAndTell() : Result<>();
}

double StudyResults::secondsSoFar() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

void StudyResults::tellEnd(const Result<>& result, const EndNotes& notes) {
  StudyFinished event;
  event.status = toString(report::RunStatus::Finished);
  if (!result) {
    const bool isCancelled = result.error().code() == ErrorCode::Cancelled;
    event.status = toString(isCancelled ? report::RunStatus::Cancelled : report::RunStatus::Failed);
    event.errorCode = toString(result.error().code());
    event.error = result.error().message();
  }
  event.seconds = secondsSoFar();
  event.conflicts = notes.conflicts;
  event.leavesRuns = notes.leavesRuns;
  if (m_folder && (m_isSaved || m_earlier != nullptr)) {
    event.report = m_folder->reportFile().string();
  }
  m_sink.emit(event);
}

}  // namespace ulp::worker
