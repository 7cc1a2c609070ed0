#include "runner/cluster/task_merge.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <system_error>

#include "core/base/error.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/base/text/shell_quoted.h"
#include "core/report/model/merge_samples.h"
#include "core/report/model/token_texts.h"
#include "core/report/summary/provenance_line.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/sample_reader.h"
#include "runner/worker/capture/sample_rows.h"
#include "runner/worker/parts/sample_pieces.h"
#include "runner/worker/session/report_draft.h"
#include "runner/worker/session/run_plan.h"

namespace ulp::cluster {
namespace {

namespace fs = std::filesystem;
using report::RunStatus;

/// No task: the reference's numbers of a sample are those of an earlier session.
constexpr std::size_t kEarlier = ~std::size_t{0};

Result<> linkOrCopy(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::remove(to, failed);
  fs::create_hard_link(from, to, failed);
  if (failed) {
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, failed);
  }
  return failed ? fail(systemError(to, "cannot be made of " + from.string(), failed.value()))
                : Result<>();
}

/// A report of one sample counts none: there a run has it once it is finished.
std::uint64_t samplesIn(const report::Report* report, std::string_view run) {
  const report::Run* record = report == nullptr ? nullptr : report->findRun(run);
  const bool isCounted = record != nullptr &&
                         (report->provenance.samples > 1 || record->status == RunStatus::Finished);
  return isCounted ? record->samples : 0;
}

void becomeFinished(report::Run& record) {
  record.status = RunStatus::Finished;
  worker::forgetError(record);
}

void takeEnd(report::Run& record, const report::Run& end) {
  record.status = end.status;
  record.error = end.error;
  record.errorCode = end.errorCode;
  if (record.samples == 0) {
    record.comparisons = end.comparisons;
  }
}

}  // namespace

TaskMerge::TaskMerge(const ClusterRun& run, const MergeOptions& options, worker::EventSink& sink)
    : m_run(run),
      m_options(options),
      m_workerOptions{.outputDir = options.output.empty() ? run.folder : options.output,
                      .variants = options.variants,
                      .existing = options.existing,
                      .keepsFailed = options.keepsFailed,
                      .conclude = options.conclude},
      m_sink(sink),
      m_results(m_workerOptions, sink) {}

Result<> TaskMerge::begin(const study::Study& study, const std::string& device) {
  m_runs = ULP_TRY(worker::planRuns(study, m_run.variants, device));
  m_keepsTensors = study.captureTensors != study::TensorStorage::None;
  ULP_TRY(m_results.begin(study, m_runs));
  m_keepers.assign(m_results.endSample(), kEarlier);
  return {};
}

Result<> TaskMerge::read(std::size_t task) {
  TaskResults results{
      .number = task, .folder = m_run.taskFolder(task), .report = nullptr, .logProbabilities = {}};
  std::error_code ignored;
  if (fs::exists(results.folder / "precision_report.json", ignored)) {
    const auto loaded = report::loadReport(results.folder);
    if (!loaded) {
      return fail(loaded.error().code(),
                  fmt::format("{}; remove the folder {} and make task {} again",
                              loaded.error().message(),
                              results.folder.string(),
                              task));
    }
    results.report = loaded->report;
    if (fs::exists(results.folder / report::kLogProbabilityFile, ignored)) {
      results.logProbabilities = ULP_TRY(report::readLogProbabilities(results.folder));
    }
  }
  while (m_tasks.size() <= task) {
    m_tasks.push_back({.number = m_tasks.size(), .folder = m_run.taskFolder(m_tasks.size())});
  }
  ULP_TRY(checkAlike(results));
  m_tasks[task] = std::move(results);
  return {};
}

const report::Report* TaskMerge::model() const {
  return m_hasModel ? m_tasks[m_model].report.get() : nullptr;
}

std::vector<const report::Report*> TaskMerge::reports() const {
  std::vector<const report::Report*> all;
  for (const TaskResults& each : m_tasks) {
    if (each.report) {
      all.push_back(each.report.get());
    }
  }
  return all;
}

