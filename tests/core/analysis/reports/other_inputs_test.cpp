#include "core/analysis/reports/other_inputs.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;

report::Report withSettings(const std::string& settings) {
  report::Report report = test::sampleReport(1, {"a"});
  report.effectiveJson = R"({"reference":{)" + settings + "}}";
  return report;
}

TEST(OtherInputs, AreToldByDigestsWhereBothHaveOne) {
  const report::Report report = test::sampleReport(1, {"a"});
  EXPECT_FALSE(otherInputs(report, report).areAny());
  report::Report other = report;
  other.provenance.tokenDigest = "sha256:cc";
  EXPECT_TRUE(otherInputs(report, other).tokens);
  EXPECT_FALSE(otherInputs(report, other).weights);
  other.provenance.tokenDigest.clear();
  other.provenance.weightsDigest = "sha256:dd";
  EXPECT_FALSE(otherInputs(report, other).tokens) << "they may be the same";
  EXPECT_TRUE(otherInputs(report, other).weights);
}

TEST(OtherInputs, NameTheSettingsThatNumbersComeFrom) {
  const report::Report a = withSettings(
      R"("capture.level":{"value":"op"},"input.seed":{"value":"0"},"loss.type":{"value":"dpo"},)"
      R"("norm.implementation":{"value":"x","follows":true},"output_dir":{"value":"a"},)"
      R"("python.cache":{"value":"{}"})");
  const report::Report b = withSettings(
      R"("capture.level":{"value":"row"},"input.seed":{"value":"1"},"loss.type":{"value":"ppo"},)"
      R"("norm.implementation":{"value":"y","follows":true},"output_dir":{"value":"b"})");
  EXPECT_THAT(otherInputs(a, b).settings, ElementsAre("loss.type"));
  EXPECT_TRUE(otherInputs(a, b).areAny());
}

TEST(OtherInputs, OfReportsWithoutAConfigurationAreThoseThatReferencesWereGiven) {
  report::Report a = test::sampleReport(1, {"a"});
  a.effectiveJson.clear();
  report::Report b = a;
  b.runs[0].overrides = {{"precision.compute_dtype", "bfloat16"}};
  EXPECT_THAT(otherInputs(a, b).settings, ElementsAre("precision.compute_dtype"));
}

}  // namespace
}  // namespace ulp::analysis
