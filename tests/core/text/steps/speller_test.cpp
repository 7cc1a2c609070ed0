#include "core/text/steps/speller.h"

#include <gtest/gtest.h>

namespace ulp::text {
namespace {

TEST(Speller, UndoesWhatAVocabularyWritesForBytes) {
  const Speller byteLevel{.isByteLevel = true};
  EXPECT_EQ(byteLevel.bytesOf("\u0120is"), " is");
  EXPECT_EQ(byteLevel.bytesOf("\u4E00"), "\u4E00") << "what the alphabet has not stays";
  const Speller tokens{.hasByteTokens = true, .space = "\u2581"};
  EXPECT_EQ(tokens.bytesOf("<0x0A>"), "\n");
  EXPECT_EQ(tokens.bytesOf("<0xfF>"), "\xFF");
  EXPECT_EQ(tokens.bytesOf("\u2581is\u2581"), " is ");
  for (const char* const text : {"<0x0>", "<0x0A0>", "<0x0A ", "<0x1G>", "<0xG1>", "<1x0A>"}) {
    EXPECT_EQ(tokens.bytesOf(text), text);
  }
  EXPECT_EQ(Speller{}.bytesOf("<0x0A>"), "<0x0A>");
}

TEST(Speller, TellsWhereWordsBeginAndEnd) {
  EXPECT_EQ(Speller{.wordEnd = "</w>"}.bytesOf("low</w>"), "low ");
  const Speller wordPiece{.continuingPrefix = "##"};
  EXPECT_EQ(wordPiece.bytesOf("##ing"), "ing");
  EXPECT_EQ(wordPiece.bytesOf("play"), " play");
  EXPECT_EQ(Speller{}.bytesOf("play"), "play");
}

}  // namespace
}  // namespace ulp::text
