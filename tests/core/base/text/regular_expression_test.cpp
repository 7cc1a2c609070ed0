#include "core/base/text/regular_expression.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text/name_limit.h"

namespace ulp {
namespace {

using Dialect = RegularExpression::Dialect;
using testing::AllOf;
using testing::HasSubstr;

bool isFound(std::string_view pattern, std::string_view name, Dialect dialect = Dialect::Names) {
  const auto compiled = RegularExpression::compile(pattern, dialect);
  EXPECT_TRUE(compiled) << pattern << ": " << compiled.error().message();
  const auto found = compiled->isFoundIn(name);
  EXPECT_TRUE(found) << found.error().message();
  return found.value_or(false);
}

std::string replaced(std::string_view pattern,
                     std::string_view name,
                     std::string_view replacement) {
  const auto result = RegularExpression::compile(pattern)->replaced(name, replacement);
  EXPECT_TRUE(result) << result.error().message();
  return result.value_or("");
}

std::string times(std::size_t count, std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    all += text;
  }
  return all;
}

TEST(RegularExpression, FindsWhatItSays) {
  EXPECT_TRUE(isFound("^decoder\\.(\\d+)$", "decoder.3"));
  EXPECT_FALSE(isFound("^decoder\\.(\\d+)$", "Decoder.3"));
  EXPECT_FALSE(isFound("^decoder", "Decoder.3"));
  EXPECT_TRUE(isFound("^decoder", "Decoder.3", Dialect::NamesInAnyCase));
  EXPECT_TRUE(isFound("é", "É", Dialect::NamesInAnyCase));
  EXPECT_TRUE(isFound("", ""));
}

/// What std::regex made of them, which is what people have written their rules for.
TEST(RegularExpression, ForNamesIsEcmaScript) {
  EXPECT_FALSE(isFound("layers\\.(?!0\\b)\\d+", "layers.0.mlp"));
  EXPECT_TRUE(isFound("layers\\.(?!0\\b)\\d+", "layers.10.mlp"));
  EXPECT_TRUE(isFound("mlp(?=[.#\\[]|$)", "h.0.mlp"));
  EXPECT_FALSE(isFound("mlp(?=[.#\\[]|$)", "h.0.mlps"));
  EXPECT_TRUE(isFound("(\\w+)\\.\\1", "a.mlp.mlp"));
  EXPECT_TRUE(isFound("[[:digit:]]{2,3}$", "layers.12"));
  EXPECT_TRUE(isFound("[a[b]", "["));
  EXPECT_TRUE(isFound("^.{4}$", "n\xC3\xA4me"));
  EXPECT_FALSE(isFound("\\d", "\xD9\xA3")) << "ARABIC-INDIC DIGIT THREE";
  EXPECT_FALSE(isFound("^b", "a\nb"));
  EXPECT_FALSE(isFound("a.b", "a\nb"));
  EXPECT_TRUE(isFound("\\u0061\\x62", "ab"));
  EXPECT_TRUE(isFound("a\\/b\\-c", "a/b-c"));
}

/// Bytes that are not UTF-8 are matched as they are shown.
TEST(RegularExpression, NamesMayHaveAnyBytes) {
  EXPECT_TRUE(isFound("^a.b$",
                      "a\xFF"
                      "b"));
  EXPECT_TRUE(isFound("^a.b$", std::string("a\0b", 3)));
  EXPECT_TRUE(isFound(".", "\xE2\x82"));
  EXPECT_EQ(replaced("x", "a\xFF", "y"), "a\xFF") << "is kept where nothing matches";
  EXPECT_EQ(replaced("a", "a\xFF", "b"), "b\xEF\xBF\xBD");
}

TEST(RegularExpression, ReplacesEveryMatch) {
  EXPECT_EQ(replaced("h\\.(\\d+)", "h.1.h.22", "layers.$1"), "layers.1.layers.22");
  EXPECT_EQ(replaced("(a)(b)?", "ac", "[$1|$2|$&|$3|$$|$x|$"), "[a||a||$|$x|$c");
  EXPECT_EQ(replaced("b", "abc", "<$`$'>"), "a<ac>c");
  EXPECT_EQ(replaced("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)", "abcdefghij", "$10$01"), "ja");
  EXPECT_EQ(replaced("(.*)", "abc", "x$1"), "xabcx");
  EXPECT_EQ(replaced("^", "abc", "x"), "xabc");
  EXPECT_EQ(replaced("x*",
                     "\xC3\xA4"
                     "b",
                     "-"),
            "-\xC3\xA4-b-");
}

TEST(RegularExpression, WhatIsNoneIsRefused) {
  const auto open = RegularExpression::compile("(a|b");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code(), ErrorCode::InvalidArgument);
  EXPECT_FALSE(open.error().message().empty());
  EXPECT_EQ(RegularExpression::compile("a\xFF").error().message(), "it is not UTF-8");
  EXPECT_FALSE(RegularExpression::compile("(?{print})")) << "callouts";
  EXPECT_FALSE(RegularExpression::compile("(?R)")) << "calls of groups";
}

