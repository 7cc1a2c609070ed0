#include "core/base/text/visible_text.h"

#include <gtest/gtest.h>

namespace ulp {
namespace {

TEST(VisibleText, KeepsWhatIsSeen) {
  for (const char* text :
       {"", "decoder.0 [q]", "é ∞ → 数 🙂", "two\nlines\tand a tab", "\\x1b"}) {
    EXPECT_EQ(visibleText(text), text);
  }
}

TEST(VisibleText, ShowsCodesThatATerminalWouldObey) {
  EXPECT_EQ(visibleText("\x1b[31mred\x07\r\x7f"), "\\x1b[31mred\\x07\\x0d\\x7f");
  EXPECT_EQ(visibleText("\u009b2J\u0085"), "\\x9b2J\\x85");
  EXPECT_EQ(visibleText(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(VisibleText, ShowsMarksOfDirectionAndBytesThatAreNoText) {
  EXPECT_EQ(visibleText("a\u202eb\u2069\u200f\u061c\u2028"),
            "a\\u202eb\\u2069\\u200f\\u061c\\u2028");
  EXPECT_EQ(visibleText("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(visibleText("\xed\xa0\x80\uffff"), "\\xed\\xa0\\x80\\uffff");
}

TEST(VisibleLine, HasOneLine) {
  EXPECT_EQ(visibleLine("a\nb\tc\r"), "a b c\\x0d");
}

TEST(EscapedMarkup, IsTextAndNoMarkup) {
  EXPECT_EQ(escapedMarkup("<a b=\"c\">&amp;\x1b"), "&lt;a b=&quot;c&quot;&gt;&amp;amp;\\x1b");
}

}  // namespace
}  // namespace ulp
