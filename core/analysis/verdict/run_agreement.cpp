#include "core/analysis/verdict/run_agreement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {
namespace {

using report::Comparison;
using report::Run;

bool isSameNumber(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Columns of the joined report that two of its sources have.
std::vector<std::size_t> sharedMetrics(const report::Report& joined,
                                       const report::Report& a,
                                       const report::Report& b) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < joined.metrics.size(); ++i) {
    const std::string& id = joined.metrics[i].id;
    if (a.metricIndex(id) >= 0 && b.metricIndex(id) >= 0) {
      columns.push_back(i);
    }
  }
  return columns;
}

bool isSameRow(const Comparison& a, const Comparison& b, const std::vector<std::size_t>& metrics) {
  return a.count == b.count && a.referenceNonFinite == b.referenceNonFinite &&
         a.variantNonFinite == b.variantNonFinite &&
         std::ranges::all_of(metrics, [&](std::size_t column) {
           return isSameNumber(a.metrics.at(column), b.metrics.at(column));
         });
}

RunAgreement compareRun(const Run& run,
                        const Run& partner,
                        const std::vector<std::size_t>& metrics) {
  RunAgreement agreement{.run = run.name, .partner = partner.name};
  agreement.isLossEqual =
      run.hasLoss == partner.hasLoss && (!run.hasLoss || isSameNumber(run.loss, partner.loss));
  std::map<std::pair<std::string_view, Pass>, const Comparison*> others;
  for (const Comparison& row : partner.comparisons) {
    others[{row.site.name, row.site.pass}] = &row;
  }
  agreement.tensors = others.size();
  for (const Comparison& row : run.comparisons) {
    // A mapping may give two rows one name: each row is compared once.
    const auto other = others.extract({row.site.name, row.site.pass});
    agreement.tensors += other.empty() ? 1 : 0;
    if (other.empty() || !isSameRow(row, *other.mapped(), metrics)) {
      ++agreement.different;
      agreement.first = agreement.first ? agreement.first : std::optional(row.site);
    }
  }
  agreement.different += others.size();
  return agreement;
}

}  // namespace

std::vector<RunAgreement> compareRuns(const JoinedReports& joined,
                                      std::span<const ReportSource> sources) {
  std::vector<RunAgreement> agreements;
  const std::vector<Run>& runs = joined.report->runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& [source, name] = joined.origins[i];
    if (source == 0 || runs[i].comparisons.empty() || runs[i].role == report::RunRole::Floor) {
      continue;
    }
    const auto partner = std::ranges::find_if(joined.origins, [&](const RunOrigin& origin) {
      return origin.source == 0 && origin.run == name;
    });
    if (partner == joined.origins.end()) {
      agreements.push_back({.run = runs[i].name});
      continue;
    }
    agreements.push_back(compareRun(
        runs[i],
        runs[static_cast<std::size_t>(partner - joined.origins.begin())],
        sharedMetrics(*joined.report, *sources[0].loaded.report, *sources[source].loaded.report)));
  }
  return agreements;
}

VerdictPart partOf(const RunAgreement& agreement) {
  if (agreement.partner.empty()) {
    return {.text = {ULP_TR_NOOP("not in the first report"), {}}};
  }
  VerdictPart part{
      .site = agreement.first,
      .otherRun = agreement.partner,
      .numbers = {{ULP_TR_NOOP("tensors"), static_cast<double>(agreement.tensors)},
                  {ULP_TR_NOOP("different"), static_cast<double>(agreement.different)}}};
  if (agreement.isEqual()) {
    part.text = {ULP_TR_NOOP("equal bit for bit"), {}};
  } else if (agreement.different == 0) {
    part.text = {ULP_TR_NOOP("equal but for the loss"), {}};
  } else if (!agreement.first) {
    part.text = {ULP_TR_NOOP("lacks %1 of %2 tensors"),
                 {std::to_string(agreement.different), std::to_string(agreement.tensors)}};
  } else {
    part.text = {ULP_TR_NOOP("differs from %1 on, in %2 of %3 tensors"),
                 {placeText(*agreement.first),
                  std::to_string(agreement.different),
                  std::to_string(agreement.tensors)}};
  }
  return part;
}

}  // namespace ulp::analysis
