#include "runner/worker/capture/site_filter.h"

#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

Site site(const std::string& name, Pass pass = Pass::Forward) {
  return {name, name, -1, Level::Module, pass};
}

const std::vector<Site>& sites() {
  static const std::vector<Site> kSites{site("embeddings"),
                                        site("model.layers.0.mlp.down_proj"),
                                        site("decoder.0"),
                                        site("decoder.0", Pass::Backward),
                                        site("loss")};
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
  EXPECT_TRUE(filter.wants(site("embeddings")));
  EXPECT_TRUE(filter.wants(site("model.layers.0.mlp.down_proj")));
  EXPECT_FALSE(filter.wants(site("decoder.0")));
}

TEST(SiteFilter, ExcludeWinsOverInclude) {
  const auto filter = *SiteFilter::create(sites(), {"decoder", "mlp"}, {"^decoder\\.0$"});
  EXPECT_FALSE(filter.wants(site("decoder.0")));
  EXPECT_FALSE(filter.wants(site("decoder.0", Pass::Backward)));
  EXPECT_TRUE(filter.wants(site("model.layers.0.mlp.down_proj")));
}

TEST(SiteFilter, AlwaysWantsTheLoss) {
  EXPECT_TRUE(SiteFilter::create(sites(), {"decoder"}, {"loss"})->wants(site("loss")));
}

TEST(SiteFilter, WantsNoSiteThatTheModelDoesNotHave) {
  EXPECT_FALSE(SiteFilter::create(sites(), {}, {})->wants(site("decoder.1")));
}

TEST(SiteFilter, NamesKeyAndExpressionThatIsNone) {
  const auto filter = SiteFilter::create(sites(), {}, {"mlp("});
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().code(), ErrorCode::InvalidArgument);
  EXPECT_NE(filter.error().message().find("capture.exclude"), std::string::npos);
  EXPECT_NE(filter.error().message().find("'mlp('"), std::string::npos);
}

TEST(SiteFilter, AnExpressionThatTakesTooManyStepsIsAnError) {
  const std::vector<Site> all{site(std::string(60, 'a') + "!")};
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
