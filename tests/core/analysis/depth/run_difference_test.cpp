#include "core/analysis/depth/run_difference.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/list_of.h"
#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A variant of a model of `layers` layers whose tensors are equal, but for those that `differs`.
report::Report comparedReport(int layers, const std::function<bool(const Site&)>& differs) {
  report::Report report = test::sampleReport(layers, {"a"});
  report.metrics = {{"equal_fraction"}, {"max_diff"}};
  for (report::Comparison& row : report.runs[1].comparisons) {
    row.metrics = differs(row.site) ? std::vector<double>{0.25, 0.5} : std::vector<double>{1, 0};
  }
  return report;
}

std::vector<std::string> names(const report::Report& report, const std::vector<std::size_t>& rows) {
  return listOf(rows, [&](std::size_t row) { return report.runs[1].comparisons[row].site.name; });
}

TEST(RunDifference, TellsWhatStillAgreedAndWhatFollows) {
  const report::Report report = comparedReport(3, [](const Site& site) {
    return site.pass == Pass::Forward && (site.layer >= 1 || site.name == "logits");
  });
  const auto difference = runDifference(report, report.runs[1]);
  ASSERT_TRUE(difference.has_value()) << difference.error().message();
  EXPECT_FALSE(difference->isEqual());
  const auto& forward = difference->firsts[0];
  ASSERT_TRUE(forward.has_value());
  EXPECT_EQ(report.runs[1].comparisons[forward->row].site.name, "decoder.1");
  EXPECT_THAT(listOf(forward->equalInputs, &Site::name), ElementsAre("decoder.0"));
  EXPECT_THAT(forward->differentInputs, IsEmpty());
  EXPECT_THAT(names(report, forward->equalBefore), ElementsAre("embeddings", "decoder.0"));
  EXPECT_THAT(names(report, forward->equalBehind), ElementsAre("norm", "loss"));
  EXPECT_THAT(names(report, forward->consequences), ElementsAre("decoder.2", "logits"));
  EXPECT_FALSE(difference->firsts[1].has_value()) << "backward is equal";
  EXPECT_EQ(difference->sampled, 0U);
}

TEST(RunDifference, TheFirstGradientOfAParameterIsTheFirstThatWasMade) {
  report::Report report = comparedReport(2, [](const Site&) { return false; });
  auto& rows = report.runs[1].comparisons;
  for (const char* module : {"model.embed_tokens", "model.layers.0", "model.layers.1"}) {
    report::Comparison row = rows.front();
    row.site = {
        std::string(module) + ".weight", module, -1, Level::Module, Pass::ParameterGradient};
    // What layer 0 was given is wrong, and so is all that follows.
    row.metrics = {module == std::string("model.layers.1") ? 1 : 0.25, 0.5};
    rows.push_back(row);
  }
  const auto difference = runDifference(report, report.runs[1]);
  ASSERT_TRUE(difference.has_value());
  const auto& gradients = difference->firsts[2];
  ASSERT_TRUE(gradients.has_value());
  EXPECT_EQ(rows[gradients->row].site.name, "model.layers.0.weight");
  EXPECT_THAT(names(report, gradients->equalBefore), ElementsAre("model.layers.1.weight"));
  EXPECT_THAT(gradients->equalBehind, IsEmpty());
}

TEST(RunDifference, ClaimsNothingOfInputsThatWereNotCompared) {
  report::Report report =
      comparedReport(3, [](const Site& site) { return site.name == "decoder.2"; });
  report.runs[0].graph.of(Pass::Forward)["decoder.2"].forward = {"silu", "decoder.1"};
  report.runs[0].graph.of(Pass::Forward)["silu"].forward = {"decoder.0"};
  report.runs[1].graph.of(Pass::Forward)["decoder.2"].forward = {"gelu", "decoder.1"};
  report.runs[1].graph.of(Pass::Forward)["gelu"].forward = {"decoder.0"};
  const auto difference = runDifference(report, report.runs[1]);
  ASSERT_TRUE(difference.has_value());
  const auto& forward = difference->firsts[0];
  ASSERT_TRUE(forward.has_value());
  EXPECT_THAT(listOf(forward->equalInputs, &Site::name), ElementsAre("decoder.1"));
  EXPECT_THAT(forward->operations, ElementsAre("gelu"));
  EXPECT_THAT(forward->baselineOperations, ElementsAre("silu"));
}

