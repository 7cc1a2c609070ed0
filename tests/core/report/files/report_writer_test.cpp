
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::report {
namespace {

using nlohmann::ordered_json;

ordered_json written(const Report& report) {
  return ordered_json::parse(toJson(report));
}

TEST(ReportWriter, WritesSchemaOne) {
  const ordered_json json = written(test::sampleReport(3, {"bf16"}));
  EXPECT_EQ(json.at("schema"), "ulpscope.report/1");
  EXPECT_EQ(json.begin().key(), "schema");
  EXPECT_EQ(json.at("provenance").dump(),
            R"({"versions":{"ulpscope":"0.1.0","torch":"2.11.0"},"device":"cpu","threads":2,)"
            R"("weights_digest":"sha256:aa","token_digest":"sha256:bb",)"
            R"("start":"2026-01-31T12:00:00Z","seconds":12.5})");
  EXPECT_EQ(json.at("model").dump(),
            R"({"name":"SmolLM2-135M","family":"llama","layers":3,"parameters":134515008})");
  EXPECT_EQ(json.at("study").at("yaml"), "model: {path: m}  # ours\n");
  EXPECT_EQ(
      json.at("study").at("effective").at("reference").at("precision.compute_dtype").at("origin"),
      "default");
  EXPECT_EQ(json.at("reference"), "reference");
  EXPECT_EQ(json.at("metrics").dump(), R"(["rms_diff","rms_rel","cosine","ulp.mean","ulp.max"])");
  EXPECT_EQ(json.at("findings").dump(), "[]");
}

TEST(ReportWriter, ListsTheReferenceFirstAndKeepsTheOrderOfVariants) {
  const ordered_json json = written(test::sampleReport(1, {"zeta", "alpha"}));
  std::vector<std::string> names;
  for (const auto& [name, run] : json.at("runs").items()) {
    names.push_back(name);
  }
  EXPECT_THAT(names, testing::ElementsAre("reference", "zeta", "alpha"));
  EXPECT_EQ(json.at("runs").at("zeta").dump(),
            R"({"overrides":{"precision.compute_dtype":"bfloat16"},"loss":2.5,"seconds":1.25,)"
            R"("peak_bytes":1048576,"status":"finished"})");
  EXPECT_FALSE(json.at("comparisons").contains("reference"));
}

TEST(ReportWriter, WritesARowOfTheComparison) {
  Report report = test::sampleReport(1, {"bf16"});
  Comparison& row = report.runs[1].comparisons[0];
  row.metrics = {1, 2, 3, 4, 5};
  row.variantNonFinite = {1, 2, 3};
  const ordered_json json = written(report);
  EXPECT_EQ(
      json.at("comparisons").at("bf16").at(0).dump(),
      R"({"name":"embeddings","module":"model.embed_tokens","layer":-1,"level":"layer",)"
      R"("pass":"forward","shape":[1,8,4],"dtype":{"reference":"float32","variant":"bfloat16"},)"
      R"("count":32,"compared":32,"rms_diff":1,"rms_rel":2,"cosine":3,"ulp":{"mean":4,"max":5},)"
      R"("nonfinite":{"reference":{"nan":0,"+inf":0,"-inf":0},)"
      R"("variant":{"nan":1,"+inf":2,"-inf":3}},)"
      R"("worst":[{"index":[0,5,2],"reference":1.5,"variant":1.25}]})");
}

TEST(ReportWriter, NamesTheMicroBatchOfAWorstElementBehindTheFirst) {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].comparisons[0].worst[0].microBatch = 3;
  const ordered_json row = written(report).at("comparisons").at("bf16").at(0);
  EXPECT_EQ(row.at("worst").dump(),
            R"([{"index":[0,5,2],"reference":1.5,"variant":1.25,"micro_batch":3}])");
  const auto read = parseReport(toJson(report), "r.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->runs[1].comparisons[0].worst[0].microBatch, 3U);
  EXPECT_EQ(read->runs[1].comparisons[1].worst[0].microBatch, 0U);
}

using test::kInfinity;

TEST(ReportWriter, WritesNonFiniteNumbersAsWords) {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].comparisons[0].metrics = {std::nan(""), kInfinity, -kInfinity, 0, 0};
  report.runs[1].loss = std::nan("");
  const ordered_json json = written(report);
  const ordered_json& row = json.at("comparisons").at("bf16").at(0);
  EXPECT_EQ(row.at("rms_diff"), "NaN");
  EXPECT_EQ(row.at("rms_rel"), "Infinity");
  EXPECT_EQ(row.at("cosine"), "-Infinity");
  EXPECT_EQ(json.at("runs").at("bf16").at("loss"), "NaN");
}

TEST(ReportWriter, GroupsMetricsOfOnePrefixThatAreNotNeighbours) {
  Report report = test::sampleReport(1, {"bf16"});
  report.metrics = {{"ulp.mean"}, {"rms_rel"}, {"ulp.max"}};
  report.runs[1].comparisons[0].metrics = {1, 2, 3};
  const std::string row = written(report).at("comparisons").at("bf16").at(0).dump();
  EXPECT_THAT(row, testing::HasSubstr(R"("ulp":{"mean":1,"max":3},"rms_rel":2)"));
}

TEST(ReportWriter, WritesTheSummaryOfTheTwoMainMetrics) {
  const ordered_json json = written(test::sampleReport(3, {"bf16"}));
  EXPECT_DOUBLE_EQ(json.at("summary").at("rms_rel").at("bf16").at("forward.embeddings"), 0.001);
  EXPECT_DOUBLE_EQ(json.at("summary").at("rms_diff").at("bf16").at("forward.embeddings"), 0.002);
}

TEST(ReportWriter, WritesNullWhereTheSummaryHasNoRow) {
  Report report = test::sampleReport(3, {"bf16"});
  report.runs[1].comparisons.resize(2);
  const ordered_json json = written(report);
  const ordered_json row = json.at("summary").at("rms_rel").at("bf16");
  EXPECT_TRUE(row.at("forward.logits").is_null());
  EXPECT_FALSE(row.contains("parameter_gradient.linear_median")) << "no variant has it";
}

TEST(ReportWriter, KeepsTheErrorOfAFailedRun) {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].status = RunStatus::Failed;
  report.runs[1].error = "out of \"memory\"";
  report.runs[1].errorCode = ErrorCode::RunFailed;
  const ordered_json json = written(report);
  EXPECT_EQ(json.at("runs").at("bf16").at("status"), "failed");
  EXPECT_EQ(json.at("runs").at("bf16").at("error"), "out of \"memory\"");
  EXPECT_EQ(json.at("runs").at("bf16").at("error_code"), "run failed");
}

TEST(ReportWriter, WritesAnEmptyReport) {
  const ordered_json json = written({});
  EXPECT_EQ(json.at("runs").dump(), "{}");
  EXPECT_EQ(json.at("comparisons").dump(), "{}");
}

}  // namespace
}  // namespace ulp::report
