#include "core/analysis/depth/site_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

const Site kLayer{"decoder.11", "model.layers.11", 11, Level::Layer, Pass::Forward};

TEST(SiteFilter, FindsTheNameOrTheModule) {
  EXPECT_TRUE(SiteFilter::make("decoder\\.1")->fits(kLayer));
  EXPECT_TRUE(SiteFilter::make("layers\\.11$")->fits(kLayer));
  EXPECT_TRUE(SiteFilter::make("DECODER")->fits(kLayer));
  EXPECT_FALSE(SiteFilter::make("mlp")->fits(kLayer));
}

TEST(SiteFilter, FitsEverythingWhenEmpty) {
  EXPECT_TRUE(SiteFilter::make("")->fits(kLayer));
}

TEST(SiteFilter, RefusesABrokenPattern) {
  const auto filter = SiteFilter::make("(a");
  ASSERT_FALSE(filter.has_value());
  EXPECT_EQ(filter.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(filter.error().message(), testing::HasSubstr("'(a' is not a regular expression"));
}

}  // namespace
}  // namespace ulp::analysis