std::uint64_t TaskMerge::samplesOf(std::size_t task, std::string_view run) const {
  return task < m_tasks.size() ? samplesIn(m_tasks[task].report.get(), run) : 0;
}

bool TaskMerge::isLeftIn(std::size_t task, std::string_view run) const {
  const report::Run* record =
      task < m_tasks.size() && m_tasks[task].report ? m_tasks[task].report->findRun(run) : nullptr;
  return record == nullptr || worker::isOpen(*record) || record->status == RunStatus::Cancelled;
}

void TaskMerge::failRun(std::string_view run, const Error& error) {
  if (report::Run* record = worker::findRun(m_results.draft(), run)) {
    record->status = RunStatus::Failed;
    record->error = error.message();
    record->errorCode = error.code();
    m_failed.insert(record->name);
  }
}

bool TaskMerge::has(const TaskResults& results, std::string_view run, std::uint64_t sample) const {
  const std::uint64_t first = taskOf(results).firstSample;
  return sample >= first && sample - first < samplesIn(results.report.get(), run);
}

/// The numbers of its tokens that a run gave on a sample.
engine::TokenOutcome TaskMerge::tokensOf(const TaskResults& results,
                                         std::string_view run,
                                         std::uint64_t sample) const {
  const auto found =
      std::ranges::find(results.logProbabilities, run, &report::LogProbabilities::name);
  engine::TokenOutcome tokens;
  if (found == results.logProbabilities.end()) {
    return tokens;
  }
  const report::Provenance& made = results.report->provenance;
  const std::size_t size = made.sequences / std::max<std::uint64_t>(made.samples, 1) *
                           static_cast<std::size_t>(found->length);
  const std::size_t begin = (sample - taskOf(results).firstSample) * size;
  if (begin + size > found->values.size() || begin + size > found->isLabel.size()) {
    return tokens;
  }
  const auto part = [&](const auto& all) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::pair(first, first + static_cast<std::ptrdiff_t>(size));
  };
  const auto [first, last] = part(found->values);
  const auto [firstLabel, lastLabel] = part(found->isLabel);
  tokens.logProbabilities.assign(first, last);
  tokens.isLabel.assign(firstLabel, lastLabel);
  return tokens;
}

Result<> TaskMerge::checkAlike(const TaskResults& task) {
  // A task that could not open the model knows nothing of it.
  if (!task.report || task.report->provenance.weightsDigest.empty()) {
    return {};
  }
  if (!m_hasModel) {
    m_hasModel = true;
    m_model = task.number;
    return {};
  }
  auto differences = worker::differencesOfPlaces(*model(), *task.report);
  if (task.report->effectiveJson != model()->effectiveJson) {
    if (const auto files = ULP_TRY(worker::changedFiles(*model(), *task.report)); !files.empty()) {
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("{}: what task {} read in the place of {} is not what task {} read "
                      "there; undo the change and make the task again, or run the whole study into "
                      "another folder",
                      m_run.folder.string(),
                      task.number,
                      fmt::join(files, ", "),
                      m_model));
    }
    differences.emplace_back("the settings of its runs are others");
  }
  if (differences.empty()) {
    return {};
  }
  for (const std::string& difference : differences) {
    m_conflicts.push_back(
        fmt::format("task {} against task {}: {}", task.number, m_model, difference));
  }
  if (m_options.areOnDevices) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("device: workers computed otherwise than others: {}; name devices "
                            "that are alike",
                            fmt::join(m_conflicts, "; ")));
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: tasks computed otherwise than others: {}; ask sbatch for nodes "
                          "that are alike (--sbatch=--constraint=…) and for the same threads "
                          "(--threads), and submit the study to another folder",
                          m_run.folder.string(),
                          fmt::join(m_conflicts, "; ")));
}

