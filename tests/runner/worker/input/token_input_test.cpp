#include "runner/worker/input/token_input.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/fake_engine.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TokenInputTest : public testing::Test {
 protected:
  study::Study tokensFrom(const std::string& json) {
    study::Study study;
    study.inputSource = study::InputSource::Tokens;
    study.inputPath = m_folder.write("ids.json", json);
    return study;
  }

  Error failure(const study::Study& study) {
    auto tokens = loadTokens(study, 100, m_engine);
    EXPECT_FALSE(tokens);
    return tokens ? Error(ErrorCode::Internal, "") : tokens.error();
  }

  test::TempDir m_folder;
  test::FakeEngine m_engine;
};

TEST_F(TokenInputTest, RandomTokensAreTheEngines) {
  study::Study study;
  study.sequenceLength = 7;
  study.microBatchSize = 2;
  study.seed = 3;
  const auto tokens = loadTokens(study, 100, m_engine);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->tokens.ids, m_engine.randomTokens(100, 2, 7, 3)->ids);
  EXPECT_EQ(tokens->tokens.batch, 2);
  EXPECT_EQ(tokens->tokens.length, 7);
}

TEST_F(TokenInputTest, AFileGivesBatchAndLength) {
  const auto tokens = loadTokens(tokensFrom("[[1,2,3,4],[5,6,7,99]]"), 100, m_engine);
  ASSERT_TRUE(tokens) << tokens.error().message();
  EXPECT_EQ(tokens->tokens.batch, 2);
  EXPECT_EQ(tokens->tokens.length, 3);
  EXPECT_EQ(tokens->tokens.ids.back(), 99);
}

TEST_F(TokenInputTest, AnIdBeyondTheVocabularyIsNamedWithItsPlace) {
  for (const char* id : {"100", "-1"}) {
    const Error error = failure(tokensFrom(std::string("[[1,2,3],[4,") + id + ",6]]"));
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_NE(error.message().find("ids.json: [1, 1]: token id " + std::string(id)),
              std::string::npos)
        << error.message();
    EXPECT_NE(error.message().find("0 to 99"), std::string::npos) << error.message();
  }
}

TEST_F(TokenInputTest, SettingsThatContradictTheFileAreNamed) {
  study::Study study = tokensFrom("[[1,2,3,4]]");
  study.sequenceLength = 4;
  EXPECT_NE(failure(study).message().find("input.sequence_length 3"), std::string::npos)
      << failure(study).message();
  study.sequenceLength = 3;
  study.microBatchSize = 2;
  EXPECT_NE(failure(study).message().find("input.micro_batch_size 1"), std::string::npos);
  study.microBatchSize = 1;
  EXPECT_TRUE(loadTokens(study, 100, m_engine));
}

TEST_F(TokenInputTest, TooFewTokensAreRefused) {
  EXPECT_EQ(failure(tokensFrom("[[1]]")).code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(failure(tokensFrom("[[[1,2]]]")).code(), ErrorCode::InvalidArgument);
}

TEST_F(TokenInputTest, AMissingFileIsNamed) {
  study::Study study = tokensFrom("[[1,2]]");
  study.inputPath = m_folder / "none.json";
  EXPECT_EQ(failure(study).code(), ErrorCode::NotFound);
  EXPECT_NE(failure(study).message().find("none.json"), std::string::npos);
}

TEST_F(TokenInputTest, SequencesOfSeveralBatchesAreOneStream) {
  study::Study study;
  study.sequenceLength = 7;
  study.microBatchSize = 2;
  study.sequences = 4;
  const auto tokens = loadTokens(study, 100, m_engine);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->tokens.ids, m_engine.randomTokens(100, 4, 7, 0)->ids);
  EXPECT_EQ(tokens->tokens.batch, 4);
}

/// A tokenizer whose ids are the letters' places in the alphabet; 26 is a blank, 27 ends a text.
class TextInputTest : public TokenInputTest {
 protected:
  TextInputTest() {
    std::string vocabulary;
    for (char c = 'a'; c <= 'z'; ++c) {
      vocabulary += fmt::format("\"{}\": {}, ", c, c - 'a');
    }
    m_folder.write("tokenizer.json",
                   fmt::format(R"({{"model": {{"type": "BPE", "vocab": {{{}" ": 26, "</s>": 27}},)"
                               R"( "merges": []}}}})",
                               vocabulary));
    m_folder.write("tokenizer_config.json", R"({"eos_token": "</s>"})");
  }

  study::Study studyOf(study::InputSource source, std::string_view name, std::string_view content) {
    study::Study study;
    study.modelPath = m_folder.path().string();
    study.inputSource = source;
    study.inputPath = m_folder.write(name, content);
    study.inputField = "text";
    study.sequenceLength = 3;
    study.microBatchSize = 2;
    return study;
  }

