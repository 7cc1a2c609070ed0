#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/core/report/formats/plugin_test_support.h"

namespace ulp::report {
namespace {

using Json = nlohmann::json;

Json attachment(const Report& report, const ExportOptions& options = {}) {
  return Json::parse(test::exported("netron", report, options), nullptr, false);
}

/// "kind target: name" of all metrics, with their values.
std::map<std::string, Json> metricsOf(const Json& attachment) {
  std::map<std::string, Json> found;
  for (const Json& item : attachment["metrics"]) {
    const std::string key = item["kind"].get<std::string>() + " " +
                            item["target"].get<std::string>() + ": " +
                            item["name"].get<std::string>();
    EXPECT_TRUE(found.emplace(key, item["value"]).second) << key << " is there twice";
  }
  return found;
}

TEST(NetronExport, IsSignedAndSaysWhatItCompares) {
  const Json data = attachment(test::sampleReport(1, {"bf16"}));
  EXPECT_EQ(data["signature"], "netron:attachment");
  for (const Json& item : data["metadata"]) {
    EXPECT_EQ(item["kind"], "model");
    EXPECT_EQ(item["target"], "");
  }
  EXPECT_EQ(data["metadata"][0]["value"], "SmolLM2-135M");
}

TEST(NetronExport, EveryRunHasANumberAtTheNodeOfTheModule) {
  const auto metrics =
      metricsOf(attachment(test::sampleReport(2, {"bf16", "fp16"}), {.metrics = {"rms_rel"}}));
  EXPECT_EQ(metrics.at("node model.layers.1: bf16 rms_rel of decoder.1"), 0.003);
  EXPECT_EQ(metrics.at("node model.layers.1: fp16 rms_rel of decoder.1"), 0.006);
  EXPECT_EQ(metrics.count("node model.layers.1: bf16 rms_rel of decoder.1, backward"), 1U);
  EXPECT_EQ(metrics.count("node token_embd: bf16 rms_rel of embeddings"), 1U);
}

TEST(NetronExport, ModulesAreFoundInGgufAndParametersByName) {
  Report report = test::sampleReport(1, {"bf16"});
  const Site module{"model.layers.7.mlp.down_proj",
                    "model.layers.7.mlp.down_proj",
                    7,
                    Level::Module,
                    Pass::Forward};
  const Site branch{
      "model.layers.7.self_attn[q]", "model.layers.7.self_attn", 7, Level::Module, Pass::Backward};
  const Site gradient{"model.layers.7.mlp.down_proj.weight",
                      "model.layers.7.mlp.down_proj",
                      7,
                      Level::Module,
                      Pass::ParameterGradient};
  report.runs[1].comparisons.clear();
  for (const Site& site : {module, branch, gradient}) {
    report.runs[1].comparisons.push_back(test::comparisonOf(site, {0, 0.25, 0, 0, 0}));
  }
  const auto metrics = metricsOf(attachment(report, {.metrics = {"rms_rel"}}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : metrics) {
    EXPECT_EQ(value, 0.25);
    keys.push_back(key);
  }
  EXPECT_THAT(
      keys,
      testing::ElementsAre("node blk.7.ffn_down: bf16 rms_rel",
                           "node blk.7.ffn_down: bf16 rms_rel of weight, parameter_gradient",
                           "node model.layers.7.mlp.down_proj: bf16 rms_rel",
                           "node model.layers.7.mlp.down_proj: bf16 rms_rel of weight, "
                           "parameter_gradient",
                           "node model.layers.7.self_attn: bf16 rms_rel, backward [q]",
                           "tensor model.layers.7.mlp.down_proj.weight: bf16 rms_rel of weight, "
                           "parameter_gradient",
                           "value model.layers.7.mlp.down_proj.weight: bf16 rms_rel of weight, "
                           "parameter_gradient"));
}

TEST(NetronExport, NamesHaveOneLineAndWhatIsNoNumberIsAWord) {
  Report report = test::sampleReport(1, {"two\nlines"});
  report.runs[1].comparisons.resize(1);
  report.runs[1].comparisons[0].metrics[1] = -std::numeric_limits<double>::infinity();
  const Json data = attachment(report, {.metrics = {"rms_rel"}});
  ASSERT_FALSE(data["metrics"].empty());
  EXPECT_EQ(data["metrics"][0]["name"].get<std::string>().find('\n'), std::string::npos);
  EXPECT_EQ(data["metrics"][0]["value"], "-Infinity");
}

}  // namespace
}  // namespace ulp::report
