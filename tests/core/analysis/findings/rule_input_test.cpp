#include <gtest/gtest.h>

#include "core/analysis/findings/finding_rule.h"

namespace ulp::analysis {
namespace {

TEST(RuleInput, TheCoarsestFormatOfARunIsThatOfItsLargestRoundOff) {
  report::Run run;
  EXPECT_EQ(RuleInput::coarsestFormat(run), nullptr);
  for (const char* dtype : {"float16", "bfloat16", "float32", "int64"}) {
    run.comparisons.emplace_back().variantDType = dtype;
  }
  EXPECT_EQ(RuleInput::coarsestFormat(run), formatLimits("bfloat16"));
}

}  // namespace
}  // namespace ulp::analysis