  std::vector<std::int64_t> idsOf(const study::Study& study) {
    const auto tokens = loadTokens(study, 28, m_engine);
    EXPECT_TRUE(tokens) << tokens.error().message();
    if (!tokens) {
      return {};
    }
    EXPECT_EQ(tokens->tokens.batch, 2);
    EXPECT_EQ(tokens->tokens.length, 3);
    m_description = tokens->description;
    return tokens->tokens.ids;
  }

  std::string m_description;
};

TEST_F(TextInputTest, ATextIsCut) {
  EXPECT_THAT(idsOf(studyOf(study::InputSource::Text, "a.txt", "abcdefghij")),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(m_description, HasSubstr("a.txt: 10 tokens"));
  EXPECT_THAT(m_description, HasSubstr("the first 8 are used"));
}

TEST_F(TextInputTest, AShortTextIsRepeated) {
  EXPECT_THAT(idsOf(studyOf(study::InputSource::Text, "a.txt", "abc")),
              ElementsAre(0, 1, 2, 0, 1, 2, 0, 1));
  EXPECT_THAT(m_description, HasSubstr("repeated to fill 8"));
}

TEST_F(TextInputTest, SeveralSamplesAreNotMadeOfARepeatedText) {
  study::Study study = studyOf(study::InputSource::Text, "a.txt", "abcdefghij");
  study.sequences = 4;
  const Error error = failure(study);
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(error.message(),
              HasSubstr("its 10 tokens suffice for 2 sequences of 4 tokens, but the study asks for "
                        "4"));
}

TEST_F(TextInputTest, EverySequenceOfADatasetBeginsWithADocument) {
  EXPECT_THAT(idsOf(studyOf(study::InputSource::Dataset, "a.txt", "abcdefg\na\nbcd\nz")),
              ElementsAre(0, 1, 2, 3, 0, 27, 1, 2));
  EXPECT_THAT(m_description, HasSubstr("2 sequences of 4 tokens"));
  EXPECT_THAT(m_description, HasSubstr("out of 3 documents, of whose tokens 4 are left out"));
  EXPECT_THAT(
      idsOf(studyOf(
          study::InputSource::Dataset, "a.jsonl", "{\"text\": \"aaaa\"}\n{\"text\": \"bbbb\"}")),
      ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
}

/// With a tokenizer that would begin every text with its own token, 2.
TEST_F(TextInputTest, ConversationsAreWrittenByTheChatTemplateAlone) {
  m_folder.write("tokenizer.json",
                 R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "<s>": 2, "</s>": 3},
                     "merges": []},
                     "added_tokens": [{"id": 3, "content": "</s>", "special": true}],
                     "post_processor": {"type": "TemplateProcessing",
                       "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                                  {"Sequence": {"id": "A", "type_id": 0}}],
                       "pair": [], "special_tokens": {"<s>": {"id": "<s>", "ids": [2],
                                                              "tokens": ["<s>"]}}}})");
  m_folder.write(
      "tokenizer_config.json",
      R"({"eos_token": "</s>", "chat_template": "{% for m in messages %}{% if m.role != )"
      R"('system' %}{{ m.content }}{{ eos_token }}{% endif %}{% endfor %}{% if )"
      R"(add_generation_prompt %}b{% endif %}"})");
  study::Study study = studyOf(study::InputSource::Dataset,
                               "a.jsonl",
                               R"({"messages": [{"role": "user", "content": "aab"}]})"
                               "\n"
                               R"({"problem": "a", "solution": "a"})");
  study.chatTemplate = true;
  study.inputField = "messages";
  EXPECT_THAT(idsOf(study), ElementsAre(0, 0, 1, 3, 0, 3, 1, 0));
  EXPECT_THAT(m_description, HasSubstr("chat template of "));
  EXPECT_THAT(m_description, HasSubstr("tokenizer_config.json: chat_template"));
}

TEST_F(TextInputTest, AModelWithoutAChatTemplateIsSaid) {
  study::Study study = studyOf(study::InputSource::Dataset, "a.jsonl", "");
  study.chatTemplate = true;
  const Error error = failure(study);
  EXPECT_EQ(error.code(), ErrorCode::NotFound);
  EXPECT_THAT(error.message(), HasSubstr("no chat template"));
}

TEST_F(TextInputTest, TooFewDocumentsAreAnError) {
  const Error error = failure(studyOf(study::InputSource::Dataset, "a.txt", "abcdefg\nab"));
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(error.message(), HasSubstr("suffice for 1 sequences of 4 tokens"));
}

