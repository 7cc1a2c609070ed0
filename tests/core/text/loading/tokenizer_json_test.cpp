#include "core/text/loading/tokenizer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/json/parse.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::text {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// A tokenizer of letters and two merges.
Json lettersBpe() {
  return {{"version", "1.0"},
          {"added_tokens", Json::array()},
          {"model",
           {{"type", "BPE"},
            {"vocab", {{"a", 0}, {"b", 1}, {"c", 2}, {"ab", 3}, {"abc", 4}, {"<unk>", 5}}},
            {"merges", {"a b", "ab c"}}}}};
}

std::vector<std::int64_t> idsOf(const Json& file, std::string_view text) {
  const auto tokenizer = parseTokenizerJson(file.dump(), "tokenizer.json");
  EXPECT_TRUE(tokenizer) << tokenizer.error().message();
  std::vector<std::int64_t> ids;
  if (tokenizer) {
    const auto tokens = (*tokenizer)->encode(text);
    EXPECT_TRUE(tokens) << tokens.error().message();
    for (const Token& token : tokens.value_or(std::vector<Token>())) {
      ids.push_back(token.id);
    }
  }
  return ids;
}

Error failureOf(const std::string& text) {
  const auto tokenizer = parseTokenizerJson(text, "tokenizer.json");
  EXPECT_FALSE(tokenizer);
  return tokenizer ? Error(ErrorCode::Internal, "") : tokenizer.error();
}

Error failureOf(const Json& file) {
  return failureOf(file.dump());
}

TEST(TokenizerJson, MergesInTheOrderOfTheList) {
  EXPECT_THAT(idsOf(lettersBpe(), "abcab"), ElementsAre(4, 3));
  Json pairs = lettersBpe();
  pairs["model"]["merges"] = Json::array({{"b", "c"}, {"a", "b"}});
  pairs["model"]["vocab"]["bc"] = 6;
  EXPECT_THAT(idsOf(pairs, "abcab"), ElementsAre(0, 6, 3));
}

TEST(TokenizerJson, UnknownCharactersAreOneTokenWhereTheyAreFused) {
  Json file = lettersBpe();
  file["model"]["unk_token"] = "<unk>";
  EXPECT_THAT(idsOf(file, "axyb"), ElementsAre(0, 5, 5, 1));
  file["model"]["fuse_unk"] = true;
  EXPECT_THAT(idsOf(file, "axyb"), ElementsAre(0, 5, 1));
}

TEST(TokenizerJson, ATemplateFramesTheText) {
  Json file = lettersBpe();
  file["added_tokens"] = Json::array({{{"id", 7}, {"content", "<s>"}, {"special", true}}});
  file["post_processor"] = {
      {"type", "TemplateProcessing"},
      {"single",
       Json::array({{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}},
                    {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}})},
      {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {7}}, {"tokens", {"<s>"}}}}}}};
  EXPECT_THAT(idsOf(file, "a<s>b"), ElementsAre(7, 0, 7, 1));
}

TEST(TokenizerJson, SpecialTokensAreThoseThatTheFileCallsSo) {
  Json file = lettersBpe();
  file["added_tokens"] = Json::array({{{"id", 7}, {"content", "<s>"}, {"special", true}},
                                      {{"id", 8}, {"content", "word"}, {"special", false}}});
  const auto tokenizer = parseTokenizerJson(file.dump(), "tokenizer.json");
  ASSERT_TRUE(tokenizer) << tokenizer.error().message();
  EXPECT_TRUE((*tokenizer)->isSpecial(7));
  for (const std::int64_t other : {0, 5, 6, 8, 9, -1}) {
    EXPECT_FALSE((*tokenizer)->isSpecial(other)) << other;
  }
  EXPECT_EQ((*tokenizer)->size(), 9);
  EXPECT_EQ((*tokenizer)->spelling(8), "word");
  EXPECT_EQ((*tokenizer)->spelling(6), "");
  EXPECT_EQ((*tokenizer)->endOfText(), std::nullopt);
}

