#include "core/report/model/effective_config.h"

#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

TEST(EffectiveConfig, KeepsTheOrderOfTheReport) {
  Report report = test::sampleReport(1, {"b", "a"});
  report.effectiveJson =
      R"({"a":{"k":{"value":"1","origin":"variant"}},"b":{"k":{"value":[1,2]}},"reference":{}})";
  const auto config = effectiveConfig(report);
  ASSERT_TRUE(config.has_value());
  ASSERT_EQ(config->size(), 3U);
  EXPECT_EQ((*config)[0].first, "reference");
  EXPECT_EQ((*config)[1].first, "b");
  EXPECT_EQ((*config)[1].second.at("k"), (EffectiveValue{"[1,2]", ""}));
  EXPECT_EQ((*config)[2].second.at("k"), (EffectiveValue{"1", "variant"}));
}

TEST(EffectiveConfig, TellsWhatFollowsAnotherKey) {
  Report report = test::sampleReport(1, {"a"});
  report.effectiveJson =
      R"({"a":{"k":{"value":"1","origin":"variant","follows":true},"l":{"value":"1"}}})";
  const auto config = effectiveConfig(report);
  ASSERT_TRUE(config.has_value());
  EXPECT_TRUE(config->front().second.at("k").follows);
  EXPECT_FALSE(config->front().second.at("l").follows);
}

TEST(EffectiveConfig, IsEmptyWhereTheReportSaysNothingAndAnErrorWhereItIsBroken) {
  Report report;
  EXPECT_TRUE(effectiveConfig(report)->empty());
  report.effectiveJson = R"({"a":3})";
  EXPECT_EQ(effectiveConfig(report).error().code(), ErrorCode::CorruptData);
}

}  // namespace
}  // namespace ulp::report