Result<> TaskMerge::open() {
  describe();
  if (m_results.earlier() != nullptr) {
    const report::Provenance& made = model()->provenance;
    const std::string device = report::deviceId(made);
    worker::chooseExactAttention(m_runs, device);
    ULP_TRY(worker::chooseFloorThreads(m_runs, made.threads, device));
    ULP_TRY(worker::checkResumable(*m_results.earlier(), m_results.draft(), m_runs, m_conflicts));
  }
  auto layout = ULP_TRY(layoutOfFiles());
  ULP_TRY(m_results.openForPieces(std::move(layout)));
  m_isOpen = true;
  return copyTokens();
}

/// What every task says alike.
void TaskMerge::describe() {
  report::Report& draft = m_results.draft();
  const report::Provenance begun = draft.provenance;
  draft.provenance = model()->provenance;
  draft.provenance.startedAt = begun.startedAt;
  draft.provenance.seconds = begun.seconds;
  draft.model = model()->model;
  draft.studyYaml = model()->studyYaml;
  draft.effectiveJson = model()->effectiveJson;
}

/// "cuda:0,cuda:1 (NVIDIA H200)" of tasks that named their devices.
std::string TaskMerge::devices() const {
  std::vector<std::string> ids;
  for (const TaskResults& each : m_tasks) {
    if (!each.report || each.report->provenance.weightsDigest.empty() ||
        taskOf(each).device.empty()) {
      continue;
    }
    std::string id = report::deviceId(each.report->provenance);
    if (std::ranges::find(ids, id) == ids.end()) {
      ids.push_back(std::move(id));
    }
  }
  std::ranges::sort(ids);
  const std::string& one = model()->provenance.device;
  const std::size_t name = std::min(one.find(' '), one.size());
  return ids.empty() ? one : fmt::format("{}{}", fmt::join(ids, ","), one.substr(name));
}

Result<worker::StudyResults::Layout> TaskMerge::layoutOfFiles() const {
  worker::StudyResults::Layout layout;
  layout.length = static_cast<std::int64_t>(model()->provenance.sequenceLength);
  if (model()->provenance.samples > 1) {
    const auto rows = ULP_TRY(tensors::readSampleRows(m_tasks[m_model].folder));
    layout.rows = worker::SampleRows(listOf(rows, [](const tensors::SampleRow& row) {
      return Site{.name = row.name, .module = {}, .layer = -1, .pass = row.pass};
    }));
  }
  return layout;
}

Result<> TaskMerge::copyTokens() const {
  std::error_code ignored;
  const fs::path from = m_tasks[m_model].folder / report::kTokenTextFile;
  if (!fs::exists(from, ignored)) {
    return {};
  }
  const std::string text = ULP_TRY(readTextFile(from));
  return writeFileAtomically(m_results.folder() / report::kTokenTextFile, text);
}

/// The task that makes a run on a sample, one that has done so before others; for the reference the
/// one that keeps its tensors.
const TaskMerge::TaskResults* TaskMerge::findTask(std::string_view run,
                                                  std::uint64_t sample) const {
  const TaskResults* found = nullptr;
  for (const TaskResults& each : m_tasks) {
    const Task& task = taskOf(each);
    const bool makes =
        isReference(run) ? task.keepsReference : std::ranges::count(task.runs, run) > 0;
    if (!makes || sample < task.firstSample || sample >= task.end()) {
      continue;
    }
    if (has(each, run, sample)) {
      return &each;
    }
    found = &each;
  }
  return found;
}

Result<> TaskMerge::add() {
  if (!m_hasModel || m_isRefused) {
    return {};
  }
  if (!m_isOpen) {
    m_isRefused = true;
    ULP_TRY(open());
    m_isRefused = false;
  }
  m_results.draft().provenance.device = devices();
  for (report::Run& record : m_results.draft().runs) {
    for (const TaskResults& each : m_tasks) {
      if (const report::Run* known = each.report ? each.report->findRun(record.name) : nullptr) {
        record.overrides = known->overrides;
      }
    }
  }
  std::uint64_t first = m_results.endSample();
  for (const report::Run& record : m_results.draft().runs) {
    first = worker::isOpen(record) ? std::min(first, record.samples) : first;
  }
  for (std::uint64_t sample = first; sample < m_results.endSample(); ++sample) {
    for (report::Run& record : m_results.draft().runs) {
      ULP_TRY(add(record, sample));
    }
  }
  return {};
}

