#include "core/base/text/utf8.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(CountCodePoints, CountsBeginningsAlone) {
  EXPECT_EQ(countCodePoints(""), 0U);
  EXPECT_EQ(countCodePoints("a\xC3\xA4\xE2\x80\xA6z"), 4U);
}

TEST(ValidUtf8, EachByteThatIsNoneIsReplaced) {
  EXPECT_EQ(validUtf8("a\xC3\xA4"), "a\xC3\xA4");
  EXPECT_EQ(validUtf8("a\xFF\xC3z"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
  EXPECT_EQ(validUtf8(""), "");
}

}  // namespace
}  // namespace ulp
