#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using test::findingsOf;
using test::quietReport;
using test::rowOf;
using test::setError;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(RuleInput, TheCoarsestFormatOfARunIsThatOfItsLargestRoundOff) {
  report::Run run;
  EXPECT_EQ(RuleInput::coarsestFormat({}, run, {}), nullptr);
  for (const char* dtype : {"float16", "bfloat16", "float32", "int64"}) {
    run.comparisons.emplace_back().variantDType = dtype;
  }
  EXPECT_EQ(RuleInput::coarsestFormat({}, run, {}), formatLimits("bfloat16"));
}

TEST(RuleInput, AReferenceMayBeTheCoarserOne) {
  report::Run run;
  run.comparisons.push_back({.referenceDType = "bfloat16", .variantDType = "float32"});
  EXPECT_EQ(RuleInput::coarsestFormat({}, run, {}), formatLimits("bfloat16"));
  report::Report report;
  report.reference = "reference";
  report.runs = {{.name = "reference"}, run};
  const report::EffectiveConfig config{{"reference", {{"precision.compute_dtype", {"mxfp4"}}}}};
  EXPECT_EQ(RuleInput::coarsestFormat(report, report.runs[1], config), formatLimits("mxfp4"));
}

TEST(RuleInput, FormatsThatAreSimulatedAreThoseOfTheSettings) {
  report::Run run{.name = "fp8"};
  run.comparisons.emplace_back().variantDType = "float32";
  const auto formatWith = [&run](const char* key, const char* value) {
    run.overrides = {{key, value}};
    const FormatLimits* ofOverrides = RuleInput::coarsestFormat({}, run, {});
    run.overrides.clear();
    EXPECT_EQ(RuleInput::coarsestFormat({}, run, {{"fp8", {{key, {value}}}}}), ofOverrides) << key;
    return ofOverrides->name;
  };
  EXPECT_EQ(formatWith("precision.compute_dtype", "float8_e4m3fn"), "float8_e4m3fn");
  EXPECT_EQ(formatWith("precision.residual_dtype", "mxfp4"), "mxfp4");
  EXPECT_EQ(formatWith("precision.compute_dtype", "tf32"), "tf32");
  for (const char* kept : {"float64", "float16", "bfloat16"}) {
    EXPECT_EQ(formatWith("precision.optimizer_dtype", kept), "float32") << "as the tensors are";
  }
  EXPECT_EQ(formatWith("batch.cache_dtype", "float8_e5m2"), "float8_e5m2");
  EXPECT_EQ(formatWith("batch.cache_dtype", "none"), "float32");
  EXPECT_EQ(formatWith("matmul.float8", "row"), "float8_e4m3fn");
  EXPECT_EQ(formatWith("matmul.float8_gradient", "float8_e5m2"), "float32")
      << "of products that are none";
  EXPECT_EQ(formatWith("precision.rules",
                       R"([{"match": "mlp", "compute_dtype": "bfloat16"},
                           {"match": "attn", "compute_dtype": "mxfp8"}])"),
            "mxfp8");
  EXPECT_EQ(formatWith("precision.rounding", "stochastic"), "float32");
  EXPECT_EQ(
      RuleInput::coarsestFormat({}, {.overrides = {{"precision.compute_dtype", "mxfp8"}}}, {}),
      nullptr)
      << "nothing was compared";
}

TEST(FirstDivergence, IsNotTheRoundingOfASimulatedFormat) {
  report::Report report = quietReport({"fp8"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.variantDType = "float32";
    setError(row, 0.027);
  }
  EXPECT_EQ(findingsOf(report, "first_divergence").size(), 1U) << "in float32 it would be one";
  report.effectiveJson =
      R"({"fp8": {"precision.compute_dtype": {"value": "float8_e4m3fn", "origin": "study"}}})";
  EXPECT_THAT(findingsOf(report, "first_divergence"), IsEmpty());
  setError(rowOf(report, "fp8", "decoder.1"), 0.2);
  const auto findings = findingsOf(report, "first_divergence");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].explanation.text(), HasSubstr("the unit round-off of float8_e4m3fn"));
}

