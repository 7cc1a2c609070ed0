#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

Report withError() {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].logProbabilities = {.tokens = 127,
                                     .nonFinite = 1,
                                     .mean = -0.002,
                                     .interval = 0.001,
                                     .meanAbsolute = 0.015,
                                     .rms = 0.02,
                                     .largest = 0.125,
                                     .epsilon = 0.01,
                                     .shareAbove = 0.25,
                                     .relativeRms = 0.003,
                                     .slope = 1.001,
                                     .correlation = std::nan(""),
                                     .residualRms = 0.019,
                                     .kl = 0.0002,
                                     .positions = 128,
                                     .sameTop = 120};
  return report;
}

TEST(LogProbabilityErrorJson, NamesItsNumbers) {
  const auto json = nlohmann::ordered_json::parse(toJson(withError()));
  EXPECT_EQ(
      json.at("runs").at("bf16").at("log_probabilities").dump(),
      R"({"tokens":127,"nonfinite":1,"positions":128,"same_top":120,"mean":-0.002,)"
      R"("ci95":0.001,"mean_abs":0.015,"rms":0.02,"rms_rel":0.003,"max":0.125,"epsilon":0.01,)"
      R"("share_above":0.25,"slope":1.001,"correlation":"NaN","residual_rms":0.019,)"
      R"("kl":0.0002})");
  EXPECT_FALSE(json.at("runs").at("reference").contains("log_probabilities"));
}

TEST(LogProbabilityErrorJson, ReadsBackWhatWasWritten) {
  const std::string text = toJson(withError());
  const auto report = parseReport(text, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(toJson(*report), text);
  ASSERT_TRUE(report->runs[1].logProbabilities);
  EXPECT_EQ(report->runs[1].logProbabilities->largest, 0.125);
  EXPECT_EQ(report->runs[1].logProbabilities->topAgreement(), 120.0 / 128);
  EXPECT_FALSE(report->runs[0].logProbabilities);
}

TEST(LogProbabilityErrorJson, LeavesNumbersOfAnotherWriterUndefined) {
  std::string text = toJson(withError());
  const std::string field = R"("rms":0.02)";
  text.replace(text.find(field), field.size(), R"("newer":{"a":[1]})");
  const auto report = parseReport(text, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_TRUE(std::isnan(report->runs[1].logProbabilities->rms));
  EXPECT_EQ(report->runs[1].logProbabilities->mean, -0.002);
}

}  // namespace
}  // namespace ulp::report
