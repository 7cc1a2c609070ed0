#include "runner/cluster/merge_tasks.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/report/model/log_probabilities.h"
#include "core/report/model/token_texts.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/sample_reader.h"
#include "runner/worker/capture/sample_rows.h"
#include "runner/worker/events/event_sink.h"
#include "runner/worker/parts/sample_pieces.h"
#include "runner/worker/session/report_draft.h"
#include "runner/worker/session/run_plan.h"
#include "runner/worker/session/study_results.h"

namespace ulp::cluster {
namespace {

namespace fs = std::filesystem;
using report::RunStatus;

/// What a task has left so far.
struct TaskResults {
  std::size_t number = 0;
  const Task* task = nullptr;
  fs::path folder;
  report::ReportPtr report;
  std::vector<report::LogProbabilities> logProbabilities;

  [[nodiscard]] bool has(std::string_view run, std::uint64_t sample) const {
    const report::Run* record = report ? report->findRun(run) : nullptr;
    return record != nullptr && sample - task->firstSample < record->samples;
  }
};

/// The numbers of its tokens that a run gave on a sample.
engine::TokenOutcome tokensOf(const TaskResults& results,
                              const std::string& run,
                              std::uint64_t sample) {
  const auto found =
      std::ranges::find(results.logProbabilities, run, &report::LogProbabilities::name);
  engine::TokenOutcome tokens;
  if (found == results.logProbabilities.end()) {
    return tokens;
  }
  const report::Provenance& made = results.report->provenance;
  const std::size_t size = made.sequences / std::max<std::uint64_t>(made.samples, 1) *
                           static_cast<std::size_t>(found->length);
  const std::size_t begin = (sample - results.task->firstSample) * size;
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

Result<TaskResults> readResults(const ClusterRun& run, std::size_t number) {
  TaskResults results{.number = number,
                      .task = &run.tasks[number],
                      .folder = run.taskFolder(number),
                      .report = nullptr,
                      .logProbabilities = {}};
  std::error_code ignored;
  if (!fs::exists(results.folder / "precision_report.json", ignored)) {
    return results;
  }
  const auto loaded = ULP_TRY(report::loadReport(results.folder));
  results.report = loaded.report;
  if (fs::exists(results.folder / report::kLogProbabilityFile, ignored)) {
    results.logProbabilities = ULP_TRY(report::readLogProbabilities(results.folder));
  }
  return results;
}

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

class Merge {
 public:
  Merge(const ClusterRun& run,
        const MergeOptions& options,
        const std::function<void(const worker::Event&)>& emit)
      : m_run(run),
        m_options(options),
        m_sink(emit),
        m_workerOptions{.outputDir = run.folder,
                        .existing = worker::ExistingResults::Overwrite,
                        .conclude = options.conclude},
        m_results(m_workerOptions, m_sink) {}

  Result<report::ReportPtr> run() {
    Result<> done = work();
    m_results.tellEnd(done, {.conflicts = m_conflicts, .leavesRuns = false});
    ULP_TRY(std::move(done));
    return std::make_shared<const report::Report>(std::move(m_results.draft()));
  }

 private:
  Result<> work() {
    const study::Study study = ULP_TRY(m_run.study());
    ULP_TRY(readTasks());
    auto runs = ULP_TRY(plannedRuns(study));
    ULP_TRY(m_results.begin(study, runs));
    describe();
    auto layout = ULP_TRY(layoutOfFiles());
    ULP_TRY(m_results.openForPieces(std::move(layout)));
    ULP_TRY(copyTokens());
    for (std::uint64_t sample = 0; sample < m_results.endSample(); ++sample) {
      for (report::Run& record : m_results.draft().runs) {
        ULP_TRY(add(record, sample));
      }
    }
    finish();
    ULP_TRY(linkTensors(study));
    return m_results.publishAll();
  }

  Result<> readTasks() {
    for (std::size_t number = 0; number < m_run.tasks.size(); ++number) {
      auto results = ULP_TRY(readResults(m_run, number));
      m_tasks.push_back(std::move(results));
    }
    // A task that could not open the model knows nothing of it.
    const auto model = std::ranges::find_if(m_tasks, [](const TaskResults& each) {
      return each.report && !each.report->provenance.weightsDigest.empty();
    });
    if (model == m_tasks.end()) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: no task has given anything yet; ulpscope-cli submit {} --status "
                              "says how they stand",
                              m_run.folder.string(),
                              m_run.folder.string()));
    }
    m_model = &*model;
    return checkAlike();
  }

