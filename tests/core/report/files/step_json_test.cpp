#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

Report withStep() {
  Report report = test::sampleReport(1, {"bf16"});
  StepSummary& step = report.runs[1].step;
  step = {.labels = 35, .documents = 3, .microBatches = 2};
  step.terms.push_back({.type = "cross_entropy", .weight = 0.1, .value = 5.5});
  step.terms.push_back({.type = "gspo",
                        .weight = 1,
                        .value = -0.25,
                        .metrics = {{"entropy", 4.5}, {"kl_new_old", std::nan("")}},
                        .clips = ClipSummary{.unit = "document",
                                             .count = 3,
                                             .below = 1,
                                             .above = 1,
                                             .stopped = 1,
                                             .flips = 2,
                                             .gradientFlips = 0}});
  return report;
}

TEST(StepJson, NamesDocumentsLabelsAndTerms) {
  const auto json = nlohmann::ordered_json::parse(toJson(withStep()));
  EXPECT_EQ(json.at("runs").at("bf16").at("step").dump(),
            R"({"labels":35,"num_documents":3,"documents_seen":3,"micro_batches":2,"terms":[)"
            R"({"type":"cross_entropy","weight":0.1,"value":5.5},)"
            R"({"type":"gspo","weight":1,"value":-0.25,)"
            R"("metrics":{"entropy":4.5,"kl_new_old":"NaN"},)"
            R"("clips":{"unit":"document","count":3,"below":1,"above":1,"stopped":1,)"
            R"("flips":2,"gradient_flips":0}}]})");
  EXPECT_FALSE(json.at("runs").at("reference").contains("step"));
}

TEST(StepJson, ReadsBackWhatWasWritten) {
  const std::string text = toJson(withStep());
  const auto report = parseReport(text, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(toJson(*report), text);
  const StepSummary& step = report->runs[1].step;
  ASSERT_EQ(step.terms.size(), 2U);
  EXPECT_EQ(step.terms[1].metrics[0], (std::pair<std::string, double>{"entropy", 4.5}));
  EXPECT_TRUE(std::isnan(step.terms[1].metrics[1].second));
  ASSERT_TRUE(step.terms[1].clips);
  EXPECT_EQ(step.terms[1].clips->flips, 2U);
  EXPECT_FALSE(step.terms[0].clips);
}

TEST(StepJson, PassesOverFieldsOfANewerWriter) {
  std::string text = toJson(withStep());
  const std::string field = R"("labels":)";
  text.insert(text.find(field), R"("tokens":{"x":[1,2]},)");
  const auto report = parseReport(text, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->runs[1].step.labels, 35U);
}

}  // namespace
}  // namespace ulp::report
