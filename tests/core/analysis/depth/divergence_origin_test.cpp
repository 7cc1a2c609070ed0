#include "core/analysis/depth/divergence_origin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using report::Finding;
using test::findingsOf;
using test::quietReport;
using test::rowOf;
using test::setError;
using testing::ElementsAre;
using testing::IsEmpty;

/// Whose decoder.2 was made from silu in the reference, and from gelu in the run.
report::Report replacedOperation() {
  report::Report report = quietReport({"bf16"}, 3);
  setError(rowOf(report, "bf16", "decoder.2"), 0.2);
  report.runs[0].graph.of(Pass::Forward)["decoder.2"].forward = {"silu", "decoder.1"};
  report.runs[0].graph.of(Pass::Forward)["silu"].forward = {"decoder.0"};
  report.runs[1].graph.of(Pass::Forward)["decoder.2"].forward = {"gelu", "decoder.1"};
  report.runs[1].graph.of(Pass::Forward)["gelu"].forward = {"decoder.0"};
  return report;
}

TEST(DivergenceOrigin, IsTheOperationThatOneOfTheRunsAloneMakes) {
  report::Report report = replacedOperation();
  const report::Comparison& row = rowOf(report, "bf16", "decoder.2");
  const DivergenceOrigin origin = originOf(report, report.runs[1], row);
  EXPECT_THAT(origin.operations, ElementsAre("gelu"));
  EXPECT_THAT(origin.baselineOperations, ElementsAre("silu"));
  const auto found = findingsOf(report, "first_divergence");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].title.text(),
            "First divergence at decoder.2, forward, made by another operation: silu in the "
            "reference, gelu here. The error is 20.0 % (bf16)");
  EXPECT_THAT(found[0].overrides, IsEmpty());
  report.runs[0].graph = {};
  EXPECT_FALSE(originOf(report, report.runs[1], row).hasOtherOperations())
      << "nobody knows what the reference did";
}

TEST(DivergenceOrigin, IsTheRouterWhoseTokensAreFurtherOffThanTheOthers) {
  report::Report report = quietReport({"bf16"}, 3);
  setError(rowOf(report, "bf16", "decoder.1"), 0.136);
  report::RouterChoice router{.router = "decoder.1.mlp.gate",
                              .block = "decoder.1.mlp",
                              .layer = 1,
                              .tokens = 128,
                              .flipped = 3,
                              .same = {.tokens = 125, .rmsDiff = 0.01, .refScale = 1},
                              .other = {.tokens = 3, .rmsDiff = 0.88, .refScale = 1}};
  report.runs[1].routers = {router};
  report::Comparison row = rowOf(report, "bf16", "decoder.1");
  const auto routerOf = [&] { return originOf(report, report.runs[1], row).router; };
  ASSERT_NE(routerOf(), nullptr);
  EXPECT_EQ(routerOf()->flipped, 3U);
  const auto found = findingsOf(report, "first_divergence");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].title.text(),
            "First divergence at decoder.1, forward, since decoder.1.mlp.gate chose other experts "
            "for 2.34 % of the tokens: 13.6 % where 0.20 % came in (bf16)");
  row.site.level = Level::Module;
  row.site.name = "decoder.1.mlp.experts";
  EXPECT_NE(routerOf(), nullptr) << "it is of the router's block";
  row.site.name = "decoder.1.mlp.gate";
  EXPECT_EQ(routerOf(), nullptr) << "the scores are made before anything is chosen";
  row.site.name = "decoder.1.attention";
  EXPECT_EQ(routerOf(), nullptr) << "another block";
  row.site.name = "decoder.1.mlp.experts";
  report.runs[1].routers[0].other.rmsDiff = 0.01;
  EXPECT_EQ(routerOf(), nullptr) << "the tokens that went elsewhere are no further off";
}

}  // namespace
}  // namespace ulp::analysis