  Result<> checkAlike() {
    for (const TaskResults& each : m_tasks) {
      if (!each.report || each.report->provenance.weightsDigest.empty()) {
        continue;
      }
      auto differences = worker::differencesOfPlaces(*m_model->report, *each.report);
      if (each.report->effectiveJson != m_model->report->effectiveJson) {
        differences.emplace_back("the settings of its runs are others");
      }
      for (const std::string& difference : differences) {
        m_conflicts.push_back(
            fmt::format("task {} against task {}: {}", each.number, m_model->number, difference));
      }
    }
    if (m_conflicts.empty()) {
      return {};
    }
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: tasks computed otherwise than others: {}; ask sbatch for nodes "
                            "that are alike (--sbatch=--constraint=…) and for the same threads "
                            "(--threads), and submit the study to another folder",
                            m_run.folder.string(),
                            fmt::join(m_conflicts, "; ")));
  }

  /// Those of the device on which the tasks ran.
  Result<std::vector<worker::PlannedRun>> plannedRuns(const study::Study& study) {
    const std::string& device = m_model->report->provenance.device;
    return worker::planRuns(study, m_run.variants, device.substr(0, device.find(' ')));
  }

  /// What every task says alike.
  void describe() {
    report::Report& draft = m_results.draft();
    const report::Report& model = *m_model->report;
    const std::string now = draft.provenance.startedAt;
    draft.provenance = model.provenance;
    draft.provenance.startedAt = now;
    draft.model = model.model;
    draft.studyYaml = model.studyYaml;
    draft.effectiveJson = model.effectiveJson;
    for (const TaskResults& each : m_tasks) {
      if (each.report) {
        draft.provenance.startedAt =
            std::min(draft.provenance.startedAt, each.report->provenance.startedAt);
        m_results.addSeconds(each.report->provenance.seconds);
      }
    }
    for (report::Run& record : draft.runs) {
      for (const TaskResults& each : m_tasks) {
        if (const report::Run* known = each.report ? each.report->findRun(record.name) : nullptr) {
          record.overrides = known->overrides;
        }
      }
    }
  }

  Result<worker::StudyResults::Layout> layoutOfFiles() {
    worker::StudyResults::Layout layout;
    layout.length = static_cast<std::int64_t>(m_model->report->provenance.sequenceLength);
    if (m_model->report->provenance.samples > 1) {
      const auto rows = ULP_TRY(tensors::readSampleRows(m_model->folder));
      layout.rows = worker::SampleRows(listOf(rows, [](const tensors::SampleRow& row) {
        return Site{.name = row.name, .module = {}, .layer = -1, .pass = row.pass};
      }));
    }
    return layout;
  }

  Result<> copyTokens() const {
    std::error_code ignored;
    const fs::path from = m_model->folder / report::kTokenTextFile;
    if (!fs::exists(from, ignored)) {
      return {};
    }
    const std::string text = ULP_TRY(readTextFile(from));
    return writeFileAtomically(m_run.folder / report::kTokenTextFile, text);
  }

  /// The task that makes a run on a sample; for the reference the one that keeps it.
  const TaskResults* taskOf(std::string_view run, std::uint64_t sample) const {
    const bool isReference = run == study::kReferenceName;
    const auto found = std::ranges::find_if(m_tasks, [&](const TaskResults& each) {
      const Task& task = *each.task;
      return (isReference ? task.keepsReference : task.run == run) && sample >= task.firstSample &&
             sample < task.end();
    });
    return found == m_tasks.end() ? nullptr : &*found;
  }

  /// Adds what a run gave on a sample unless one before it is missing.
  Result<> add(report::Run& record, std::uint64_t sample) {
    const TaskResults* results = taskOf(record.name, sample);
    if (record.samples != sample || results == nullptr || !results->has(record.name, sample)) {
      return {};
    }
    auto piece = ULP_TRY(worker::readPiece(results->folder, record.name, sample));
    if (record.name == study::kReferenceName) {
      ULP_TRY(checkReference(*results, piece.run.loss, sample));
    }
    return m_results.take(
        record, sample, std::move(piece), tokensOf(*results, record.name, sample));
  }

  /// Every task that ran the reference on a sample got the same.
  Result<> checkReference(const TaskResults& kept, double loss, std::uint64_t sample) const {
    const engine::TokenOutcome tokens = tokensOf(kept, std::string(study::kReferenceName), sample);
    for (const TaskResults& each : m_tasks) {
      const bool isOfSample = sample >= each.task->firstSample && sample < each.task->end();
      if (&each == &kept || !isOfSample || !each.has(study::kReferenceName, sample)) {
        continue;
      }
      const auto other = ULP_TRY(worker::readPiece(each.folder, study::kReferenceName, sample));
      const auto others = tokensOf(each, std::string(study::kReferenceName), sample);
      if (worker::isSameNumber(other.run.loss, loss) &&
          std::ranges::equal(
              others.logProbabilities, tokens.logProbabilities, worker::isSameNumber)) {
        continue;
      }
      return fail(
          ErrorCode::InvalidArgument,
          fmt::format("task {}: the reference's loss on sample {} is {}, in task {} it is "
                      "{}: the node computes otherwise; ask sbatch for nodes that are alike "
                      "(--sbatch=--constraint=…), or share the reference "
                      "(--share-reference), and submit the study to another folder",
                      each.number,
                      sample,
                      formatExact(other.run.loss),
                      kept.number,
                      formatExact(loss)));
    }
    return {};
  }

  /// Says of every run how it ended.
  void finish() {
    for (report::Run& record : m_results.draft().runs) {
      if (record.samples == m_results.endSample()) {
        record.status = RunStatus::Finished;
        record.error.clear();
      } else {
        takeEnd(record);
      }
    }
  }

  void takeEnd(report::Run& record) const {
    const TaskResults* results = taskOf(record.name, record.samples);
    const report::Run* known =
        results != nullptr && results->report ? results->report->findRun(record.name) : nullptr;
    if (known != nullptr && !worker::isOpen(*known)) {
      record.status = known->status;
      record.error = known->error;
      if (record.samples == 0) {
        record.comparisons = known->comparisons;
      }
      return;
    }
    if (results == nullptr) {
      return;
    }
    const std::string why = m_options.note ? m_options.note(results->number) : std::string();
    record.status = why.empty() ? RunStatus::Pending : RunStatus::Failed;
    record.error = fmt::format(
        "{}: task {}, samples {} to {}, {}; ulpscope-cli submit {} --again "
        "runs what is missing",
        record.name,
        results->number,
        results->task->firstSample,
        results->task->end() - 1,
        why.empty() ? "is not done" : why,
        m_run.folder.string());
  }

  /// The tensors of the first sample.
  Result<> linkTensors(const study::Study& study) {
    if (study.captureTensors == study::TensorStorage::None) {
      return {};
    }
    const fs::path target = m_run.folder / tensors::kRunFolder;
    ULP_TRY(makeFolders(target));
    for (const report::Run& record : m_results.draft().runs) {
      const TaskResults* results = taskOf(record.name, 0);
      const std::string name = tensors::runFileName(record.name);
      std::error_code ignored;
      const fs::path from =
          results == nullptr ? fs::path() : results->folder / tensors::kRunFolder / name;
      if (results != nullptr && fs::exists(from, ignored)) {
        ULP_TRY(linkOrCopy(from, target / name));
      }
    }
    ULP_TRY(syncFolder(target));
    return tensors::CaptureWriter::create(m_run.folder).map([](const auto& /*index*/) {});
  }

  const ClusterRun& m_run;
  const MergeOptions& m_options;
  worker::EventSink m_sink;
  worker::RunOptions m_workerOptions;
  worker::StudyResults m_results;
  std::vector<TaskResults> m_tasks;
  const TaskResults* m_model = nullptr;  ///< the first that knows the model
  std::vector<std::string> m_conflicts;
};

}  // namespace

Result<report::ReportPtr> mergeTasks(const ClusterRun& run,
                                     const MergeOptions& options,
                                     const std::function<void(const worker::Event&)>& emit) {
  return Merge(run, options, emit).run();
}

}  // namespace ulp::cluster
