#include "core/analysis/findings/findings_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "core/analysis/findings/finding_rule.h"
#include "core/base/text/elided.h"

namespace ulp::analysis {
namespace {

using report::Finding;

constexpr std::size_t kRuns = 6;

bool isSelected(const Finding& finding, const report::ExportSelection& selection) {
  const bool isOfRun =
      finding.runs.empty() || std::ranges::any_of(selection.runs, [&](const report::Run* run) {
        return finding.isAbout(run->name);
      });
  return isOfRun && (finding.sites.empty() || selection.hasPass(finding.sites.front().pass));
}

/// Names the runs, unless it is about all of several.
std::string runsText(const Finding& finding, const report::ExportSelection& selection) {
  const std::size_t count = selection.variants.size();
  const bool isOfAll = std::ranges::all_of(
      selection.variants, [&](const report::Run* run) { return finding.isAbout(run->name); });
  if (isOfAll && (count > 1 || finding.runs.empty())) {
    return count > 1 ? fmt::format("all {}", count) : "all";
  }
  return firstNames(finding.runs, kRuns);
}

}  // namespace

Result<report::TextTable> findingsTable(const report::Report& report,
                                        std::span<const Finding> findings,
                                        const report::ExportOptions& options) {
  const auto selection = ULP_TRY(report::selectForExport(report, options));
  const FindingRuleRegistry rules = builtinFindingRules();
  std::vector<const Finding*> shown;
  for (const Finding& finding : findings) {
    if (isSelected(finding, selection)) {
      shown.push_back(&finding);
    }
  }
  std::ranges::stable_sort(shown, std::ranges::greater(), &Finding::severity);
  report::TextTable table{
      "Findings",
      {{"severity"}, {"rule"}, {"where"}, {report.dumps ? "units" : "variants"}, {"finding"}},
      {}};
  for (const Finding* finding : shown) {
    table.rows.push_back({std::string(toString(finding->severity)),
                          ruleTitle(finding->rule, rules),
                          finding->sites.empty() ? "whole run" : placeText(finding->sites.front()),
                          runsText(*finding, selection),
                          finding->title.text()});
  }
  return table;
}

}  // namespace ulp::analysis