TEST(RunDifference, ShowsSixTensorsThenEveryFourthLayerAndTheLast) {
  const report::Report report =
      comparedReport(20, [](const Site& site) { return site.pass == Pass::Forward; });
  const auto difference = runDifference(report, report.runs[1]);
  ASSERT_TRUE(difference.has_value());
  EXPECT_THAT(names(report, difference->firsts[0]->consequences),
              ElementsAre("decoder.0",
                          "decoder.1",
                          "decoder.2",
                          "decoder.3",
                          "decoder.4",
                          "decoder.5",
                          "decoder.6",
                          "decoder.8",
                          "decoder.12",
                          "decoder.16",
                          "norm",
                          "logits",
                          "loss"));
}

TEST(RunDifference, TellsByHowMuchAnglesAreOff) {
  report::Report report = comparedReport(1, [](const Site&) { return false; });
  auto& rows = report.runs[1].comparisons;
  rows.front().site.name = "model.rotary_emb.inv_freq";
  rows.front().metrics = {0.5, 0.001};
  rows[1].site.name = "model.rotary_emb.cos";
  rows[1].shape = {1, 32, 8};
  const auto difference = runDifference(report, report.runs[1]);
  ASSERT_TRUE(difference.has_value());
  const auto& angles = difference->firsts[0]->angles;
  EXPECT_THAT(listOf(angles, &AngleError::position), ElementsAre(31, 127, 2047));
  EXPECT_DOUBLE_EQ(angles.back().radians, 2.047);
}

TEST(RunDifference, CountsTensorsOfWhichSamplesWereCompared) {
  report::Report report = comparedReport(1, [](const Site&) { return false; });
  report.runs[1].comparisons[0].compared = 10;
  // Elements that are not finite were looked at, too.
  report.runs[1].comparisons[1].compared -= 2;
  report.runs[1].comparisons[1].variantNonFinite.nan = 2;
  report.runs[1].comparisons[1].referenceNonFinite.nan = 0;
  const auto difference = runDifference(report, report.runs[1]);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->sampled, 1U);
}

TEST(RunDifference, AGradientThatOneOfTheRunsLacksIsOne) {
  report::Report report = comparedReport(1, [](const Site&) { return false; });
  report.runs[1].missingGradients = {"norm.weight"};
  const auto difference = runDifference(report, report.runs[1]);
  ASSERT_TRUE(difference.has_value());
  EXPECT_FALSE(difference->isEqual());
  EXPECT_FALSE(difference->hasFirst());
  EXPECT_THAT(difference->loneGradients, ElementsAre("norm.weight"));
  report.runs[0].missingGradients = {"norm.weight"};
  EXPECT_TRUE(runDifference(report, report.runs[1])->isEqual()) << "neither has it";
}

TEST(RunDifference, OfRunsThatWereNotComparedIsAnError) {
  const report::Report report = comparedReport(1, [](const Site&) { return false; });
  EXPECT_EQ(runDifference(report, report.runs[0]).error().code(), ErrorCode::InvalidArgument);
}

TEST(RunDifference, NeverCallsAShareWholeThatIsNot) {
  EXPECT_EQ(equalShareText(1), "100 %");
  EXPECT_EQ(equalShareText(0.9999999), "< 100 %");
  EXPECT_EQ(equalShareText(0.357), "35.7 %");
  EXPECT_EQ(equalPercentText(0.9999999), "< 100");
  EXPECT_EQ(ratioText(INFINITY), "+Inf");
}

}  // namespace
}  // namespace ulp::analysis