/// Adds what a run gave on a sample unless one before it is missing.
Result<> TaskMerge::add(report::Run& record, std::uint64_t sample) {
  if (record.samples != sample || !worker::isOpen(record)) {
    return {};
  }
  const TaskResults* results = findTask(record.name, sample);
  if (results == nullptr || !has(*results, record.name, sample)) {
    return {};
  }
  auto piece = ULP_TRY(worker::readPiece(results->folder, *results->report, record.name, sample));
  if (isReference(record.name)) {
    m_keepers[sample] = results->number;
    m_checked.emplace(results->number, sample);
    ULP_TRY(
        m_results.take(record, sample, std::move(piece), tokensOf(*results, record.name, sample)));
    for (const TaskResults& each : m_tasks) {
      ULP_TRY(checkReference(each, sample));
    }
    return {};
  }
  // A worker on another device may be ahead of the one that keeps the reference.
  const report::Run* reference = worker::findRun(m_results.draft(), study::kReferenceName);
  if (m_options.areOnDevices && reference->samples <= sample) {
    return {};
  }
  ULP_TRY(checkReference(*results, sample));
  return m_results.take(record, sample, std::move(piece), tokensOf(*results, record.name, sample));
}

/// Every task that ran the reference on a sample got the same.
Result<> TaskMerge::checkReference(const TaskResults& task, std::uint64_t sample) {
  const std::string name(study::kReferenceName);
  const report::Run* reference = worker::findRun(m_results.draft(), name);
  if (reference->samples <= sample || !has(task, name, sample) ||
      !m_checked.emplace(task.number, sample).second) {
    return {};
  }
  const std::size_t keeper = m_keepers[sample];
  const auto other = ULP_TRY(worker::readPiece(task.folder, *task.report, name, sample));
  ULP_TRY(report::checkSameCode(*reference, other.run));
  const auto others = tokensOf(task, name, sample);
  const double loss = ULP_TRY(m_results.referenceLoss(sample));
  const bool isEarlier = keeper == kEarlier;
  const auto tokens = isEarlier ? others : tokensOf(m_tasks[keeper], name, sample);
  const bool isSameLoss = worker::isSameNumber(other.run.loss, loss);
  if (isSameLoss &&
      std::ranges::equal(others.logProbabilities, tokens.logProbabilities, worker::isSameNumber)) {
    return {};
  }
  if (isSameLoss && (others.logProbabilities.empty() || tokens.logProbabilities.empty())) {
    const TaskResults& lacks = others.logProbabilities.empty() ? task : m_tasks[keeper];
    return fail(ErrorCode::NotFound,
                fmt::format("{}: has no log-probabilities of sample {}; remove the folder and make "
                            "task {} again",
                            (lacks.folder / report::kLogProbabilityFile).string(),
                            sample,
                            lacks.number));
  }
  if (m_options.areOnDevices) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: the reference's loss on sample {} is {}, {} it is {}: the devices "
                            "compute otherwise; name devices that are alike",
                            taskOf(task).device,
                            sample,
                            formatExact(other.run.loss),
                            isEarlier ? "in the session that is resumed"
                                      : "on " + taskOf(m_tasks[keeper]).device,
                            formatExact(loss)));
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("task {}: the reference's loss on sample {} is {}, in task {} it is "
                          "{}: a file that the study reads was changed meanwhile, or the node "
                          "computes otherwise; submit the study to another folder, for the latter "
                          "with nodes that are alike (--sbatch=--constraint=…) or a shared "
                          "reference (--share-reference)",
                          task.number,
                          sample,
                          formatExact(other.run.loss),
                          keeper,
                          formatExact(loss)));
}

