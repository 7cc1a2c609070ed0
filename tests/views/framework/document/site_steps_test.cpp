#include "views/framework/document/site_steps.h"

#include <gtest/gtest.h>

#include "tests/views/realistic_report.h"

namespace ulp::views {
namespace {

struct SiteSteps : testing::Test {
  [[nodiscard]] int at(const char* name, Pass pass = Pass::Forward) const {
    return document->findSite(name, pass);
  }
  [[nodiscard]] std::string nameAt(int site) const {
    return site < 0 ? "none" : document->sites()[static_cast<std::size_t>(site)].name;
  }
  DocumentPtr document = test::documentOf(test::realisticReport({.layers = 12}));
};

TEST_F(SiteSteps, TheSameTensorInTheNextBlockThatHasIt) {
  EXPECT_EQ(nameAt(stepInKind(*document, at("decoder.1"), 1)), "decoder.2");
  EXPECT_EQ(nameAt(stepInKind(*document, at("decoder.11"), -1)), "decoder.10");
  EXPECT_EQ(nameAt(stepInKind(*document, at("decoder.11"), 1)), "none");
  const int mlp = at("model.layers.1.mlp.down_proj");
  ASSERT_GE(mlp, 0);
  EXPECT_EQ(nameAt(stepInKind(*document, mlp, 1)), "model.layers.2.mlp.down_proj");
}

TEST_F(SiteSteps, StaysInItsPass) {
  const int back = stepInKind(*document, at("decoder.3", Pass::Backward), 1);
  ASSERT_GE(back, 0);
  EXPECT_EQ(document->sites()[static_cast<std::size_t>(back)].pass, Pass::Backward);
}

TEST_F(SiteSteps, WhatIsOutsideTheBlocksHasNoKind) {
  EXPECT_EQ(stepInKind(*document, at("embeddings"), 1), -1);
  EXPECT_EQ(stepInKind(*document, -1, 1), -1);
}

TEST_F(SiteSteps, TheParentIsTheNearestModuleOfTheReport) {
  const int projection = at("model.layers.1.mlp.down_proj");
  const std::string parent = nameAt(parentSite(*document, projection));
  EXPECT_TRUE(parent == "model.layers.1.mlp" || parent == "decoder.1") << parent;
  EXPECT_EQ(parentSite(*document, at("embeddings")), -1);
  EXPECT_EQ(parentSite(*document, -1), -1);
}

}  // namespace
}  // namespace ulp::views