TEST(TokenizerJson, TokensNameTheBytesThatTheyStandFor) {
  Json file = lettersBpe();
  file["normalizer"] = {{"type", "Replace"}, {"pattern", {{"String", "é"}}}, {"content", "ab"}};
  const auto tokenizer = parseTokenizerJson(file.dump(), "tokenizer.json");
  ASSERT_TRUE(tokenizer);
  const auto tokens = (*tokenizer)->encode("cécc");
  ASSERT_TRUE(tokens);
  ASSERT_EQ(tokens->size(), 3U);
  EXPECT_EQ((*tokens)[1].id, 4);
  EXPECT_EQ((*tokens)[1].begin, 1U);
  EXPECT_EQ((*tokens)[1].end, 4U);
  EXPECT_EQ((*tokens)[2].begin, 4U);
}

TEST(TokenizerJson, TextThatIsNotUtf8IsRefusedWithItsPlace) {
  const auto tokenizer = parseTokenizerJson(lettersBpe().dump(), "tokenizer.json");
  ASSERT_TRUE(tokenizer);
  for (const std::string_view text : {"ab\xff", "ab\xc3", "ab\xed\xa0\x80", "ab\xc0\x80"}) {
    const auto tokens = (*tokenizer)->encode(text);
    ASSERT_FALSE(tokens);
    EXPECT_EQ(tokens.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(tokens.error().message(), HasSubstr("byte 2"));
  }
}

TEST(TokenizerJson, AVeryLongWordTakesNoQuadraticTime) {
  std::string word;
  for (int i = 0; i < 400'000; ++i) {
    word += "abc";
  }
  EXPECT_EQ(idsOf(lettersBpe(), word).size(), 400'000U);
}

TEST(TokenizerJson, EveryTruncationIsAnError) {
  const std::string whole = lettersBpe().dump();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(failureOf(whole.substr(0, size)).code(), ErrorCode::CorruptData);
  }
}

TEST(TokenizerJson, PartsThatAreNotKnownAreNamed) {
  const auto expectUnsupported = [](const char* key, const Json& part, const char* name) {
    Json file = lettersBpe();
    file[key] = part;
    const Error error = failureOf(file);
    EXPECT_EQ(error.code(), ErrorCode::Unsupported) << error.message();
    EXPECT_THAT(error.message(), HasSubstr("tokenizer.json: "));
    EXPECT_THAT(error.message(), HasSubstr(name));
  };
  expectUnsupported(
      "pre_tokenizer", {{"type", "UnicodeScripts"}}, "pre_tokenizer: 'UnicodeScripts'");
  expectUnsupported("normalizer", {{"type", "Transliterate"}}, "normalizer: 'Transliterate'");
  expectUnsupported("post_processor", {{"type", "Other"}}, "post_processor: 'Other'");
  expectUnsupported(
      "model", {{"type", "WordLevel"}, {"vocab", Json::object()}}, "model: 'WordLevel'");
  expectUnsupported("version", "2.0", "version '2.0'");
  Json file = lettersBpe();
  file["model"]["dropout"] = 0.1;
  EXPECT_EQ(failureOf(file).code(), ErrorCode::Unsupported);
  EXPECT_THAT(failureOf(file).message(), HasSubstr("dropout"));
}

TEST(TokenizerJson, PartsThatContradictThemselvesAreErrorsWithTheirPlace) {
  const auto expectCorrupt =
      [](const Json::json_pointer& place, const Json& value, const char* what) {
        Json file = lettersBpe();
        file[place] = value;
        const Error error = failureOf(file);
        EXPECT_EQ(error.code(), ErrorCode::CorruptData) << error.message();
        EXPECT_THAT(error.message(), HasSubstr(what));
      };
  using Pointer = Json::json_pointer;
  expectCorrupt(Pointer("/model/merges"), Json::array({"a x"}), "merges[0]: 'x' is not a token");
  expectCorrupt(Pointer("/model/merges"), Json::array({"b a"}), "merges[0]: 'ba' is not a token");
  expectCorrupt(Pointer("/model/merges"), Json::array({"ab"}), "merges[0]: a merge is two tokens");
  expectCorrupt(Pointer("/model/merges"), 3, "model.merges: a list is needed");
  expectCorrupt(Pointer("/model/vocab/a"), 1, "same number 1");
  expectCorrupt(Pointer("/model/vocab/a"), -1, "number -1");
  expectCorrupt(Pointer("/model/vocab/a"), 1'000'000'000'000, "number 1000000000000");
  expectCorrupt(Pointer("/model/vocab/a"), "x", "no integer");
  expectCorrupt(Pointer("/model/unk_token"), "none", "'none' is not in the vocabulary");
  expectCorrupt(
      Pointer("/added_tokens"), Json::array({{{"id", 3}, {"content", "<s>"}}}), "added_tokens[0]");
  expectCorrupt(Pointer("/added_tokens"),
                Json::array({{{"id", 1'000'000'000}, {"content", "<s>"}}}),
                "beyond every vocabulary");
  expectCorrupt(Pointer("/normalizer"), {{"type", "Replace"}}, "normalizer: 'pattern' is missing");
  expectCorrupt(Pointer("/normalizer"), Json::array(), "'type' is missing");
}

TEST(TokenizerJson, NestingIsLimited) {
  Json part = {{"type", "NFC"}};
  for (int i = 0; i < 40; ++i) {
    part = {{"type", "Sequence"}, {"normalizers", Json::array({part})}};
  }
  Json file = lettersBpe();
  file["normalizer"] = part;
  EXPECT_THAT(failureOf(file).message(), HasSubstr("nested too deeply"));
}

TEST(TokenizerJson, ABrokenPatternIsQuoted) {
  Json file = lettersBpe();
  file["pre_tokenizer"] = {{"type", "Split"},
                           {"pattern", {{"Regex", "(a"}}},
                           {"behavior", "Isolated"},
                           {"invert", false}};
  const Error error = failureOf(file);
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(error.message(), HasSubstr("pre_tokenizer.pattern: regular expression '(a'"));
}

TEST(TokenizerJson, TheEndOfATextIsNamedByTheConfiguration) {
  const auto named = [](std::string_view config) {
    return tokenIn(ulp::json::parse(config).value(), "eos_token");
  };
  EXPECT_EQ(named(R"({"eos_token": "</s>"})"), "</s>");
  EXPECT_EQ(named(R"({"eos_token": {"content": "</s>"}})"), "</s>");
  EXPECT_EQ(named(R"({"eos_token": null})"), std::nullopt);
  const auto tokenizer = parseTokenizerJson(lettersBpe().dump(), "tokenizer.json", "abc");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ((*tokenizer)->endOfText(), 4);
}

TEST(TokenizerJson, WhatGrowsWithoutEndIsRefused) {
  const Json doubling = {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}};
  const Json bytes = {{"type", "ByteLevel"}};
  const Json lengthening = {{"type", "Replace"},
                            {"pattern", {{"String", "a"}}},
                            {"content", std::string(1'000'000, 'b')}};
  for (const Json& part : {Json::array({lengthening}),
                           Json(std::vector<Json>(60, doubling)),
                           Json(std::vector<Json>(60, bytes))}) {
    Json file = lettersBpe();
    file["normalizer"] = {{"type", "Sequence"}, {"normalizers", part}};
    const auto tokenizer = parseTokenizerJson(file.dump(), "tokenizer.json");
    ASSERT_TRUE(tokenizer) << tokenizer.error().message();
    const auto tokens = (*tokenizer)->encode("aaaaéé");
    ASSERT_FALSE(tokens);
    EXPECT_EQ(tokens.error().code(), ErrorCode::Unsupported);
    EXPECT_THAT(tokens.error().message(), HasSubstr("makes more than 512 bytes of a part"));
  }
}

TEST(TokenizerJson, SequencesNestUpTo16Levels) {
  const auto nested = [](int levels) {
    Json part = {{"type", "Lowercase"}};
    for (int i = 0; i < levels; ++i) {
      part = {{"type", "Sequence"}, {"normalizers", Json::array({part})}};
    }
    Json file = lettersBpe();
    file["normalizer"] = part;
    return file;
  };
  EXPECT_THAT(idsOf(nested(16), "AB"), ElementsAre(3));
  EXPECT_THAT(failureOf(nested(17)).message(), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace ulp::text
