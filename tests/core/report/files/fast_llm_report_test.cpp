#include "core/report/files/fast_llm_report.h"

#include <cmath>
#include <map>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/contents/export_selection.h"
#include "core/report/contents/report_tables.h"
#include "tests/core/report/formats/plugin_test_support.h"
#include "tests/support/data/fixture_case.h"

namespace ulp::report {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kFirstVersion =
    R"({"bf16": [{"step": "train_1", "tensor_name": "Global decoder.3 bw: decoder.2 output",
        "kind": "bw", "shape": [4, 8], "rms_abs": 0.5, "rms_rel": 0.2, "max_abs": 3,
        "max_rel": 1.5, "ref_scale": 2, "ref_scale_regularized": 2.5}], "empty": []})";

const Comparison& rowOf(const Report& report,
                        std::string_view run,
                        const std::string& name,
                        Pass pass) {
  static const Comparison kNothing;
  for (const Comparison& row : report.findRun(run)->comparisons) {
    if (row.site.name == name && row.site.pass == pass) {
      return row;
    }
  }
  ADD_FAILURE() << "no row " << name;
  return kNothing;
}

double valueOf(const Report& report, const Comparison& row, std::string_view metric) {
  const int column = report.metricIndex(metric);
  return column < 0 ? std::nan("") : row.metrics.at(static_cast<std::size_t>(column));
}

TEST(FastLlmReport, RowsBecomeThoseOfOurReports) {
  const auto report = parseReport(kFirstVersion, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->runs.size(), 3U);
  EXPECT_EQ(report->reference, "reference");
  EXPECT_EQ(report->runs[0].name, "reference");
  EXPECT_TRUE(report->runs[2].comparisons.empty());
  const Comparison& row = rowOf(*report, "bf16", "decoder.3", Pass::Backward);
  EXPECT_EQ(row.site.module, "model.layers.3");
  EXPECT_EQ(row.site.layer, 3);
  EXPECT_EQ(row.site.level, Level::Layer);
  EXPECT_THAT(row.shape, ElementsAre(4, 8));
  EXPECT_EQ(row.count, 32U);
  EXPECT_EQ(valueOf(*report, row, "rms_rel"), 0.25);  // of the scale as it is, without the floor
  EXPECT_EQ(valueOf(*report, row, "rms_rel_regularized"), 0.2);
  EXPECT_EQ(valueOf(*report, row, "rms_diff"), 0.5);
  EXPECT_EQ(valueOf(*report, row, "max_diff"), 3);
  EXPECT_EQ(report->metricIndex("slope"), -1);  // the second version's
  EXPECT_EQ(report->model.layers, 4);
}

TEST(FastLlmReport, ALayerThatNoModelHasIsNone) {
  const auto report = parseReport(
      R"({"bf16": [{"step": "train_1", "kind": "fw", "rms_rel": 1, "shape": [],
          "tensor_name": "Global decoder.2147483647 fw: x"},
         {"tensor_name": "Global decoder.8191 fw: x"}]})",
      "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(rowOf(*report, "bf16", "decoder.2147483647", Pass::Forward).site.layer, -1);
  EXPECT_EQ(report->model.layers, 8192);
}

