#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/analysis/findings/finding_rule.h"
#include "tests/support/data/report_builder.h"

namespace ulp::test {

/// A report in which nothing is worth a finding: every error is one rounding of bfloat16, every
/// scale 1. Tests change the one thing that a rule looks for.
inline report::Report quietReport(const std::vector<std::string>& names, int layers = 4) {
  report::Report report = sampleReport(layers, names);
  report.metrics = {{"rms_rel"}, {"rms_diff"}, {"ref_scale"}, {"max_diff"}};
  double loss = 2.5;
  for (report::Run& run : report.runs) {
    run.loss = loss;
    loss += 1e-6;
    for (report::Comparison& row : run.comparisons) {
      row.metrics = {0.002, 0.002, 1, 0.004};
      row.worst = {{{0, 1, 2}, 1, 1.004}, {{0, 2, 3}, 1, 1.003}};
      row.count = 4096;
      row.compared = 4096;
    }
    // Variants are never equal bit for bit unless a test makes them.
    if (!run.comparisons.empty()) {
      run.comparisons.front().metrics.back() = 0.004 * loss;
    }
  }
  return report;
}

inline report::Comparison& rowOf(report::Report& report,
                                 const std::string& run,
                                 const std::string& name,
                                 Pass pass = Pass::Forward) {
  auto& runs = report.runs;
  auto& rows = std::ranges::find(runs, run, &report::Run::name)->comparisons;
  return *std::ranges::find_if(rows, [&](const report::Comparison& row) {
    return row.site.name == name && row.site.pass == pass;
  });
}

inline void setError(report::Comparison& row, double relative, double scale = 1) {
  row.metrics = {relative, relative * scale, scale, relative * scale * 2};
}

/// A further row of the last run, in front of its row `before`.
inline report::Comparison& insertRow(report::Report& report,
                                     const std::string& before,
                                     const std::string& name,
                                     Level level,
                                     double relative) {
  std::vector<report::Comparison>& rows = report.runs.back().comparisons;
  const auto place = std::ranges::find_if(rows, [&](const report::Comparison& row) {
    return row.site.name == before && row.site.pass == Pass::Forward;
  });
  report::Comparison row = *place;
  row.site = {name, name, place->site.layer, level, Pass::Forward};
  setError(row, relative);
  return *rows.insert(place, row);
}

/// What one rule finds.
inline std::vector<report::Finding> findingsOf(const report::Report& report,
                                               const std::string& rule,
                                               const analysis::ThresholdValues& changed = {}) {
  std::vector<report::Finding> found =
      analysis::findFindings(report, analysis::builtinFindingRules(), changed);
  std::erase_if(found, [&](const report::Finding& finding) { return finding.rule != rule; });
  return found;
}

}  // namespace ulp::test
