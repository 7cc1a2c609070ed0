#include "views/framework/words/site_text.h"

#include <gtest/gtest.h>

namespace ulp::views {
namespace {

TEST(PassText, NamesEachPass) {
  EXPECT_EQ(passName(Pass::Forward), QStringLiteral("Forward"));
  EXPECT_EQ(passName(Pass::Backward), QStringLiteral("Backward"));
  EXPECT_EQ(passName(Pass::ParameterGradient), QStringLiteral("Parameter gradients"));
  EXPECT_EQ(passName(Pass::Optimizer), QStringLiteral("Optimizer"));
}

TEST(PassText, CaptionsPointTheWayThroughTheModel) {
  EXPECT_EQ(passCaption(Pass::Forward), QStringLiteral("Forward →"));
  EXPECT_EQ(passCaption(Pass::Backward), QStringLiteral("Backward →"));
  EXPECT_EQ(passCaption(Pass::ParameterGradient), QStringLiteral("Parameter gradients"));
  EXPECT_EQ(passCaption(Pass::Optimizer), QStringLiteral("Optimizer"));
}

}  // namespace
}  // namespace ulp::views
