#include <gtest/gtest.h>

#include "views/framework/workspace/study_history.h"

namespace ulp::views {
namespace {

TextChange between(const char* before, const char* after) {
  return changeBetween(QString::fromUtf8(before), QString::fromUtf8(after));
}

TEST(TextChange, IsTheSmallestThatDoes) {
  const TextChange change = between("a: 1\nb: 2\n", "a: 1\nb: 25\n");
  EXPECT_EQ(change.at, 9);
  EXPECT_EQ(change.removed, QString());
  EXPECT_EQ(change.inserted, QStringLiteral("5"));
  EXPECT_TRUE(between("same", "same").isEmpty());
  EXPECT_EQ(between("aaa", "aa").removed, QStringLiteral("a"));
  EXPECT_EQ(between("", "x").inserted, QStringLiteral("x"));
}

TEST(TextChange, NeverCutsACharacterInTwo) {
  const TextChange change = between("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x81");
  EXPECT_EQ(change.at, 0);
  EXPECT_EQ(change.inserted.size(), 2);
}

TEST(TextChange, KnowsTypingThatGoesOn) {
  EXPECT_TRUE(continuesTyping(between("", "a"), between("a", "ab")));
  EXPECT_FALSE(continuesTyping(between("", "a"), between("a", "a\n")));
  EXPECT_FALSE(continuesTyping(between("xy", "axy"), between("axy", "axyb")));
  EXPECT_TRUE(continuesTyping(between("abc", "ab"), between("ab", "a")));
  EXPECT_FALSE(continuesTyping(between("abc", "ab"), between("ab", "abd")));
}

TEST(TextChange, EditsOfAShownTextKeepLineEndsElsewhere) {
  const QString text = QStringLiteral("a: 1\r\nb:\u00a02\r\nc: 3\n");
  const QString shown = asShown(text);
  EXPECT_EQ(shown, QStringLiteral("a: 1\nb: 2\nc: 3\n"));
  EXPECT_EQ(withShownEdit(text, shown), text);
  EXPECT_EQ(withShownEdit(text, QStringLiteral("a: 1\nb: 2\nx\nc: 3\n")),
            QStringLiteral("a: 1\r\nb:\u00a02\r\nx\r\nc: 3\n"));
  EXPECT_EQ(withShownEdit(text, QStringLiteral("a: 1\nc: 3\n")), QStringLiteral("a: 1\r\nc: 3\n"));
  EXPECT_EQ(withShownEdit(QString(), QStringLiteral("a\n")), QStringLiteral("a\n"));
}

}  // namespace
}  // namespace ulp::views