/// Fast-LLM writes neither losses nor times, memory or the number of parameters.
TEST(FastLlmReport, WhatTheFileDoesNotSayIsNeitherNanNorZero) {
  auto report = parseReport(kFirstVersion, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_FALSE(report->runs[0].hasLoss);
  EXPECT_FALSE(report->runs[1].hasLoss);
  const std::string json = toJson(*report);
  for (const char* key : {"\"loss\":", "\"peak_bytes\"", "\"parameters\":"}) {
    EXPECT_THAT(json, Not(HasSubstr(key)));
  }
  const auto again = parseReport(json, "again");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_FALSE(again->runs[1].hasLoss);
  const auto selection = selectForExport(*report, {});
  ASSERT_TRUE(selection) << selection.error().message();
  const DataTable runs = runsData(*report, *selection);
  ASSERT_EQ(runs.rows.size(), 3U);
  for (const std::size_t column : {2, 3, 4}) {
    EXPECT_FALSE(std::holds_alternative<double>(runs.rows[1][column])) << column;
  }
  const std::string text = test::exported("text", *report);
  EXPECT_THAT(text, ContainsRegex("model +Fast-LLM evaluate_precision \\(Fast-LLM, 4 layers\\)"));
  EXPECT_THAT(text, HasSubstr("bf16       finished\n"));
  EXPECT_THAT(text, Not(HasSubstr("NaN")));
  EXPECT_THAT(text, Not(HasSubstr("–"))) << "tables and columns of nothing";
  // A loss that was computed and is none stays one.
  Report diverged = test::sampleReport(1, {"bf16"});
  diverged.runs[1].loss = std::nan("");
  EXPECT_THAT(toJson(diverged), HasSubstr("\"loss\":\"NaN\""));
  EXPECT_TRUE(parseReport(toJson(diverged), "diverged")->runs[1].hasLoss);
  EXPECT_THAT(test::exported("text", diverged), ContainsRegex("bf16 +finished +NaN"));
}

TEST(FastLlmReport, BothVersionsOfTheToolAreRead) {
  for (const auto& [folder, rows] :
       std::map<std::string, std::size_t>{{"tool_seed_efa95b1f", 11}, {"tool_tip_116dc065", 35}}) {
    const auto loaded = loadReport(test::fixture("fastllm") / folder);
    ASSERT_TRUE(loaded) << loaded.error().message();
    const Report& report = *loaded->report;
    ASSERT_EQ(report.runs.size(), 5U) << folder;
    for (std::size_t run = 1; run < report.runs.size(); ++run) {
      EXPECT_EQ(report.runs[run].comparisons.size(), rows) << folder;
    }
    EXPECT_EQ(report.model.layers, 3);
    const auto written = parseReport(toJson(report), "again");
    ASSERT_TRUE(written) << written.error().message();
    EXPECT_EQ(written->runs[1].comparisons.size(), rows);
  }
}

TEST(FastLlmReport, EveryKindOfRowHasItsPlace) {
  const auto loaded = loadReport(test::fixture("fastllm/tool_tip_116dc065"));
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Report& report = *loaded->report;
  EXPECT_EQ(rowOf(report, "bf16", "embeddings", Pass::Forward).site.module, "model.embed_tokens");
  EXPECT_EQ(rowOf(report, "bf16", "logits", Pass::Forward).site.module, "lm_head");
  EXPECT_EQ(rowOf(report, "bf16", "logits", Pass::Backward).site.level, Level::Layer);
  EXPECT_THAT(rowOf(report, "bf16", "loss", Pass::Forward).shape, ElementsAre(1));
  EXPECT_EQ(rowOf(report, "bf16", "norm", Pass::Backward).site.module, "model.norm");
  EXPECT_THAT(rowOf(report, "bf16", "chosen_logprob", Pass::Forward).shape, ElementsAre(31));
  const Comparison& weight =
      rowOf(report, "bf16", "decoder.2.mlp.layer_2.weight", Pass::ParameterGradient);
  EXPECT_EQ(weight.site.module, "model.layers.2.mlp.layer_2");
  EXPECT_EQ(weight.site.layer, 2);
  const Comparison& first = rowOf(report, "bf16", "embeddings", Pass::Forward);
  EXPECT_DOUBLE_EQ(valueOf(report, first, "rms_diff"), 0.00020174817473161966);
  EXPECT_DOUBLE_EQ(valueOf(report, first, "rms_rel"), 0.00020174817473161966 / 0.12364497780799866);
  EXPECT_DOUBLE_EQ(valueOf(report, first, "slope"), 1.0000721216201782);
  // Of one element there is no slope: the tool writes a bare NaN.
  EXPECT_TRUE(std::isnan(valueOf(report, rowOf(report, "bf16", "loss", Pass::Forward), "slope")));
}

TEST(FastLlmReport, ALossScaleOfItsOwnIsASettingOfTheRun) {
  const auto report = parseReport(
      R"({"scales": {"reference": 1.0, "fp16": 1024.0, "bf16": 1.0}, "variants": {
          "fp16": [{"tensor_name": "Global : head.logits", "kind": "other", "rms_rel": NaN}],
          "bf16": [{"tensor_name": "Global : x", "kind": "other", "rms_rel": -Infinity}]}})",
      "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->findRun("fp16")->overrides.at("fast_llm.loss_scale"), "1024");
  EXPECT_TRUE(report->findRun("bf16")->overrides.empty());
  EXPECT_TRUE(std::isinf(
      valueOf(*report, rowOf(*report, "bf16", "x", Pass::Forward), "rms_rel_regularized")));
}

TEST(FastLlmReport, IsKnownWhereItsFirstNumberIsNone) {
  const std::string_view text =
      R"({"bf16": [{"tensor_name": "Global : x", "kind": "other", "shape": [2],
                    "rms_abs": NaN, "rms_rel": -Infinity}]})";
  EXPECT_TRUE(isFastLlmReport(text));
  const auto report = parseReport(text, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_TRUE(std::isinf(
      valueOf(*report, rowOf(*report, "bf16", "x", Pass::Forward), "rms_rel_regularized")));
}

TEST(FastLlmReport, ATensorThatIsLoggedAgainGetsANumber) {
  const auto report = parseReport(
      R"({"a": [{"tensor_name": "Global decoder.0 fw: x", "kind": "fw", "rms_rel": 1},
                {"tensor_name": "Global decoder.0 fw: x", "kind": "fw", "rms_rel": 2},
                {"tensor_name": "Global decoder.0 fw, mb=1/2: x", "kind": "fw", "rms_rel": 2}]})",
      "r.json");
  ASSERT_TRUE(report) << report.error().message();
  std::vector<std::string> names;
  for (const Comparison& row : report->runs[1].comparisons) {
    names.push_back(row.site.name);
  }
  EXPECT_THAT(names, ElementsAre("decoder.0", "decoder.0 (2)", "decoder.0 (mb=1/2)"));
}

TEST(FastLlmReport, WhatIsWrongInItIsNamedWithItsField) {
  const auto report = parseReport(
      R"({"a": [{"tensor_name": "Global decoder.0 fw: x", "kind": "fw", "rms_rel": "much"}]})",
      "r.json");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(report.error().message(), HasSubstr("a[0].rms_rel: expected a number"));
  const std::string cut = std::string(kFirstVersion).substr(0, 150);
  EXPECT_FALSE(parseReport(cut, "r.json"));
}

TEST(FastLlmReport, OtherFilesAreNotTakenForOne) {
  EXPECT_FALSE(isFastLlmReport("{}"));
  EXPECT_FALSE(isFastLlmReport("[]"));
  EXPECT_FALSE(isFastLlmReport(""));
  EXPECT_FALSE(isFastLlmReport(R"({"a": [1, 2], "b": [{"tensor_name": "x"}]})"));
  EXPECT_TRUE(isFastLlmReport(kFirstVersion));
}

}  // namespace
}  // namespace ulp::report