/// How a run ended in the task that makes its next sample; null: it did not, or with all samples.
const report::Run* TaskMerge::endOf(const report::Run& record) const {
  const TaskResults* results = findTask(record.name, record.samples);
  const report::Run* known =
      results != nullptr && results->report ? results->report->findRun(record.name) : nullptr;
  const bool isEnd =
      known != nullptr && !worker::isOpen(*known) && known->status != RunStatus::Finished;
  return isEnd ? known : nullptr;
}

Result<> TaskMerge::publishEnds() {
  if (!m_isOpen) {
    return {};
  }
  for (report::Run& record : m_results.draft().runs) {
    if (m_failed.erase(record.name) > 0) {
      ULP_TRY(m_results.publish(record, false));
    }
    if (!worker::isOpen(record)) {
      continue;
    }
    // What is read may be ahead of what was told: no run ends before it has begun.
    const bool hasBegun = record.status == RunStatus::Running;
    if (record.samples == m_results.endSample()) {
      if (hasBegun) {
        becomeFinished(record);
        ULP_TRY(linkTensors(record));
        ULP_TRY(indexTensors());
        ULP_TRY(m_results.publish(record, true));
      }
      continue;
    }
    const report::Run* end = endOf(record);
    if (end != nullptr && (hasBegun || end->status == RunStatus::Skipped)) {
      takeEnd(record, *end);
      ULP_TRY(m_results.publish(record, false));
    }
  }
  return {};
}

Result<> TaskMerge::finish() {
  for (report::Run& record : m_results.draft().runs) {
    if (m_isOpen) {
      ULP_TRY(linkTensors(record));
    }
    if (!worker::isOpen(record)) {
      continue;
    }
    if (record.samples == m_results.endSample()) {
      becomeFinished(record);
      continue;
    }
    if (const report::Run* end = endOf(record)) {
      takeEnd(record, *end);
      continue;
    }
    const TaskResults* results = findTask(record.name, record.samples);
    if (results == nullptr || m_options.areOnDevices) {
      continue;
    }
    const std::string why = m_options.note ? m_options.note(results->number) : std::string();
    record.status = why.empty() ? RunStatus::Pending : RunStatus::Failed;
    record.error = fmt::format(
        "{}: task {}, samples {} to {}, {}; ulpscope-cli submit {} --again "
        "runs what is missing",
        record.name,
        results->number,
        taskOf(*results).firstSample,
        taskOf(*results).end() - 1,
        why.empty() ? "is not done" : why,
        shellWord(m_run.folder.string()));
  }
  return m_isOpen ? indexTensors() : Result<>();
}

/// The tensors of the first sample.
Result<> TaskMerge::linkTensors(const report::Run& record) const {
  const TaskResults* results = m_keepsTensors ? findTask(record.name, 0) : nullptr;
  if (results == nullptr) {
    return {};
  }
  const std::string name = tensors::runFileName(record.name);
  const fs::path from = results->folder / tensors::kRunFolder / name;
  std::error_code ignored;
  if (!fs::exists(from, ignored)) {
    if (!m_options.areOnDevices && has(*results, record.name, 0)) {
      m_sink.message(
          "warning",
          fmt::format(
              "{}: is gone: the merged report has no tensors of {}", from.string(), record.name));
    }
    return {};
  }
  const fs::path target = m_results.folder() / tensors::kRunFolder;
  ULP_TRY(makeFolders(target));
  ULP_TRY(linkOrCopy(from, target / name));
  return syncFolder(target);
}

Result<> TaskMerge::indexTensors() const {
  if (!m_keepsTensors) {
    return {};
  }
  ULP_TRY(makeFolders(m_results.folder() / tensors::kRunFolder));
  return tensors::CaptureWriter::create(m_results.folder()).map([](const auto& /*index*/) {});
}

}  // namespace ulp::cluster
