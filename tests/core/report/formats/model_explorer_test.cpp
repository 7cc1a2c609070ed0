#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/core/report/formats/plugin_test_support.h"

namespace ulp::report {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

Json nodeData(const Report& report, const ExportOptions& options = {}) {
  return Json::parse(test::exported("model-explorer", report, options), nullptr, false);
}

/// A module and the gradient of its weight, with errors 0.5 and 2.
Report moduleReport() {
  Report report = test::sampleReport(1, {"bf16"});
  const Site forward{"model.layers.0.mlp.down_proj",
                     "model.layers.0.mlp.down_proj",
                     0,
                     Level::Module,
                     Pass::Forward};
  const Site gradient{"model.layers.0.mlp.down_proj.weight",
                      "model.layers.0.mlp.down_proj",
                      0,
                      Level::Module,
                      Pass::ParameterGradient};
  report.runs[1].comparisons = {test::comparisonOf(forward, {0, 0.5, 0, 0, 0}),
                                test::comparisonOf(gradient, {0, 2, 0, 0, 0})};
  return report;
}

TEST(ModelExplorerExport, ANodeIsFoundByModuleAndByRow) {
  const Json data = nodeData(test::sampleReport(2, {"bf16"}));
  EXPECT_EQ(data["name"], "bf16: rms_rel (forward)");
  EXPECT_EQ(data["results"]["decoder.1"]["value"], data["results"]["model.layers.1"]["value"]);
  EXPECT_DOUBLE_EQ(data["results"]["decoder.1"]["value"], 0.003);
  EXPECT_TRUE(data["results"].contains("model.embed_tokens"));
}

TEST(ModelExplorerExport, AGradientIsFoundAtItsParametersInput) {
  const Json data = nodeData(moduleReport(), {.passes = {Pass::ParameterGradient}});
  EXPECT_EQ(data["results"]["p_model_layers_0_mlp_down_proj_weight"]["value"], 2);
  EXPECT_FALSE(data["results"].contains("model.layers.0.mlp.down_proj"));
}

TEST(ModelExplorerExport, ParametersInputsAreNamedAsTorchExportDoes) {
  const auto keysOf = [](const std::string& parameter) {
    Report report = test::sampleReport(1, {"bf16"});
    const Site site{parameter, "", -1, Level::Module, Pass::ParameterGradient};
    report.runs[1].comparisons = {test::comparisonOf(site, {0, 1, 0, 0, 0})};
    std::vector<std::string> keys;
    const Json data = nodeData(report, {.passes = {Pass::ParameterGradient}});
    for (const auto& [key, value] : data["results"].items()) {
      keys.push_back(key);
    }
    return keys;
  };
  EXPECT_THAT(keysOf("layers.0.mixer.A_log"),
              testing::UnorderedElementsAre("layers.0.mixer.A_log", "p_layers_0_mixer_a_log"));
  EXPECT_THAT(keysOf("self_attn.q-proj.weight"),
              testing::UnorderedElementsAre("self_attn.q-proj.weight", "p_attn_q_proj_weight"));
}

TEST(ModelExplorerExport, ErrorsAreClassedByMagnitude) {
  Report report = test::sampleReport(1, {"bf16"});
  std::vector<Comparison>& rows = report.runs[1].comparisons;
  rows.resize(3);
  rows[0].metrics[1] = 0;
  rows[1].metrics[1] = 1e-8;
  rows[2].metrics[1] = 1;
  const Json data = nodeData(report);
  const Json& thresholds = data["thresholds"];
  ASSERT_EQ(thresholds.size(), 8U);
  EXPECT_NEAR(thresholds[0]["value"], 1e-7, 1e-12);
  EXPECT_EQ(thresholds[7]["value"], 1);
  EXPECT_NE(thresholds[0]["bgColor"], thresholds[7]["bgColor"]);
}

TEST(ModelExplorerExport, WhereMoreIsBetterTheColoursRunTheOtherWay) {
  const Report report = test::sampleReport(2, {"bf16"});
  const Json errors = nodeData(report);
  const Json cosines = nodeData(report, {.metrics = {"cosine"}});
  EXPECT_EQ(cosines["name"], "bf16: cosine (forward)");
  EXPECT_EQ(cosines["thresholds"][0]["bgColor"], errors["thresholds"][7]["bgColor"]);
  EXPECT_DOUBLE_EQ(cosines["thresholds"][7]["value"], 0.999);
}

TEST(ModelExplorerExport, WhatIsNoNumberIsAWordWithAColourOfItsOwn) {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].comparisons[0].metrics[1] = std::numeric_limits<double>::quiet_NaN();
  const Json data = nodeData(report);
  EXPECT_EQ(data["results"]["embeddings"]["value"], "NaN");
  EXPECT_TRUE(data["results"]["embeddings"].contains("bgColor"));
  EXPECT_FALSE(data["results"]["decoder.0"].contains("bgColor"));
}

TEST(ModelExplorerExport, OneFileIsForOneMetricAndPass) {
  const Format format = *findReportFormat("model-explorer");
  const Report report = test::sampleReport(1, {"a"});
  for (const ExportOptions& options : {ExportOptions{.metrics = {"rms_rel", "cosine"}},
                                       ExportOptions{.passes = {Pass::Forward, Pass::Backward}}}) {
    const auto text = format.writeReport(report, options);
    ASSERT_FALSE(text.has_value());
    EXPECT_THAT(text.error().message(), HasSubstr("one metric and one pass"));
  }
}

}  // namespace
}  // namespace ulp::report
