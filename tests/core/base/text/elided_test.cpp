#include "core/base/text/elided.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(Elided, ShortTextsStayAsTheyAre) {
  EXPECT_EQ(elided("model.weight", 12), "model.weight");
  EXPECT_EQ(elided("", 0), "");
}

TEST(Elided, LongTextsKeepBothEnds) {
  EXPECT_EQ(elided("model.layers.weight", 8), "mode…ight");
  EXPECT_EQ(elided(std::string(1'000'000, 'a')).size(), kShownOfName + 3);
}

TEST(Elided, CodePointsStayWhole) {
  EXPECT_EQ(elided("a\xC3\xA4\xC3\xA4"
                   "b\xC3\xA4\xC3\xA4"
                   "c",
                   4),
            "a\xE2\x80\xA6"
            "c");
  EXPECT_EQ(elided("\x80\x80\x80\x80", 2), "…") << "not UTF-8";
}

}  // namespace
}  // namespace ulp
