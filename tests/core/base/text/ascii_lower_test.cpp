#include "core/base/text/ascii_lower.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(AsciiLower, ChangesTheLettersOfAsciiAlone) {
  EXPECT_EQ(asciiLower("RopeOperation_12@[`{Zz"), "ropeoperation_12@[`{zz");
  EXPECT_EQ(asciiLower("ÄÖ ΣΩ"), "ÄÖ ΣΩ");
  EXPECT_EQ(asciiLower(""), "");
}

}  // namespace
}  // namespace ulp
