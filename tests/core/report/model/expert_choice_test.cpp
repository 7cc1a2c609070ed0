#include "core/report/model/expert_choice.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/model/merge_samples.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

using testing::ElementsAre;

RouterChoice routerOf(std::vector<std::uint8_t> flips, double other) {
  RouterChoice choice{.router = "model.layers.2.mlp.gate",
                      .block = "model.layers.2.mlp",
                      .layer = 2,
                      .experts = 8,
                      .chosen = 2,
                      .tokens = flips.size()};
  for (const std::uint8_t flip : flips) {
    choice.flipped += flip;
    addMargin(choice.margins, flip != 0 ? 0.001 : 0.5, flip != 0);
  }
  choice.changed = choice.flipped;
  choice.same = {.tokens = choice.tokens - choice.flipped, .rmsDiff = 0.3, .refScale = 1};
  choice.other = {.tokens = choice.flipped, .rmsDiff = other, .refScale = 2};
  choice.flips = std::move(flips);
  return choice;
}

TEST(ExpertChoice, CountsMarginsByOctave) {
  std::vector<MarginBin> bins;
  for (const double margin : {0.5, 0.75, 1.0, 0.0, 0.25}) {
    addMargin(bins, margin, margin == 0.75 || margin == 0.0);
  }
  addMargin(bins, std::nan(""), true);
  addMargin(bins, std::numeric_limits<double>::infinity(), true);
  ASSERT_EQ(bins.size(), 4U);
  EXPECT_EQ(bins[0].exponent, kLowestMargin);
  EXPECT_EQ(bins[0].flipped, 1U);
  EXPECT_EQ(bins[1].exponent, -2);
  EXPECT_EQ(bins[2].exponent, -1);
  EXPECT_EQ(bins[2].tokens, 2U);
  EXPECT_EQ(bins[2].flipped, 1U);
  EXPECT_EQ(bins[3].exponent, 0);
  EXPECT_DOUBLE_EQ(medianMargin(bins, false), std::sqrt(2.0) / 2);
  EXPECT_TRUE(std::isnan(medianMargin({}, false)));
}

TEST(ExpertChoice, TokensOfSeveralSamplesFollowEachOther) {
  RouterChoice total = routerOf({0, 1, 0}, 4);
  addChoice(total, routerOf({1, 0, 0, 0}, 2));
  EXPECT_EQ(total.tokens, 7U);
  EXPECT_EQ(total.flipped, 2U);
  EXPECT_DOUBLE_EQ(total.flippedShare(), 2.0 / 7);
  EXPECT_THAT(total.flips, ElementsAre(0, 1, 0, 1, 0, 0, 0));
  EXPECT_EQ(total.other.tokens, 2U);
  EXPECT_DOUBLE_EQ(total.other.rmsDiff, std::sqrt((16.0 + 4.0) / 2));
  EXPECT_DOUBLE_EQ(total.other.relative(), std::sqrt(10.0) / 2);
  EXPECT_DOUBLE_EQ(total.same.rmsDiff, 0.3);
  ASSERT_EQ(total.margins.size(), 2U);
  EXPECT_EQ(total.margins[0].exponent, -10);
  EXPECT_EQ(total.margins[0].flipped, 2U);
  EXPECT_EQ(total.margins[1].tokens, 5U);
  EXPECT_DOUBLE_EQ(medianMargin(total.margins, true), std::sqrt(2.0) / 1024);
}

TEST(ExpertChoice, BehindSoManyTokensOnlyTheirNumberIsKept) {
  RouterChoice total = routerOf(std::vector<std::uint8_t>(kMostTokenFlips - 1, 0), 1);
  addChoice(total, routerOf({1, 1, 1}, 1));
  EXPECT_EQ(total.flips.size(), kMostTokenFlips);
  EXPECT_EQ(total.flips.back(), 1);
  addChoice(total, routerOf({1}, 1));
  EXPECT_EQ(total.flips.size(), kMostTokenFlips);
  EXPECT_EQ(total.flipped, 4U);
}

TEST(ExpertChoice, IsThatOfARouterItsBlockAndItsLayer) {
  const std::vector<RouterChoice> routers{routerOf({0, 1, 0, 0}, 1)};
  const auto shareAt = [&](const Site& site) { return flippedShareAt(routers, site); };
  EXPECT_EQ(shareAt({"model.layers.2.mlp.gate", "", 2, Level::Module, Pass::Forward}), 0.25);
  EXPECT_EQ(shareAt({"model.layers.2.mlp", "", 2, Level::Module, Pass::Forward}), 0.25);
  EXPECT_EQ(shareAt(test::layerSite("decoder.2", 2, Pass::Forward)), 0.25);
  EXPECT_TRUE(std::isnan(shareAt(test::layerSite("decoder.2", 2, Pass::Backward))));
  EXPECT_TRUE(std::isnan(shareAt(test::layerSite("decoder.1", 1, Pass::Forward))));
  EXPECT_TRUE(std::isnan(shareAt(test::layerSite("logits", -1, Pass::Forward))));
}

/// A run whose experts show their rows in this order.
report::Run sampleOfExperts(const std::vector<std::string>& rows) {
  std::vector<Comparison> comparisons;
  for (const std::string& name : rows) {
    comparisons.push_back(test::comparisonOf({name, name, 0, Level::Module, Pass::Forward}, {1}));
    comparisons.back().onlyReference = 2;
    comparisons.back().onlyVariant = 1;
  }
  report::Run run = test::runOf("bf16", comparisons);
  run.routers = {routerOf({0, 1}, 1)};
  return run;
}

TEST(ExpertChoice, ExpertsMayShowTheirRowsInAnotherOrderInEachSample) {
  report::Run total;
  total.samples = 0;
  ASSERT_TRUE(mergeSample(total, sampleOfExperts({"experts[1]", "experts[0]"})));
  ASSERT_TRUE(mergeSample(total, sampleOfExperts({"experts[0]", "experts[1]"})));
  ASSERT_EQ(total.comparisons.size(), 2U);
  EXPECT_EQ(total.comparisons[0].site.name, "experts[1]");
  EXPECT_EQ(total.comparisons[0].onlyReference, 4U);
  EXPECT_EQ(total.comparisons[0].onlyVariant, 2U);
  ASSERT_EQ(total.routers.size(), 1U);
  EXPECT_EQ(total.routers[0].tokens, 4U);
  EXPECT_FALSE(mergeSample(total, sampleOfExperts({"experts[0]", "experts[2]"})));
}

}  // namespace
}  // namespace ulp::report
