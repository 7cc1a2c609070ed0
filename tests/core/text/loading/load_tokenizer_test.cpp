#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/text/tokenizers/tokenizer.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/data/long_json.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::text {
namespace {

using testing::HasSubstr;

constexpr std::string_view kLetters =
    R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}})";

TEST(LoadTokenizer, OfAFolderTakesItsFiles) {
  const test::TempDir folder;
  folder.write("tokenizer.json", kLetters);
  folder.write("tokenizer_config.json", R"({"eos_token": "b"})");
  const auto tokenizer = loadTokenizer(folder.path());
  ASSERT_TRUE(tokenizer) << tokenizer.error().message();
  EXPECT_EQ((*tokenizer)->description(), "tokenizer.json, BPE, 3 tokens");
  EXPECT_EQ((*tokenizer)->endOfText(), 1);
  EXPECT_EQ((*tokenizer)->encode("abb")->size(), 2U);
}

std::vector<std::int64_t> chatIds(const test::TempDir& folder, std::string_view text) {
  const auto tokenizer = loadChatTokenizer(folder.path());
  EXPECT_TRUE(tokenizer) << tokenizer.error().message();
  std::vector<std::int64_t> ids;
  const auto tokens = (*tokenizer)->encodePart(text).value();
  for (const Token& token : tokens) {
    ids.push_back(token.id);
  }
  return ids;
}

// The numbers are those of transformers 5.23 for these files.
TEST(LoadTokenizer, ChatsHaveTheTokensThatTheConfigurationNames) {
  using testing::ElementsAre;
  const test::TempDir folder;
  folder.write("tokenizer.json", kLetters);
  folder.write("tokenizer_config.json",
               R"({"added_tokens_decoder": {"20": {"content": "<y>", "special": true},
                                            "7": {"content": "<x>", "special": true},
                                            "2": {"content": "ab", "special": false}},
                   "pad_token": "<p>", "eos_token": {"__type": "AddedToken", "content": "<y>"},
                   "image_token": "<i>", "additional_special_tokens": ["<z>", "<x>"]})");
  folder.write("special_tokens_map.json", R"({"cls_token": "<none>"})");
  EXPECT_THAT(chatIds(folder, "<x><y><p><i><z>ab"), ElementsAre(3, 4, 5, 6, 7, 2));
  EXPECT_EQ((*loadChatTokenizer(folder.path()))->endOfText(), 4);
  EXPECT_TRUE((*loadChatTokenizer(folder.path()))->isSpecial(7));
  EXPECT_EQ((*loadTokenizer(folder.path()))->size(), 3) << "text has the ids of tokenizers";

  folder.write("tokenizer_config.json", R"({"eos_token": "<e>", "extra_special_tokens": ["<q>"]})");
  folder.write("special_tokens_map.json",
               R"({"eos_token": {"content": "<f>"}, "additional_special_tokens": ["<none>"]})");
  folder.write("added_tokens.json", R"({"<w>": 9, "<q>": 8})");
  EXPECT_THAT(chatIds(folder, "<q><w><f>"), ElementsAre(3, 4, 5));
}

TEST(LoadTokenizer, AConfigurationThatIsNoJsonNamesNothing) {
  const test::TempDir folder;
  folder.write("tokenizer.json", kLetters);
  folder.write("tokenizer_config.json", "no JSON");
  const auto tokenizer = loadTokenizer(folder.path());
  ASSERT_TRUE(tokenizer) << tokenizer.error().message();
  EXPECT_EQ((*tokenizer)->endOfText(), std::nullopt);
}

/// What is cut off by a stop is not a configuration that says nothing.
TEST(LoadTokenizer, AStopWithinTheConfigurationIsNoMissingOne) {
  const test::TempDir folder;
  folder.write("tokenizer.json", kLetters);
  folder.write("tokenizer_config.json",
               R"({"eos_token": "b", "others": )" + test::longJsonList() + "}");
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto tokenizer = loadTokenizer(folder.path());
  ASSERT_FALSE(tokenizer);
  EXPECT_EQ(tokenizer.error().code(), ErrorCode::Cancelled);
  EXPECT_THAT(tokenizer.error().message(), HasSubstr("tokenizer_config.json: "));
}

TEST(LoadTokenizer, SaysWhatItLookedFor) {
  const test::TempDir folder;
  const auto none = loadTokenizer(folder.path());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(none.error().message(), HasSubstr("tokenizer.json nor tokenizer.model"));
  EXPECT_EQ(loadTokenizer(folder / "none.json").error().code(), ErrorCode::NotFound);
  EXPECT_EQ(loadTokenizer(folder.write("a.txt", "")).error().code(), ErrorCode::Unsupported);
}

TEST(LoadTokenizer, OfAFileThatIsNoSentencepieceModelIsAnError) {
  const test::TempDir folder;
  for (const std::string_view bytes : {"", "\x0a\x05", "not a model at all"}) {
    const auto tokenizer = loadTokenizer(folder.write("tokenizer.model", bytes));
    ASSERT_FALSE(tokenizer);
    EXPECT_EQ(tokenizer.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(tokenizer.error().message(), HasSubstr("tokenizer.model"));
  }
}

TEST(DecodedText, SaysWhereEachTokenLies) {
  const test::TempDir folder;
  const auto tokenizer = loadTokenizer(folder.write("tokenizer.json", kLetters));
  ASSERT_TRUE(tokenizer);
  const std::vector<std::int64_t> ids{2, 0, 99};
  const DecodedText decoded = decode(**tokenizer, ids);
  EXPECT_EQ(decoded.text, "aba");
  ASSERT_EQ(decoded.tokens.size(), 3U);
  EXPECT_EQ(decoded.tokens[1].begin, 2U);
  EXPECT_EQ(decoded.tokens[1].end, 3U);
  EXPECT_EQ(decoded.tokens[2].begin, decoded.tokens[2].end);
}

}  // namespace
}  // namespace ulp::text
