#include "core/text/loading/json_parts.h"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json/parse.h"

namespace ulp::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// What `read` makes of a part that is written down as JSON.
template <class Part>
Result<Part> partOf(ReadPart<Part> read, const std::string& json) {
  const auto value = json::parse(json);
  EXPECT_TRUE(value) << json;
  return read(JsonPart(*value, "part"), 0);
}

std::string normalized(const std::string& json, std::string_view text) {
  const auto normalizer = partOf<Normalizer>(&readNormalizer, json);
  if (!normalizer) {
    return normalizer.error().message();
  }
  const auto made = (*normalizer)(AlignedText(std::string(text)));
  return made ? made->text() : made.error().message();
}

std::vector<std::string> pieces(const std::string& json, std::string_view text) {
  const auto preTokenizer = partOf<PreTokenizer>(&readPreTokenizer, json);
  if (!preTokenizer) {
    return {preTokenizer.error().message()};
  }
  std::vector<AlignedText> words;
  const auto isCut = (*preTokenizer)(AlignedText(std::string(text)), words);
  EXPECT_TRUE(isCut) << isCut.error().message();
  std::vector<std::string> texts;
  for (const AlignedText& word : words) {
    texts.push_back(word.text());
  }
  return texts;
}

SequenceFrame frameOf(const std::string& json) {
  const auto frame = partOf<SequenceFrame>(&readPostProcessor, json);
  EXPECT_TRUE(frame) << frame.error().message();
  return frame.value_or(SequenceFrame());
}

Speller spellerOf(const std::string& json) {
  const auto speller = partOf<Speller>(&readDecoder, json);
  EXPECT_TRUE(speller) << speller.error().message();
  return speller.value_or(Speller());
}

TEST(JsonNormalizers, StripTakesTheEndsThatAreNamed) {
  EXPECT_EQ(normalized(R"({"type": "Strip"})", " a "), "a");
  EXPECT_EQ(normalized(R"({"type": "Strip", "strip_left": false})", " a "), " a");
  EXPECT_EQ(normalized(R"({"type": "Strip", "strip_right": false})", " a "), "a ");
}

TEST(JsonNormalizers, PrependPutsItsTextInFront) {
  EXPECT_EQ(normalized(R"({"type": "Prepend", "prepend": "▁"})", "a"), "▁a");
}

TEST(JsonNormalizers, BertCleansAsItsFieldsSay) {
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer"})", "\tÉ中"), " e 中 ");
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer", "strip_accents": false})", "É"), "é");
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer", "lowercase": false})", "É"), "É");
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer", "handle_chinese_chars": false})", "中"), "中");
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer", "clean_text": false})", "\ta"), "\ta");
}

TEST(JsonNormalizers, ATableThatIsNotInBase64IsAnError) {
  EXPECT_THAT(normalized(R"({"type": "Precompiled", "precompiled_charsmap": "!!!!"})", "a"),
              HasSubstr("part: precompiled_charsmap is not in base64"));
}

TEST(JsonPreTokenizers, CutWhereTheirFieldsSay) {
  EXPECT_THAT(pieces(R"({"type": "Punctuation"})", "a,b"), ElementsAre("a", ",", "b"));
  EXPECT_THAT(pieces(R"({"type": "Punctuation", "behavior": "Removed"})", "a,b"),
              ElementsAre("a", "b"));
  EXPECT_THAT(pieces(R"({"type": "CharDelimiterSplit", "delimiter": "é"})", "aébéc"),
              ElementsAre("a", "b", "c"));
  EXPECT_THAT(pieces(R"({"type": "CharDelimiterSplit", "delimiter": "ab"})", "a"),
              ElementsAre(HasSubstr("'delimiter' must be one character")));
  EXPECT_THAT(pieces(R"({"type": "CharDelimiterSplit", "delimiter": ""})", "a"),
              ElementsAre(HasSubstr("'delimiter' must be one character")));
  EXPECT_THAT(pieces(R"({"type": "Digits"})", "a12b"), ElementsAre("a", "12", "b"));
  EXPECT_THAT(pieces(R"({"type": "Digits", "individual_digits": true})", "a12b"),
              ElementsAre("a", "1", "2", "b"));
}

TEST(JsonPreTokenizers, PiecesOfAFixedLengthHaveFiveCharactersUnlessToldOtherwise) {
  EXPECT_THAT(pieces(R"({"type": "FixedLength"})", "abcdefg"), ElementsAre("abcde", "fg"));
  EXPECT_THAT(pieces(R"({"type": "FixedLength", "length": 1})", "ab"), ElementsAre("a", "b"));
  EXPECT_THAT(pieces(R"({"type": "FixedLength", "length": 0})", "ab"),
              ElementsAre(HasSubstr("'length' must be at least 1")));
}

