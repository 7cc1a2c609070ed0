#include "views/framework/words/literal_text.h"

#include <gtest/gtest.h>

namespace ulp::views {
namespace {

TEST(ShortName, VeryLongNamesHaveBothEnds) {
  EXPECT_EQ(shortName("model.layers.0.mlp"), QStringLiteral("model.layers.0.mlp"));
  EXPECT_EQ(shortName(std::string(256, 'x')).size(), 256);
  const QString shown = shortName("model." + std::string(1'000'000, 'x') + ".weight");
  EXPECT_EQ(shown.size(), 257);
  EXPECT_TRUE(shown.startsWith(QStringLiteral("model.x")));
  EXPECT_TRUE(shown.endsWith(QStringLiteral("x.weight")));
}

}  // namespace
}  // namespace ulp::views
