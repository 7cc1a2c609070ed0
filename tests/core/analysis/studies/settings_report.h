#pragma once

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "core/study/reading/study.h"

namespace ulp::test {

/// A report that says how the runs of a study were set, as the worker writes it, and nothing of
/// their tensors.
inline report::Report settingsReport(const std::string& yaml) {
  const auto study = study::parseStudy(yaml, "study");
  EXPECT_TRUE(study.has_value()) << study.error().message();
  nlohmann::json effective;
  const study::EffectiveTable table = study::effectiveTable(*study);
  for (std::size_t run = 0; run < table.runs.size(); ++run) {
    for (const study::EffectiveRow& row : table.rows) {
      effective[table.runs[run]][row.key] = {{"value", row.cells[run].value},
                                             {"origin", study::toString(row.cells[run].origin)}};
    }
  }
  report::Report report;
  report.provenance.weightsDigest = "weights";
  report.provenance.tokenDigest = "tokens";
  report.reference = "reference";
  report.studyYaml = yaml;
  report.effectiveJson = effective.dump();
  for (const std::string& name : table.runs) {
    report.runs.emplace_back().name = name;
  }
  return report;
}

}  // namespace ulp::test
