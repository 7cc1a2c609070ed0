#include "core/analysis/studies/pattern_matches.h"

#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

std::vector<Site> sites() {
  std::vector<Site> all;
  for (const char* name : {"embeddings",
                           "decoder.0",
                           "model.layers.0.mlp",
                           "model.layers.0.mlp.up_proj",
                           "logits",
                           "loss"}) {
    all.push_back({name, name, -1, Level::Module, Pass::Forward});
  }
  return all;
}

TEST(PatternMatches, WithoutPatternsEverythingIsCaptured) {
  const auto matches = matchPatterns(sites(), {}, {});
  ASSERT_TRUE(matches.has_value());
  EXPECT_EQ(matches->sites, 5U);
  EXPECT_EQ(matches->kept(), 5U);
}

TEST(PatternMatches, CountsEachPatternAndWhatIsLeft) {
  const auto matches = matchPatterns(sites(), {"mlp", "^decoder\\."}, {"_proj$", "nowhere"});
  ASSERT_TRUE(matches.has_value());
  EXPECT_EQ(matches->included, 3U);
  EXPECT_EQ(matches->excluded, 1U);
  EXPECT_EQ(matches->kept(), 2U);
  EXPECT_EQ(matches->perInclude, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(matches->perExclude, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(matches->captured, (std::vector<bool>{false, true, true, false, false, true}));
}

TEST(PatternMatches, NamesAnExpressionThatIsNone) {
  const auto matches = matchPatterns(sites(), {"mlp"}, {"("});
  ASSERT_FALSE(matches.has_value());
  EXPECT_EQ(matches.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(matches.error().message().rfind("'(' is not a regular expression", 0), 0U);
}

}  // namespace
}  // namespace ulp::analysis
