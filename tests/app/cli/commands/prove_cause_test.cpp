#include "app/cli/commands/prove_cause.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::cli {
namespace {

std::string printed(const std::string& site) {
  std::ostringstream out;
  printProof(out,
             {.site = site,
              .baseline = "reference",
              .candidate = "bf16",
              .control = {.name = "control",
                          .cause = "nothing",
                          .change = "nothing",
                          .siteShare = 0.25,
                          .logitsShare = 0.5,
                          .equal = 3,
                          .tensors = 9}});
  return out.str();
}

TEST(PrintProof, HasAColumnForTheFirstDifferenceAndOneForTheLogits) {
  const std::string text = printed("model.norm");
  EXPECT_THAT(text, testing::HasSubstr("model.norm equal"));
  EXPECT_THAT(text, testing::HasSubstr("logits equal"));
  EXPECT_THAT(text, testing::HasSubstr("25"));
}

TEST(PrintProof, HasOneColumnWhereTheLogitsAreTheFirstDifference) {
  const std::string text = printed("logits");
  const std::size_t first = text.find("logits equal");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("logits equal", first + 1), std::string::npos) << text;
  EXPECT_THAT(text, testing::HasSubstr("3 of 9"));
}

}  // namespace
}  // namespace ulp::cli
