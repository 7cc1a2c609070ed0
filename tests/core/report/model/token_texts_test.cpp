#include "core/report/model/token_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

class TokenTextFile : public testing::Test {
 protected:
  void write(std::string_view json) const {
    ASSERT_TRUE(writeFileAtomically(m_dir.path() / kTokenTextFile, json));
  }

  test::TempDir m_dir;
};

TEST_F(TokenTextFile, HoldsWhatWasWritten) {
  const TokenTexts written{.sequences = 2,
                           .length = 2,
                           .ids = {5, 7, 5, 7, 9, -100},
                           .tokenizer = "BPE",
                           .texts = {{5, " is\n\""}, {7, "ä"}, {9, "<0xE4>"}}};
  ASSERT_TRUE(writeTokenTexts(written, m_dir.path()));
  const auto read = readTokenTexts(m_dir.path());
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_TRUE(read->has_value());
  EXPECT_EQ((*read)->ids, written.ids);
  EXPECT_EQ((*read)->texts, written.texts);
  EXPECT_EQ((*read)->tokenizer, "BPE");
  EXPECT_EQ((*read)->predicted(0, 0), 7);
  EXPECT_EQ((*read)->predicted(1, 1), -100);
  EXPECT_EQ((*read)->textOf(7), "ä");
  EXPECT_EQ((*read)->textOf(-100), "");
}

TEST_F(TokenTextFile, SaysWhatStandsAtThePositionsOfOneSequence) {
  TokenTexts tokens{
      .sequences = 1, .length = 2, .ids = {5, 7, 9}, .texts = {{5, " is\n"}, {9, "\t\x1b"}}};
  ASSERT_TRUE(writeTokenTexts(tokens, m_dir.path()));
  EXPECT_EQ(tokensByPosition(m_dir.path()), (std::vector<std::string>{"␣is↵", "#7", "⇥\\x1b"}));
  EXPECT_TRUE(tokensByPosition(m_dir.path() / "none").empty());
  ASSERT_TRUE(writeTokenTexts({.sequences = 2, .length = 1, .ids = {5, 7, 9, 5}}, m_dir.path()));
  EXPECT_TRUE(tokensByPosition(m_dir.path()).empty()) << "each position has two";
}

TEST_F(TokenTextFile, MayBeMissing) {
  const auto read = readTokenTexts(m_dir.path());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_FALSE(read->has_value());
}

TEST_F(TokenTextFile, IsCheckedBeforeItIsUsed) {
  for (const char* json : {R"({"sequences": 2, "length": 2, "ids": [[1, 2, 3]]})",
                           R"({"sequences": 1, "length": 9223372036854775807, "ids": [[1]]})",
                           R"({"sequences": 0, "length": 0, "ids": []})",
                           R"({"texts": {"seven": "x"}})",
                           R"({"ids": [1])"}) {
    write(json);
    const auto read = readTokenTexts(m_dir.path());
    ASSERT_FALSE(read) << json;
    EXPECT_EQ(read.error().code(), ErrorCode::CorruptData) << json;
    EXPECT_THAT(read.error().message(), HasSubstr("tokens.json"));
  }
  write(R"({"schema": "ulpscope.tokens/2"})");
  EXPECT_EQ(readTokenTexts(m_dir.path()).error().code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp::report
