#pragma once

#include <algorithm>

#include "core/report/model/finding.h"
#include "core/report/model/one_dump.h"
#include "core/report/model/report.h"
#include "tests/fuzz/fuzz_input.h"

/// For both files that are called precision_report.json.
namespace ulp::test {

/// What every reader promises of a report.
inline void checkReport(const Result<report::Report>& report) {
  if (!report) {
    require(!report.error().message().empty());
    return;
  }
  // A dump that was opened alone has nothing that it is compared with.
  const bool hasReference = !report->runs.empty() && !report::isOfOneDump(*report);
  require(!hasReference || report->findRun(report->reference) == &report->runs.front());
  for (const report::Run& run : report->runs) {
    require(std::all_of(
        run.comparisons.begin(), run.comparisons.end(), [&](const report::Comparison& row) {
          return row.metrics.size() == report->metrics.size();
        }));
    require(run.positions.count() <= report::kMostPositions);
  }
  if (const auto findings = report::readFindings(*report)) {
    for (const report::Finding& finding : *findings) {
      require(finding.title.reads(finding.title.text()));
      require(finding.explanation.reads(finding.explanation.text()));
    }
  }
}

}  // namespace ulp::test
