#include "app/cli/sources/run_pair.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <utility>

#include "core/analysis/reports/join_reports.h"
#include "core/analysis/reports/rebase_report.h"
#include "core/base/list_of.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

/// "runs/a#bf16" as path and run; a path that exists is never cut.
struct Address {
  std::string path;
  std::string run;
};

Address addressOf(const std::string& name) {
  const auto hash = name.rfind('#');
  std::error_code ignored;
  if (hash == std::string::npos || fs::exists(name, ignored)) {
    return {name, {}};
  }
  return {name.substr(0, hash), name.substr(hash + 1)};
}

Result<NamedRun> checked(const report::LoadedReport& loaded, const std::string& run) {
  if (loaded.report->findRun(run) == nullptr) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: there is no run '{}'; choose {}",
                            loaded.file.string(),
                            run,
                            fmt::join(listOf(loaded.report->runs, &report::Run::name), ", ")));
  }
  return NamedRun{loaded, run};
}

/// The run that a folder alone means where it stands second.
Result<NamedRun> onlyVariant(const report::LoadedReport& loaded) {
  const std::vector<std::string> names = listOf(loaded.report->runs, &report::Run::name);
  if (names.size() > 2) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: has several runs; name one with '#': {}",
                            loaded.file.string(),
                            fmt::join(names, ", ")));
  }
  return checked(loaded, names.empty() ? std::string() : names.back());
}

Result<NamedRun> secondRun(const NamedRun& first, const std::string& name) {
  const Address address = addressOf(name);
  std::error_code ignored;
  if (address.run.empty() && !fs::exists(address.path, ignored)) {
    return checked(first.loaded, address.path);
  }
  const auto loaded = ULP_TRY(report::loadReport(address.path));
  return address.run.empty() ? onlyVariant(loaded) : checked(loaded, address.run);
}

bool areOfOneStudy(const NamedRun& a, const NamedRun& b) {
  std::error_code ignored;
  return fs::equivalent(a.loaded.file, b.loaded.file, ignored);
}

std::string labelOf(const NamedRun& run, bool isOfOneStudy) {
  return isOfOneStudy ? run.run : fmt::format("{}#{}", run.loaded.folder.string(), run.run);
}

/// A report of the two runs alone, under their labels.
analysis::JoinedReports joined(const RunPair& pair, bool isOfOneStudy) {
  auto both = std::make_shared<report::Report>(*pair.baseline.loaded.report);
  both->runs.clear();
  analysis::JoinedReports result;
  const std::array<std::pair<const NamedRun*, std::string>, 2> runs{
      {{&pair.baseline, pair.baselineLabel}, {&pair.candidate, pair.candidateLabel}}};
  for (const auto& [named, label] : runs) {
    report::Run run = analysis::withoutComparisons(*named->loaded.report->findRun(named->run));
    run.name = label;
    both->runs.push_back(std::move(run));
    const bool isSecond = named == &pair.candidate && !isOfOneStudy;
    result.origins.push_back({isSecond ? std::size_t{1} : std::size_t{0}, named->run});
  }
  both->reference = pair.baselineLabel;
  result.report = std::move(both);
  result.ownNames.resize(isOfOneStudy ? 1 : 2);
  result.sharesReference.assign(result.ownNames.size(), true);
  return result;
}

/// From what both runs kept.
Result<RunPair> compared(RunPair pair, bool isOfOneStudy) {
  std::vector<analysis::ReportSource> sources{{pair.baseline.loaded, {}}};
  if (!isOfOneStudy) {
    sources.push_back({pair.candidate.loaded, {}});
  }
  const analysis::JoinedReports both = joined(pair, isOfOneStudy);
  auto rebased = analysis::rebaseReport(both, sources, pair.baselineLabel);
  if (rebased && rebased->compared > 0) {
    pair.report = std::make_shared<const report::Report>(std::move(rebased->report));
    pair.rows = pair.report->findRun(pair.candidateLabel);
    pair.unmatched = rebased->unmatched;
    pair.problems = std::move(rebased->problems);
    return pair;
  }
  if (!rebased && rebased.error().code() != ErrorCode::NotFound) {
    return tl::unexpected<Error>(std::move(rebased.error()));
  }
  return fail(ErrorCode::NotFound,
              fmt::format("'{}' and '{}': neither was the reference of the other, and there are no "
                          "tensors that both kept; run the study again with capture.tensors: full, "
                          "or with one of them as its `reference:`",
                          pair.baselineLabel,
                          pair.candidateLabel));
}

}  // namespace

bool namesRun(const std::string& name) {
  return !addressOf(name).run.empty();
}

Result<RunPair> openRunPair(const std::string& first, const std::string& second) {
  const Address address = addressOf(first);
  const auto loaded = ULP_TRY(report::loadReport(address.path));
  const std::string& reference = loaded.report->reference;
  auto baseline =
      ULP_TRY(checked(loaded, address.run.empty() || second.empty() ? reference : address.run));
  auto candidate = ULP_TRY(!second.empty()       ? secondRun(baseline, second)
                           : address.run.empty() ? onlyVariant(loaded)
                                                 : checked(loaded, address.run));
  const bool isOfOneStudy = areOfOneStudy(baseline, candidate);
  if (isOfOneStudy && baseline.run == candidate.run) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}' cannot be compared with itself; name another run", baseline.run));
  }
  // The report has comparisons with the reference alone.
  if (isOfOneStudy && candidate.run == reference) {
    std::swap(baseline, candidate);
  }
  RunPair pair{.baseline = baseline,
               .candidate = candidate,
               .baselineLabel = labelOf(baseline, isOfOneStudy),
               .candidateLabel = labelOf(candidate, isOfOneStudy)};
  if (isOfOneStudy && baseline.run == reference) {
    pair.report = candidate.loaded.report;
    pair.rows = pair.report->findRun(candidate.run);
    return pair;
  }
  return compared(std::move(pair), isOfOneStudy);
}

}  // namespace ulp::cli