TEST(FirstDivergence, IsNotWithinTheNoiseFloor) {
  report::Report report = quietReport({"bf16", "floor.repeat"});
  report.runs.back().role = report::RunRole::Floor;
  setError(rowOf(report, "bf16", "decoder.1"), 0.05);
  setError(rowOf(report, "bf16", "decoder.3"), 0.5);
  setError(rowOf(report, "floor.repeat", "decoder.1"), 0.06);
  const auto findings = findingsOf(report, "first_divergence");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].sites[0].name, "decoder.3");
  setError(rowOf(report, "floor.repeat", "decoder.3"), 0.5);
  EXPECT_THAT(findingsOf(report, "first_divergence"), IsEmpty());
}

TEST(FirstDivergence, MayBeATensorThatIsZeroInTheReference) {
  report::Report report = quietReport({"adapter"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    setError(row, 0);
  }
  report::Comparison& branch = test::insertRow(report, "decoder.2", "adapter.b", Level::Module, 0);
  branch.metrics = {std::nan(""), 0.11, 0, 0.3};
  setError(rowOf(report, "adapter", "decoder.2"), 0.2);
  const auto findings = findingsOf(report, "first_divergence");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title.text(),
            "First divergence at adapter.b, forward, which is 0 in the reference: 11.0 % of what "
            "it reads, where 0 % came in (adapter)");
  // No more than rounding makes of zeros.
  rowOf(report, "adapter", "adapter.b").metrics[1] = 1e-4;
  EXPECT_EQ(findingsOf(report, "first_divergence").at(0).sites[0].name, "decoder.2");
}

/// A report with a gradient of the parameters of `k_proj`, and what an optimizer adds to them.
report::Report withGradients(double weight, double bias, double update) {
  report::Report report = quietReport({"a"});
  const auto add = [&](const char* name, Pass pass, std::vector<double> metrics) {
    report::Comparison row = report.runs[1].comparisons.front();
    row.site = {name, "model.layers.1.self_attn.k_proj", 1, Level::Module, pass};
    row.metrics = std::move(metrics);
    report.runs[1].comparisons.push_back(std::move(row));
  };
  add("k_proj.weight", Pass::ParameterGradient, {weight, weight, 1, weight});
  // Its sum is 0 but for rounding.
  add("k_proj.bias", Pass::ParameterGradient, {bias, bias * 1e-6, 1e-6, bias * 1e-6});
  add("k_proj.weight.update", Pass::Optimizer, {update, update, 1, update});
  return report;
}

TEST(FirstDivergence, MayBeAParametersGradientOrWhatAnOptimizerMakesOfIt) {
  const auto firstOf = [](const report::Report& report) {
    const auto findings = findingsOf(report, "first_divergence");
    return findings.empty() ? std::string("none") : placeText(findings[0].sites[0]);
  };
  EXPECT_EQ(firstOf(withGradients(0.02, 1e4, 0.6)), "none") << "of a healthy run";
  EXPECT_THAT(findingsOf(withGradients(0.5, 1, 0.1), "first_divergence").at(0).explanation.text(),
              HasSubstr("eight times the largest error among them"));
  EXPECT_EQ(firstOf(withGradients(0.5, 1, 0.1)), "k_proj.weight, parameter gradient");
  EXPECT_EQ(firstOf(withGradients(0.002, 0.002, 2.5e5)), "k_proj.weight.update, optimizer");
  EXPECT_EQ(firstOf(withGradients(0.002, 2e6, 0)), "k_proj.bias, parameter gradient")
      << "as large as the gradient of the weight";
}

TEST(GradientUnderflow, IsToldOfFormatsThatAreSimulated) {
  report::Report report = quietReport({"fp8"});
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.variantDType = "float32";
  }
  setError(rowOf(report, "fp8", "decoder.1", Pass::Backward), 0.4, 1e-3);
  EXPECT_THAT(findingsOf(report, "gradient_underflow"), IsEmpty());
  report.effectiveJson =
      R"({"fp8": {"precision.compute_dtype": {"value": "float8_e4m3fn", "origin": "study"}}})";
  const auto findings = findingsOf(report, "gradient_underflow");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].title.text(), HasSubstr("Gradients of fp8 underflow in float8_e4m3fn"));
  EXPECT_THAT(findings[0].runs, ElementsAre("fp8"));
}

}  // namespace
}  // namespace ulp::analysis
