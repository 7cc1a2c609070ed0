#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/findings/finding_rule.h"
#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using report::Finding;
using report::RouterChoice;
using testing::ElementsAre;
using testing::HasSubstr;

RouterChoice routerAt(int layer, std::uint64_t flipped) {
  const std::string block = "model.layers." + std::to_string(layer) + ".mlp";
  return {.router = block + ".gate",
          .block = block,
          .layer = layer,
          .experts = 8,
          .chosen = 2,
          .tokens = 1000,
          .flipped = flipped,
          .changed = flipped,
          .same = {.tokens = 1000 - flipped, .rmsDiff = 0.01, .refScale = 1},
          .other = {.tokens = flipped, .rmsDiff = 0.12, .refScale = 1},
          .margins = {{.exponent = -10, .tokens = flipped, .flipped = flipped}},
          .flips = {}};
}

report::Report reportOf(std::vector<RouterChoice> routers) {
  report::Report report = test::sampleReport(4, {"bf16"});
  report.effectiveJson = R"({"reference":{"precision.compute_dtype":{"value":"float32"}},)"
                         R"("bf16":{"precision.compute_dtype":{"value":"bfloat16"},)"
                         R"("precision.rules":{"value":"[]"}}})";
  report.runs[1].routers = std::move(routers);
  return report;
}

std::vector<Finding> choicesIn(const report::Report& report) {
  std::vector<Finding> found = findFindings(report);
  std::erase_if(found, [](const Finding& finding) { return finding.rule != "expert_choice"; });
  return found;
}

TEST(ExpertChoiceFinding, NamesTheLayerWithMostFlippedTokensAndTheirError) {
  const auto found = choicesIn(reportOf({routerAt(0, 4), routerAt(3, 42), routerAt(2, 0)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, report::FindingSeverity::Look);
  EXPECT_EQ(
      found[0].title.text(),
      "model.layers.3.mlp.gate chooses other experts for 4.20 % of the tokens, whose error is "
      "12 × that of the others (bf16)");
  ASSERT_EQ(found[0].sites.size(), 1U);
  EXPECT_EQ(found[0].sites[0].name, "model.layers.3.mlp.gate");
  EXPECT_EQ(found[0].sites[0].layer, 3);
  EXPECT_THAT(found[0].runs, ElementsAre("bf16"));
  ASSERT_EQ(found[0].numbers.size(), 4U);
  EXPECT_DOUBLE_EQ(found[0].numbers[0].value, 0.042);
  EXPECT_DOUBLE_EQ(found[0].numbers[1].value, 46.0 / 3000);
  EXPECT_DOUBLE_EQ(found[0].numbers[2].value, 0.12);
}

TEST(ExpertChoiceFinding, OffersRoutersInFloat32) {
  const auto found = choicesIn(reportOf({routerAt(3, 42)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].overrides.at("precision.rules"),
            R"([{"match":"\\.mlp\\.gate$","compute_dtype":"float32"}])");
  report::Report ruled = reportOf({routerAt(3, 42)});
  const std::string none = R"("value":"[]")";
  ruled.effectiveJson.replace(
      ruled.effectiveJson.find(none), none.size(), R"("value":"[{\"match\":\"norm\"}]")");
  EXPECT_EQ(choicesIn(ruled).at(0).overrides.at("precision.rules"),
            R"([{"match":"norm"},{"match":"\\.mlp\\.gate$","compute_dtype":"float32"}])");
}

TEST(ExpertChoiceFinding, FewFlippedTokensAreANote) {
  const auto found = choicesIn(reportOf({routerAt(1, 2)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, report::FindingSeverity::Note);
  EXPECT_THAT(found[0].explanation.text(), HasSubstr("at most 0.00138"));
}

TEST(ExpertChoiceFinding, IsSilentWhereNothingIsFlipped) {
  EXPECT_TRUE(choicesIn(reportOf({routerAt(0, 0)})).empty());
  EXPECT_TRUE(choicesIn(reportOf({})).empty());
}

TEST(ExpertChoiceFinding, SaysNothingOfErrorsThatNobodyKnows) {
  RouterChoice router = routerAt(1, 100);
  router.same = {};
  router.other = {};
  const auto found = choicesIn(reportOf({router}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].title.text(),
            "model.layers.1.mlp.gate chooses other experts for 10.0 % of the tokens (bf16)");
  EXPECT_EQ(found[0].numbers.size(), 2U);
}

}  // namespace
}  // namespace ulp::analysis
