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
#include "core/report/summary/provenance_line.h"
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

void use(CauseStudy& study, const fs::path& folder, Holding holding) {
  const bool isReplaced = study.settings.results == CauseResults::Replace;
  study.folder = folder;
  study.isTaken = holding == Holding::OtherThings && !isReplaced;
  study.isDone = holding == Holding::AllOfIt && !isReplaced;
  study.existing = holding == Holding::Nothing ? worker::ExistingResults::Refuse
                   : isReplaced                ? worker::ExistingResults::Overwrite
                                               : worker::ExistingResults::Resume;
}

Result<> chooseFolder(CauseStudy& study) {
  const CauseSettings& settings = study.settings;
  std::error_code ignored;
  const fs::path base = settings.folder.isEmpty()
                            ? analysis::proofFolder(study.pair.candidate)
                            : fs::absolute(settings.folder.toStdString(), ignored);
  if (settings.results == CauseResults::NewFolder) {
    use(study, freeFolder(base), Holding::Nothing);
    return {};
  }
  if (!settings.folder.isEmpty()) {
    use(study, base, holdingOf(base, study.plan));
    return {};
  }
  for (int number = 1; number <= kMostFolders; ++number) {
    fs::path folder = base;
    if (number > 1) {
      folder += fmt::format("-{}", number);
    }
    const Holding holding = holdingOf(folder, study.plan);
    if (holding != Holding::OtherThings) {
      use(study, folder, holding);
      return {};
    }
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: a thousand folders of this name hold other things; remove some",
                          base.string()));
}

}  // namespace

CauseSettings usualSettings(const OpenReports& open, const CauseQuestion& question) {
  const auto candidate =
      analysis::namedRun(open.joined, open.sources, question.candidate.toStdString());
  if (!candidate) {
    return {};
  }
  const report::Provenance& made = candidate->loaded.report->provenance;
  return {.folder = QString::fromStdString(analysis::proofFolder(*candidate).string()),
          .device = QString::fromStdString(report::deviceId(made)),
          .threads = made.threads};
}

Result<CauseStudy> planCause(const OpenReports& open,
                             const CauseQuestion& question,
                             const CauseSettings& settings,
                             const std::stop_token& stop) {
  CauseStudy study{.pair = ULP_TRY(analysis::pairRuns(open.joined,
                                                      open.sources,
                                                      question.baseline.toStdString(),
                                                      question.candidate.toStdString(),
                                                      {.stop = stop})),
                   .settings = settings};
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
  ULP_TRY(chooseFolder(study));
  study.plan = ULP_TRY(analysis::planProof(study.pair, study.first, study.folder));
  study.yaml = study.plan.yaml;
  std::vector<std::string> sets;
  for (const QString& set : settings.sets) {
    sets.push_back(set.toStdString());
  }
  // The worker would say the same, but much later.
  ULP_TRY(study::parseStudy(study.yaml, "counterfactual study", sets));
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
  const CauseSettings& wanted = study.settings;
  // Another device or number of threads would make other numbers.
  queue::JobRequest request{.studyFile = study.folder / kStudy,
                            .outputDir = study.folder,
                            .sets = wanted.sets,
                            .device = wanted.device.isEmpty()
                                          ? QString::fromStdString(report::deviceId(made))
                                          : wanted.device,
                            .threads = wanted.threads == 0 ? made.threads : wanted.threads,
                            .existing = study.existing};
  request.isProof = true;
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
