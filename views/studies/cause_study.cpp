#include "views/studies/cause_study.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/analysis/depth/run_difference.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "core/study/reading/study.h"
#include "views/framework/words/utf8_text.h"
#include "views/studies/repeat_study.h"

namespace ulp::views {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReport = "precision_report.json";
constexpr const char* kJournal = "events.jsonl";
constexpr const char* kStudy = "study.yaml";
/// Folders of one name that are looked at.
constexpr int kMostFolders = 1000;

/// Where paths of the study may lead from: its own folder, and those above its results.
std::vector<fs::path> startsOfPaths(const analysis::NamedRun& run) {
  std::vector<fs::path> folders;
  const fs::path study = originOfCopy(run.loaded.report->studyYaml);
  if (!study.empty()) {
    folders.push_back(study.parent_path());
  }
  std::error_code ignored;
  for (fs::path folder = fs::absolute(run.loaded.folder, ignored); folder.has_relative_path();
       folder = folder.parent_path()) {
    folders.push_back(folder);
  }
  return folders;
}

bool areAllFinished(const report::Report& report) {
  return std::ranges::all_of(report.runs, [](const report::Run& run) {
    return run.status == report::RunStatus::Finished;
  });
}

enum class Holding : std::uint8_t { Nothing, OtherThings, PartOfIt, AllOfIt };

/// What a folder holds of the planned study.
Holding holdingOf(const fs::path& folder, const analysis::CounterfactualStudy& plan) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) {
    return Holding::Nothing;
  }
  if (fs::exists(folder / kReport, ignored)) {
    const auto loaded = report::loadReport(folder);
    if (!loaded || !analysis::isOfPlan(loaded->report->studyYaml, plan)) {
      return Holding::OtherThings;
    }
    return areAllFinished(*loaded->report) ? Holding::AllOfIt : Holding::PartOfIt;
  }
  const auto study = readTextFile(folder / kStudy);
  if (!study) {
    return fs::is_empty(folder, ignored) ? Holding::Nothing : Holding::OtherThings;
  }
  if (!analysis::isOfPlan(*study, plan)) {
    return Holding::OtherThings;
  }
  return fs::exists(folder / kJournal, ignored) ? Holding::PartOfIt : Holding::Nothing;
}

Result<> chooseFolder(CauseStudy& study, const CauseOptions& options) {
  const fs::path base = analysis::proofFolder(study.pair.candidate);
  for (int number = 1; number <= kMostFolders; ++number) {
    study.folder = base;
    if (number > 1) {
      study.folder += fmt::format("-{}", number);
    }
    const Holding holding = holdingOf(study.folder, study.plan);
    if (holding == Holding::OtherThings) {
      continue;
    }
    study.isDone = holding == Holding::AllOfIt && !options.startsAnew;
    study.existing = holding == Holding::Nothing ? worker::ExistingResults::Refuse
                     : options.startsAnew        ? worker::ExistingResults::Overwrite
                                                 : worker::ExistingResults::Resume;
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: a thousand folders of this name hold other things; remove some",
                          base.string()));
}

}  // namespace

Result<CauseStudy> planCause(const OpenReports& open,
                             const CauseQuestion& question,
                             const CauseOptions& options) {
  CauseStudy study{.pair = ULP_TRY(analysis::pairRuns(open.joined,
                                                      open.sources,
                                                      question.baseline.toStdString(),
                                                      question.candidate.toStdString(),
                                                      {.stop = options.stop}))};
  const auto divergence = ULP_TRY(analysis::exactDivergence(*study.pair.report, *study.pair.rows));
  if (!divergence.first) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} and {} are equal: every compared element of {} tensors",
                            study.pair.candidateLabel,
                            study.pair.baselineLabel,
                            divergence.tensors()));
  }
  study.first = study.pair.rows->comparisons[*divergence.first].site;
  study.plan = ULP_TRY(analysis::planProof(study.pair, study.first, "runs/cause"));
  ULP_TRY(chooseFolder(study, options));
  study.plan = ULP_TRY(analysis::planProof(study.pair, study.first, study.folder));
  study.yaml = ULP_TRY(
      withFoundPaths(study.plan.yaml, "counterfactual study", startsOfPaths(study.pair.candidate)));
  return study;
}

bool mayBeAnswered(const OpenReports& open, const CauseQuestion& question) {
  const auto baseline =
      analysis::namedRun(open.joined, open.sources, question.baseline.toStdString());
  const auto candidate =
      analysis::namedRun(open.joined, open.sources, question.candidate.toStdString());
  std::error_code ignored;
  const auto hasProof = [&ignored](const analysis::NamedRun& run) {
    return fs::exists(analysis::proofFolder(run), ignored);
  };
  return baseline && candidate && (hasProof(*baseline) || hasProof(*candidate));
}

Result<> writeCauseStudy(const CauseStudy& study) {
  ULP_TRY(makeFolders(study.folder));
  return writeFileAtomically(study.folder / kStudy, study.yaml);
}

queue::JobRequest causeRequest(const CauseStudy& study) {
  const report::Provenance& made = study.pair.candidate.loaded.report->provenance;
  queue::JobRequest request{.studyFile = study.folder / kStudy,
                            .outputDir = study.folder,
                            .threads = made.threads,
                            .existing = study.existing};
  // "cuda:0 (NVIDIA H100)": another device would make other numbers.
  request.device = QString::fromStdString(made.device.substr(0, made.device.find(' ')));
  request.expectedRuns.push_back({.name = utf8Text(study::kReferenceName)});
  request.expectedRuns.push_back({.name = utf8Text(analysis::kUnchangedRun)});
  for (const analysis::Counterfactual& one : study.plan.counterfactuals) {
    request.expectedRuns.push_back({.name = QString::fromStdString(one.name)});
  }
  return request;
}

Result<CauseAnswerPtr> judgeCause(const CauseStudy& study, const std::stop_token& stop) {
  const auto loaded = ULP_TRY(report::loadReport(study.folder, stop));
  auto answer = std::make_shared<CauseAnswer>();
  answer->proof =
      ULP_TRY(analysis::judgeProof(study.pair, study.plan, *loaded.report, study.first));
  answer->proof.report = loaded.file.string();
  if (const analysis::CounterfactualVerdict* nearest = analysis::nearestTo(answer->proof)) {
    for (const analysis::NamedRun* run : {&study.pair.candidate, &study.pair.baseline}) {
      std::ranges::copy(analysis::settingPlaces(*run, nearest->keys),
                        std::back_inserter(answer->places));
    }
  }
  answer->studyFile =
      QString::fromStdString((study.pair.candidate.loaded.folder / kStudy).string());
  return CauseAnswerPtr(std::move(answer));
}

}  // namespace ulp::views
