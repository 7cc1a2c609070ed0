#include "runner/worker/capture/site_filter.h"

#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

Site siteOf(const std::string& name, Pass pass = Pass::Forward) {
  return {name, name, -1, Level::Module, pass};
}

const std::vector<Site>& sites() {
  static const std::vector<Site> kSites{siteOf("embeddings"),
                                        siteOf("model.layers.0.mlp.down_proj"),
                                        siteOf("decoder.0"),
                                        siteOf("decoder.0", Pass::Backward),
                                        siteOf("loss")};
  return kSites;
}

TEST(SiteFilter, WantsEverythingWithoutExpressions) {
  const auto filter = *SiteFilter::create(sites(), {}, {});
  for (const Site& each : sites()) {
    EXPECT_TRUE(filter.wants(each)) << each.name;
  }
}

TEST(SiteFilter, FindsAnExpressionAnywhereInTheName) {
  const auto filter = *SiteFilter::create(sites(), {"mlp", "^emb"}, {});
  EXPECT_TRUE(filter.wants(siteOf("embeddings")));
  EXPECT_TRUE(filter.wants(siteOf("model.layers.0.mlp.down_proj")));
  EXPECT_FALSE(filter.wants(siteOf("decoder.0")));
}

TEST(SiteFilter, ExcludeWinsOverInclude) {
  const auto filter = *SiteFilter::create(sites(), {"decoder", "mlp"}, {"^decoder\\.0$"});
  EXPECT_FALSE(filter.wants(siteOf("decoder.0")));
  EXPECT_FALSE(filter.wants(siteOf("decoder.0", Pass::Backward)));
  EXPECT_TRUE(filter.wants(siteOf("model.layers.0.mlp.down_proj")));
}

TEST(SiteFilter, AlwaysWantsTheLoss) {
  EXPECT_TRUE(SiteFilter::create(sites(), {"decoder"}, {"loss"})->wants(siteOf("loss")));
}

TEST(SiteFilter, WantsNoSiteThatTheModelDoesNotHave) {
  EXPECT_FALSE(SiteFilter::create(sites(), {}, {})->wants(siteOf("decoder.1")));
}

TEST(SiteFilter, NamesKeyAndExpressionThatIsNone) {
  const auto filter = SiteFilter::create(sites(), {}, {"mlp("});
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().code(), ErrorCode::InvalidArgument);
  EXPECT_NE(filter.error().message().find("capture.exclude"), std::string::npos);
  EXPECT_NE(filter.error().message().find("'mlp('"), std::string::npos);
}

TEST(SiteFilter, AnExpressionThatTakesTooManyStepsIsAnError) {
  const std::vector<Site> all{siteOf(std::string(60, 'a') + "!")};
  for (const auto& [include, exclude] :
       {std::pair<std::vector<std::string>, std::vector<std::string>>({"^(a+)+$"}, {}),
        std::pair<std::vector<std::string>, std::vector<std::string>>({}, {"^(a+)+$"})}) {
    const auto filter = SiteFilter::create(all, include, exclude);
    ASSERT_FALSE(filter);
    EXPECT_EQ(filter.error().code(), ErrorCode::Unsupported);
  }
}

TEST(SiteFilter, RefusesToLeaveNothing) {
  const auto filter = SiteFilter::create(sites(), {"no such thing"}, {});
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().code(), ErrorCode::InvalidArgument);
  EXPECT_NE(filter.error().message().find("embeddings"), std::string::npos);
}

TEST(SiteKey, KeepsThePassesOfOneNameApart) {
  EXPECT_NE(siteKey(Pass::Forward, "norm"), siteKey(Pass::Backward, "norm"));
}

}  // namespace
}  // namespace ulp::worker