TEST(RegularExpression, WhatIsTooLongIsRefused) {
  constexpr std::size_t kMany = 100'000;
  for (const std::string& text : {std::string(kMany, '(') + std::string(kMany, ')'),
                                  std::string(kMany, 'a'),
                                  std::string(200, '(') + std::string(200, ')'),
                                  std::string(4096, 'a')}) {
    const auto compiled = RegularExpression::compile(text);
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.error().message(), HasSubstr("4096 characters or 200 groups or more"));
  }
  EXPECT_TRUE(RegularExpression::compile(std::string(199, '(') + std::string(199, ')')));
  EXPECT_TRUE(RegularExpression::compile(std::string(4095, 'a')));
}

/// Each of them took std::regex years or its stack.
TEST(RegularExpression, AMatchThatTakesTooManyStepsIsAnError) {
  const std::string name = std::string(60, 'a') + "!";
  for (const char* const pattern :
       {"^(a+)+$", "^(a|a)*$", "^(a|b|ab)*c|^(a*)*$", "^(([a-z])+.)+[A-Z]([a-z])+$"}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto found = RegularExpression::compile(pattern)->isFoundIn(name);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << pattern;
    ASSERT_FALSE(found) << pattern;
    EXPECT_EQ(found.error().code(), ErrorCode::Unsupported);
    EXPECT_THAT(found.error().message(),
                AllOf(HasSubstr(pattern), HasSubstr(name), HasSubstr("too many steps")));
    EXPECT_FALSE(RegularExpression::compile(pattern)->replaced(name, ""));
  }
}

TEST(RegularExpression, LongNamesAreMatchedOrRefused) {
  const std::string longest(kLongestRowName, 'a');
  EXPECT_TRUE(isFound("^(a|b)+$", longest));
  EXPECT_FALSE(isFound("weight$", longest));
  const auto refused = RegularExpression::compile("b")->isFoundIn(longest + "a");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(),
              AllOf(HasSubstr("more than 8192 bytes"), HasSubstr("aaa…aaa")));
  EXPECT_LT(refused.error().message().size(), 400U);
}

TEST(RegularExpression, AReplacementDoesNotGrowWithoutEnd) {
  const auto grown =
      RegularExpression::compile("a")->replaced(std::string(1000, 'a'), times(100, "$&$&$`"));
  ASSERT_FALSE(grown);
  EXPECT_THAT(grown.error().message(), HasSubstr("more than 8192 bytes"));
}

TEST(RegularExpression, OfATokenizerIsOnigurumas) {
  const auto words = RegularExpression::compile("\\p{L}++|\\h{2}", Dialect::Tokenizer);
  ASSERT_TRUE(words) << words.error().message();
  const auto match = words->find("  \xC3\xA4\xC3\xB6 0f", 0);
  ASSERT_TRUE(match && *match);
  EXPECT_EQ((*match)->begin, 2U);
  EXPECT_EQ((*match)->end, 6U);
  EXPECT_EQ((*words->find("\xC3\xA4 0f", 2))->begin, 3U);
  EXPECT_FALSE(*words->find("  ", 0));
  EXPECT_TRUE(*words->find(std::string(1'000'000, 'a'), 0)) << "texts are longer than names";
  EXPECT_FALSE(RegularExpression::compile("^(a+)+$", Dialect::Tokenizer)
                   ->find(std::string(60, 'a') + "!", 0));
}

TEST(RegularExpressions, SayWhichOfThemIsNone) {
  const auto all = compileExpressions({"a", "(b"});
  ASSERT_FALSE(all);
  EXPECT_THAT(all.error().message(), HasSubstr("'(b' is not a regular expression: "));
}

TEST(RegularExpressions, AnyOfThemIsFound) {
  const auto all = *compileExpressions({"^a", "b$"});
  EXPECT_TRUE(*isAnyFoundIn(all, "ax"));
  EXPECT_TRUE(*isAnyFoundIn(all, "xb"));
  EXPECT_FALSE(*isAnyFoundIn(all, "bxa"));
  EXPECT_FALSE(*isAnyFoundIn({}, "a"));
  EXPECT_FALSE(isAnyFoundIn(*compileExpressions({"x", "^(a+)+$"}), std::string(60, 'a') + "!"));
}

}  // namespace
}  // namespace ulp
