#include "core/base/site.h"

#include <array>

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(Pass, ReadsBackItsNames) {
  for (const Pass pass : kPasses) {
    EXPECT_EQ(parsePass(toString(pass)), pass);
  }
  EXPECT_EQ(toString(Pass::ParameterGradient), "parameter_gradient");
  EXPECT_EQ(toString(Pass::Optimizer), "optimizer");
  EXPECT_EQ(parsePass("sideways"), std::nullopt);
}

TEST(Level, ReadsBackItsNamesAndIsOrderedByDepth) {
  for (const Level level : {Level::Layer, Level::Module, Level::Op}) {
    EXPECT_EQ(parseLevel(toString(level)), level);
  }
  EXPECT_EQ(parseLevel("Layer"), std::nullopt);
  EXPECT_LT(Level::Layer, Level::Module);
  EXPECT_LT(Level::Module, Level::Op);
}

TEST(Site, ComparesAllItsFields) {
  const Site site{"decoder.11", "model.layers.11", 11, Level::Layer, Pass::Forward};
  Site other = site;
  EXPECT_EQ(site, other);
  other.pass = Pass::Backward;
  EXPECT_NE(site, other);
  EXPECT_LT(site, other);
}

TEST(Site, IsOutsideLayersByDefault) {
  EXPECT_EQ(Site{}.layer, -1);
}

}  // namespace
}  // namespace ulp