TEST(JsonPreTokenizers, MetaspacePutsItsSpaceInFrontAsItIsTold) {
  const auto told = [](const std::string& fields) {
    return pieces(R"({"type": "Metaspace", "replacement": "▁")" + fields + "}", "a b");
  };
  EXPECT_THAT(told(""), ElementsAre("▁a", "▁b"));
  EXPECT_THAT(told(R"(, "split": false)"), ElementsAre("▁a▁b"));
  EXPECT_THAT(told(R"(, "prepend_scheme": "never")"), ElementsAre("a", "▁b"));
  EXPECT_THAT(told(R"(, "add_prefix_space": false)"), ElementsAre("a", "▁b"));
  EXPECT_THAT(told(R"(, "add_prefix_space": false, "prepend_scheme": "never")"),
              ElementsAre("a", "▁b"));
  EXPECT_THAT(told(R"(, "add_prefix_space": false, "prepend_scheme": "first")"),
              ElementsAre(HasSubstr("add_prefix_space contradicts prepend_scheme")));
  EXPECT_THAT(told(R"(, "prepend_scheme": "last")"),
              ElementsAre(HasSubstr("prepend_scheme 'last'")));
}

TEST(JsonPostProcessors, OfBertPutATokenAtEachEnd) {
  const SequenceFrame frame =
      frameOf(R"({"type": "BertProcessing", "cls": ["[CLS]", 101], "sep": ["[SEP]", 102]})");
  EXPECT_THAT(frame.prefix, ElementsAre(101));
  EXPECT_THAT(frame.suffix, ElementsAre(102));
  for (const char* const token : {R"(["[CLS]"])", R"(["[CLS]", "101"])", R"(["[CLS]", 101, 1])"}) {
    const auto wrong = partOf<SequenceFrame>(
        &readPostProcessor,
        std::string(R"({"type": "BertProcessing", "sep": ["[SEP]", 102], "cls": )") + token + "}");
    ASSERT_FALSE(wrong) << token;
    EXPECT_THAT(wrong.error().message(), HasSubstr("'cls' must be a token and its number"));
  }
}

TEST(JsonPostProcessors, LaterOnesOfASequenceFrameWhatTheEarlierMade) {
  const SequenceFrame frame = frameOf(
      R"({"type": "Sequence", "processors": [
          {"type": "BertProcessing", "cls": ["a", 1], "sep": ["b", 2]},
          {"type": "ByteLevel"},
          {"type": "RobertaProcessing", "cls": ["c", 3], "sep": ["d", 4]}]})");
  EXPECT_THAT(frame.prefix, ElementsAre(3, 1));
  EXPECT_THAT(frame.suffix, ElementsAre(2, 4));
}

TEST(JsonPostProcessors, ATemplateHoldsTheTextOnce) {
  const auto errorOf = [](const std::string& single) {
    const auto frame = partOf<SequenceFrame>(
        &readPostProcessor,
        R"({"type": "TemplateProcessing", "special_tokens": {"s": {"ids": [7, 8]}},
                                  "single": )" +
            single + "}");
    return frame ? fmt::format("{}", frame->suffix.size()) : frame.error().message();
  };
  EXPECT_EQ(errorOf(R"([{"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "s"}}])"), "2");
  EXPECT_THAT(errorOf(R"([{"Sequence": {"id": "A"}}, {"Sequence": {"id": "A"}}])"),
              HasSubstr("a template that repeats the text"));
  EXPECT_THAT(errorOf(R"([{"SpecialToken": {"id": "s"}}])"),
              HasSubstr("the template leaves the text out"));
}

TEST(JsonDecoders, UndoWhatTheirStepsSay) {
  EXPECT_TRUE(spellerOf(R"({"type": "ByteLevel"})").isByteLevel);
  EXPECT_FALSE(spellerOf(R"({"type": "Fuse"})").isByteLevel);
  EXPECT_FALSE(spellerOf(R"({"type": "Fuse"})").hasByteTokens);
  EXPECT_EQ(spellerOf(R"({"type": "BPEDecoder"})").wordEnd, "</w>");
  EXPECT_EQ(spellerOf(R"({"type": "BPEDecoder", "suffix": "@"})").wordEnd, "@");
  const Speller pieces = spellerOf(R"({"type": "WordPiece"})");
  EXPECT_EQ(pieces.continuingPrefix, "##");
  EXPECT_TRUE(pieces.dropsFirstSpace);
  const Speller meta = spellerOf(R"({"type": "Metaspace", "replacement": "_"})");
  EXPECT_EQ(meta.space, "_");
  EXPECT_TRUE(meta.dropsFirstSpace);
  EXPECT_FALSE(spellerOf(R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "never"})")
                   .dropsFirstSpace);
}

TEST(JsonDecoders, OfLlamaAreASequenceOfSteps) {
  const Speller llama = spellerOf(
      R"({"type": "Sequence", "decoders": [
          {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
          {"type": "ByteFallback"}, {"type": "Fuse"},
          {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})");
  EXPECT_EQ(llama.space, "▁");
  EXPECT_TRUE(llama.hasByteTokens);
  EXPECT_TRUE(llama.dropsFirstSpace);
  EXPECT_FALSE(llama.isByteLevel);
  EXPECT_FALSE(spellerOf(R"({"type": "Strip", "content": " ", "start": 0})").dropsFirstSpace);
  EXPECT_FALSE(spellerOf(R"({"type": "Strip", "content": " "})").dropsFirstSpace);
  EXPECT_EQ(spellerOf(R"({"type": "Replace", "pattern": {"String": "x"}, "content": "y"})").space,
            "");
  EXPECT_EQ(spellerOf(R"({"type": "Replace", "pattern": {"Regex": "x"}, "content": " "})").space,
            "");
}

}  // namespace
}  // namespace ulp::text