TEST_F(TextInputTest, WhatCannotBeTokenisedIsNamedWithItsPlace) {
  EXPECT_THAT(failure(studyOf(study::InputSource::Text, "a.txt", "")).message(),
              HasSubstr("a.txt: holds no text"));
  EXPECT_THAT(failure(studyOf(study::InputSource::Text, "a.txt", "ab\xff")).message(),
              HasSubstr("a.txt: byte 2"));
  EXPECT_THAT(failure(studyOf(study::InputSource::Dataset, "a.txt", "ab\nb\xff")).message(),
              HasSubstr("a.txt:2: byte 1"));
}

TEST_F(TextInputTest, ATokenizerOfAnotherModelIsNoticed) {
  const auto tokens =
      loadTokens(studyOf(study::InputSource::Text, "a.txt", "abcdefgh"), 5, m_engine);
  ASSERT_FALSE(tokens);
  EXPECT_THAT(tokens.error().message(), HasSubstr("the token 7 ('h')"));
  EXPECT_THAT(tokens.error().message(), HasSubstr("has 5"));
}

TEST_F(TextInputTest, AnotherTokenizerCanBeNamed) {
  study::Study study = studyOf(study::InputSource::Text, "a.txt", "aab");
  study.tokenizerPath =
      m_folder.write("other/tokenizer.json",
                     R"({"model": {"type": "BPE", "vocab": {"a": 3, "b": 4}, "merges": []}})");
  EXPECT_THAT(idsOf(study), ElementsAre(3, 3, 4, 3, 3, 4, 3, 3));
  study.tokenizerPath = m_folder / "none";
  EXPECT_THAT(failure(study).message(), HasSubstr("input.tokenizer"));
}

// python3 -c "import hashlib,struct;
// print(hashlib.sha256(struct.pack('<5q',1,2,7,8,9)).hexdigest())"
TEST(TokenDigest, IsSha256OverShapeAndIds) {
  EXPECT_EQ(*tokenDigest({.ids = {7, 8, 9}, .batch = 1, .length = 2}),
            "4ffd9c01a47aa9360a215c9b34e409b2d2c7489b6b7ee71f12eb51fa8f6dd865");
  EXPECT_NE(*tokenDigest({.ids = {1, 2, 3, 4}, .batch = 1, .length = 3}),
            *tokenDigest({.ids = {1, 2, 3, 4}, .batch = 2, .length = 1}));
}

/// Three tokens: a word, a part of a character, a line break.
class ThreeTokens final : public text::Tokenizer {
 public:
  [[nodiscard]] Result<std::vector<text::Token>> encode(std::string_view /*text*/) const override {
    return fail(ErrorCode::Unsupported, "not needed here");
  }
  [[nodiscard]] Result<std::vector<text::Token>> encodePart(std::string_view text) const override {
    return encode(text);
  }
  [[nodiscard]] std::int64_t size() const override { return 3; }
  [[nodiscard]] std::string spelling(std::int64_t id) const override { return bytes(id); }
  [[nodiscard]] std::string bytes(std::int64_t id) const override {
    return id == 0 ? " is" : id == 1 ? "\xE4\xB8" : "\n";
  }
  [[nodiscard]] bool dropsFirstSpace() const override { return false; }
  [[nodiscard]] bool isSpecial(std::int64_t /*id*/) const override { return false; }
  [[nodiscard]] std::optional<std::int64_t> endOfText() const override { return std::nullopt; }
  [[nodiscard]] std::string description() const override { return "three tokens"; }
};

TEST(TokenTextsOf, TakesEveryMicroBatchInOrderAndLeavesPaddingWithoutText) {
  const std::vector<engine::TokenBatch> batches{{.ids = {0, 1, 2}, .batch = 1, .length = 2},
                                                {.ids = {2, 0, -100}, .batch = 1, .length = 2}};
  const report::TokenTexts tokens = tokenTextsOf(batches, std::make_shared<ThreeTokens>());
  EXPECT_EQ(tokens.sequences, 2);
  EXPECT_EQ(tokens.length, 2);
  EXPECT_EQ(tokens.ids, (std::vector<std::int64_t>{0, 1, 2, 2, 0, -100}));
  EXPECT_EQ(tokens.tokenizer, "three tokens");
  EXPECT_EQ(tokens.texts,
            (std::map<std::int64_t, std::string>{{0, " is"}, {1, "<0xE4><0xB8>"}, {2, "\n"}}));
}

TEST(TokenTextsOf, WithoutATokenizerAreIdsAlone) {
  const std::vector<engine::TokenBatch> batches{{.ids = {4, 5}, .batch = 1, .length = 1}};
  const report::TokenTexts tokens = tokenTextsOf(batches, nullptr);
  EXPECT_EQ(tokens.ids, (std::vector<std::int64_t>{4, 5}));
  EXPECT_TRUE(tokens.tokenizer.empty());
  EXPECT_TRUE(tokens.texts.empty());
}

}  // namespace
}  // namespace ulp::worker
