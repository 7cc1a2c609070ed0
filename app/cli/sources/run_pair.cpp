#include "app/cli/sources/run_pair.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/reports/join_reports.h"
#include "core/base/list_of.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using analysis::NamedRun;

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

std::string labelOf(const NamedRun& run) {
  return fmt::format("{}#{}", run.loaded.folder.string(), run.run);
}

/// The two runs of two studies under names that say whose they are.
analysis::JoinedReports joined(const NamedRun& first, const NamedRun& second) {
  auto both = std::make_shared<report::Report>(*first.loaded.report);
  both->runs.clear();
  analysis::JoinedReports result;
  for (const NamedRun* named : {&first, &second}) {
    report::Run run = analysis::withoutComparisons(*named->loaded.report->findRun(named->run));
    run.name = labelOf(*named);
    run.reference = labelOf({named->loaded, named->loaded.report->reference});
    both->runs.push_back(std::move(run));
    result.origins.push_back({result.origins.size(), named->run});
  }
  both->reference = labelOf(first);
  result.report = std::move(both);
  result.ownNames.resize(2);
  result.sharesReference.assign(2, true);
  return result;
}

}  // namespace

bool namesRun(const std::string& name) {
  return !addressOf(name).run.empty();
}

Result<analysis::RunPair> openRunPair(const std::string& first, const std::string& second) {
  const Address address = addressOf(first);
  const auto loaded = ULP_TRY(report::loadReport(address.path));
  const std::string& reference = loaded.report->reference;
  const auto baseline =
      ULP_TRY(checked(loaded, address.run.empty() || second.empty() ? reference : address.run));
  const auto candidate = ULP_TRY(!second.empty()       ? secondRun(baseline, second)
                                 : address.run.empty() ? onlyVariant(loaded)
                                                       : checked(loaded, address.run));
  const std::vector<analysis::ReportSource> sources{{baseline.loaded, {}}, {candidate.loaded, {}}};
  if (!areOfOneStudy(baseline, candidate)) {
    return analysis::pairRuns(
        joined(baseline, candidate), sources, labelOf(baseline), labelOf(candidate));
  }
  const auto one = std::span(sources).first(1);
  const auto itself = ULP_TRY(analysis::joinReports(one));
  return analysis::pairRuns(itself, one, baseline.run, candidate.run);
}

}  // namespace ulp::cli
