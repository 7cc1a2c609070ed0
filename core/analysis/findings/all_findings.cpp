#include "core/analysis/findings/all_findings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ulp::analysis {
namespace {

/// Puts a finding of source `source` into the words of the joined report.
Result<report::Finding> inJoined(report::Finding finding,
                                 std::size_t source,
                                 const JoinedReports& joined,
                                 const SiteMapping& mapping) {
  for (std::string& name : finding.runs) {
    for (std::size_t run = 0; run < joined.origins.size(); ++run) {
      if (joined.origins[run].source == source && joined.origins[run].run == name) {
        name = joined.report->runs[run].name;
        break;
      }
    }
  }
  if (!mapping.isEmpty()) {
    for (Site& site : finding.sites) {
      site.name = ULP_TRY(mapping.map(site.name));
    }
  }
  return finding;
}

}  // namespace

Result<std::vector<report::Finding>> storedFindings(const report::Report& report,
                                                    const FindingRuleRegistry& rules) {
  auto findings = ULP_TRY(report::readFindings(report));
  std::erase_if(findings, [&](const report::Finding& finding) {
    return rules.find(finding.rule) != nullptr;
  });
  return findings;
}

Result<std::vector<report::Finding>> storedFindings(const JoinedReports& joined,
                                                    std::span<const ReportSource> sources,
                                                    const FindingRuleRegistry& rules) {
  std::vector<report::Finding> all;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto own = storedFindings(*sources[i].loaded.report, rules);
    if (!own) {
      return failWhile(sources[i].loaded.file.string(), std::move(own));
    }
    for (report::Finding& finding : *own) {
      auto renamed = ULP_TRY(inJoined(std::move(finding), i, joined, sources[i].mapping));
      all.push_back(std::move(renamed));
    }
  }
  return all;
}

Result<std::vector<report::Finding>> allFindings(const report::Report& report) {
  const FindingRuleRegistry rules = builtinFindingRules();
  auto findings = ULP_TRY(storedFindings(report, rules));
  std::ranges::move(findFindings(report, rules), std::back_inserter(findings));
  return findings;
}

void eraseFindingsOfOthers(std::vector<report::Finding>& findings,
                           const std::function<bool(const std::string& run)>& isShown) {
  std::erase_if(findings, [&](const report::Finding& finding) {
    return !finding.runs.empty() && std::ranges::none_of(finding.runs, isShown);
  });
}

}  // namespace ulp::analysis
