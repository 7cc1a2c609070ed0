#include "core/text/chat/chat_template.h"

#include <algorithm>
#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/long_file.h"
#include "tests/support/machine/sanitizers.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::text {
namespace {

using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kTurns =
    "{{ bos_token }}{% for message in messages %}<{{ message['role'] }}>{{ message['content'] | "
    "trim }}{{ eos_token }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

const std::vector<ChatMessage> kGreeting{{{"role", "user"}, {"content", " Hi\n"}},
                                         {{"role", "assistant"}, {"content", "Hello"}}};

std::vector<ChatMessage> saying(const std::string& content) {
  return {{{"role", "user"}, {"content", content}}};
}

Result<std::string> render(const std::string& jinja,
                           const std::vector<ChatMessage>& messages,
                           bool addPrompt = false) {
  const auto parsed =
      ChatTemplate::parse({.jinja = jinja,
                           .origin = "t.jinja",
                           .specialTokens = {{"bos_token", "<s>"}, {"eos_token", "</s>"}}});
  return parsed ? parsed->render(messages, addPrompt) : tl::unexpected(parsed.error());
}

TEST(ChatTemplate, WritesMessagesAndSpecialTokens) {
  EXPECT_EQ(render(kTurns, kGreeting).value_or("refused"), "<s><user>Hi</s><assistant>Hello</s>");
  EXPECT_THAT(render(kTurns, kGreeting, true).value_or("refused"), EndsWith("</s><assistant>"));
}

TEST(ChatTemplate, KnowsWhatTemplatesAreMadeOf) {
  const auto said = [](const std::string& jinja) {
    return render(jinja, kGreeting).value_or("refused");
  };
  EXPECT_EQ(said("{%- set ns = namespace(n=0) %}{%- for m in messages %}{%- set ns.n = ns.n + 1 "
                 "%}{%- endfor %}{{ ns.n }}\n"),
            "2");
  EXPECT_EQ(said("{% for m in messages %}{{ loop.index0 }}{{ 'F' if loop.first else '' }}{% if "
                 "loop.last %}L{% endif %}{% endfor %}"),
            "0F1L");
  EXPECT_EQ(said("{{ messages[0] | tojson }}"), "{\"role\": \"user\", \"content\": \" Hi\\n\"}");
  EXPECT_EQ(said("{{ messages[-1]['content'] }}{{ tools is none }}{{ unknown is defined }}"),
            "HelloTrueFalse");
  EXPECT_EQ(said("{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{{ twice('a') }}"), "aa");
  EXPECT_EQ(said("a\n  {% if true %}\n  b\n  {% endif %}\n"), "a\n  b\n");
  EXPECT_EQ(said("{{ strftime_now('%Y') }}").size(), 4U);
  constexpr std::string_view kMonths =
      "January February March April May June July August "
      "September October November December";
  EXPECT_NE(kMonths.find(said("{{ strftime_now('%B') }}")), std::string_view::npos);
}

TEST(ChatTemplate, WhatTheTemplateRefusesIsSaidWithItsPlace) {
  const auto refused = render(
      "{% for m in messages %}\n{% if m.role == 'assistant' %}{{ raise_exception('Roles must "
      "alternate') }}{% endif %}{% endfor %}",
      kGreeting);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(refused.error().message(),
              StartsWith("t.jinja: the chat template refuses the messages: row 2, column "));
  EXPECT_THAT(refused.error().message(), EndsWith(": Roles must alternate"));
}

/// Each of these once read or wrote what is not the template's, or ended the program that runs it.
TEST(ChatTemplate, WhatWouldReachBeyondItsValuesIsRefused) {
  for (const auto& [jinja, problem] : std::vector<std::pair<const char*, const char*>>{
           {"{{ 1 / 0 }}", "division by zero"},
           {"{{ 1 // 0 }}", "division by zero"},
           {"{{ 1 % 0 }}", "division by zero"},
           {"{{ range(1, 2, 3, 4) }}", "range must have between 0 and 3"},
           {"{{ range(1, 2, 0) }}", "range step cannot be zero"},
           {"{{ 9223372036854775807 + 1 }}", "number beyond 64 bits"},
           {"{{ -9223372036854775807 - 2 }}", "number beyond 64 bits"},
           {"{{ 4611686018427387904 * 2 }}", "number beyond 64 bits"},
           {"{{ (-9223372036854775807 - 1) // -1 }}", "number beyond 64 bits"},
           {"{{ -(-9223372036854775807 - 1) }}", "number beyond 64 bits"},
           {"{{ 1e30 // 3 }}", "number beyond 64 bits"},
           {"{{ 9223372036854775808.0 | int }}", "number beyond 64 bits"},
           {"{{ range(-1e30) }}", "number beyond 64 bits"},
           {"{{ 'abc'.split('') }}", "empty separator"},
           {"{% set ns = namespace(f=0) %}{% for x in [1] %}{% macro f() %}a{% endmacro %}"
            "{% set ns.f = f %}{% endfor %}{{ ns.f() }}",
            "Macro f is called outside of where it is known"},
           {"{% set ns = namespace(f=0) %}{% for x in [[1]] recursive %}{% set ns.f = loop %}"
            "{% endfor %}{{ ns.f([2]) }}",
            "loop() is called outside of its loop"}}) {
    const auto refused = render(jinja, kGreeting);
    ASSERT_FALSE(refused) << jinja << ": " << *refused;
    EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument) << jinja;
    EXPECT_THAT(refused.error().message(), HasSubstr(problem)) << jinja;
  }
}

/// As Python's slices and ranges.
TEST(ChatTemplate, SlicesEndWhereTheirValuesDo) {
  for (const auto& [jinja, text] : std::vector<std::pair<const char*, const char*>>{
           {"{{ 'abc'[900000:1:-1] }}", "c"},
           {"{{ 'abc'[-5:2] }}", "ab"},
           {"{{ 'abc'[1:900000] }}", "bc"},
           {"{{ 'abc'[-9223372036854775807:9223372036854775807] }}", "abc"},
           {"{{ 'abc'[1::9223372036854775807] }}", "b"},
           {"{{ 'abc'[1:-5:-9223372036854775807] }}", "b"},
           {"{{ [1, 2, 3][:5] | length }}{{ [1, 2, 3][5:] | length }}", "30"},
           {"{{ ''[::-1] }}{{ [][:-1] | length }}", "0"},
           {"{{ range(9223372036854775800, 9223372036854775807, 4) | length }}", "2"},
           {"{{ range(2, -9223372036854775807, -9223372036854775807) | length }}", "2"}}) {
    const auto rendered = render(jinja, kGreeting);
    ASSERT_TRUE(rendered) << jinja << ": " << rendered.error().message();
    EXPECT_EQ(*rendered, text) << jinja;
  }
}

TEST(ChatTemplate, ListsMayChangeWhileTheyAreWalkedOver) {
  EXPECT_EQ(render("{% set l = [1, 2, 3] %}{% for x in l if l.append(x) is none %}{{ x }}"
                   "{% endfor %}{{ l | length }}",
                   kGreeting)
                .value_or("refused"),
            "1236");
  EXPECT_EQ(render("{% for x in [3, 3, 1] %}{{ loop.cycle(*range(x)) }}{% endfor %}", kGreeting)
                .value_or("refused"),
            "010");
}

TEST(ChatTemplate, WhatCannotBeReadIsUnsupported) {
  for (const char* jinja : {"{% for m in messages %}", "{{ 'open }}", "{% include 'x' %}"}) {
    const auto refused = render(jinja, kGreeting);
    ASSERT_FALSE(refused) << jinja;
    EXPECT_EQ(refused.error().code(), ErrorCode::Unsupported);
    EXPECT_THAT(refused.error().message(), HasSubstr("t.jinja: the chat template cannot be read"));
  }
}

TEST(ChatTemplate, TextsOfAllLanguagesPassThrough) {
  EXPECT_EQ(render(kTurns, saying("Ä \u4E2D\u6587 \U0001F642\v|")).value_or("refused"),
            "<s><user>Ä \u4E2D\u6587 \U0001F642\v|</s>");
  EXPECT_EQ(render("<\uFF5C{{ messages[0].content }}\u2581>", saying("\u2581\uFF5C")).value_or(""),
            "<\uFF5C\u2581\uFF5C\u2581>");
}

TEST(ChatTemplate, BytesAreNeverTakenForCharacters) {
  const auto expectRefused = [](const char* jinja, const char* content) {
    const auto text = render(jinja, saying(content));
    ASSERT_FALSE(text) << jinja << ": " << *text;
    EXPECT_EQ(text.error().code(), ErrorCode::Unsupported);
    EXPECT_THAT(text.error().message(), HasSubstr("single characters"));
  };
  expectRefused("{{ messages[0].content[:3] }}", "\u4E2D\u6587\u5B57\u7B26");
  expectRefused("{{ messages[0].content[:1] }}", "\u4E2D\u6587");
  expectRefused("{{ messages[0].content | length }}", "\u4E2D");
  expectRefused("{{ messages[0].content | trim }}", "a\u3000");
  expectRefused("{{ messages[0].content.strip() }}", "a\f");
  EXPECT_EQ(render("{{ messages[0].content[:3] }}", saying("abcd")).value_or(""), "abc");
}

TEST(ChatTemplate, ThoughtsHaveEveryNameThatTemplatesRead) {
  const std::vector<ChatMessage> messages{
      {{"role", "assistant"}, {"content", "a"}, {"reasoning", "hm"}}};
  EXPECT_EQ(render("{{ messages[0].reasoning_content }}{{ messages[0].thinking }}", messages)
                .value_or("refused"),
            "hmhm");
}

constexpr const char* kNoEnd = "comes to no end: it was stopped after ";

/// Lists of it are made whenever the program starts, so that a long template waits until its test.
struct Hostile {
  const char* what;
  const char* jinja;
  const char* said;
  std::string (*longJinja)() = nullptr;  ///< in place of `jinja`
};

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (; times > 0; --times) {
    all += text;
  }
  return all;
}

double processorSeconds(const rusage& used) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + (1e-6 * static_cast<double>(time.tv_usec));
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class HostileTemplate : public testing::TestWithParam<Hostile> {};

TEST_P(HostileTemplate, IsEndedWithinSecondsAndSaysWhy) {
  const Hostile& hostile = GetParam();
  rusage before{};
  getrusage(RUSAGE_CHILDREN, &before);
  const std::string jinja = hostile.longJinja == nullptr ? hostile.jinja : hostile.longJinja();
  const auto refused = render(jinja, kGreeting);
  rusage after{};
  getrusage(RUSAGE_CHILDREN, &after);
  ASSERT_FALSE(refused) << refused->substr(0, 100);
  EXPECT_THAT(refused.error().message(), StartsWith("t.jinja: the chat template "));
  // On a slow machine the time is over before anything else is.
  EXPECT_THAT(refused.error().message(), AnyOf(HasSubstr(hostile.said), HasSubstr(kNoEnd)));
  EXPECT_THAT(refused.error().message(), EndsWith("input.field"));
  // Twice the time that it may take is what the program limits itself to.
  EXPECT_LT(processorSeconds(after) - processorSeconds(before), 10);
  // A sanitizer takes more memory than a program may be given, so that the program has no limit.
  if (!test::isAddressSanitized() && !test::isThreadSanitized()) {
    constexpr long kMostKilobytes = 600L << 10;
    EXPECT_LE(after.ru_maxrss, std::max(before.ru_maxrss, kMostKilobytes));
  }
}

constexpr const char* kTooMuch = "takes more memory than it may";
constexpr const char* kTooDeep = "nests or recurses too deep";

INSTANTIATE_TEST_SUITE_P(
    ChatTemplate,
    HostileTemplate,
    testing::Values(
        Hostile{"Loops",
                "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
                kNoEnd},
        Hostile{"LongRange", "{% for i in range(10**9) %}{% endfor %}", kTooMuch},
        Hostile{"LongOutput",
                "{% set x = 'abcdefgh' * 100000 %}{% for i in range(25) %}{{ x }}{% endfor %}",
                "writes more than 16777216 bytes"},
        Hostile{"Doubling",
                "{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x "
                "%}{% endfor %}{{ ns.x }}",
                kTooMuch},
        Hostile{"Recursion",
                "{% macro again(x) %}{{ again(x) }}{% endmacro %}{{ again(1) }}",
                kTooDeep},
        Hostile{"Comment", "", kTooDeep, [] { return "{# " + std::string(500'000, 'x') + " #}"; }},
        Hostile{"Nested",
                "",
                kTooDeep,
                [] {
                  constexpr std::size_t kTimes = 50'000;
                  return repeated("{% if 1 %}", kTimes) + "a" + repeated("{% endif %}", kTimes);
                }}),
    [](const auto& hostile) { return std::string(hostile.param.what); });

TEST(ChatTemplate, ATemplateThatWasEndedIsRunAgain) {
  const auto parsed = ChatTemplate::parse(
      {.jinja = "{% if messages[0].content == 'deep' %}{% macro again() %}{{ again() }}{% endmacro "
                "%}{{ again() }}{% endif %}{{ messages[0].content }}",
       .origin = "t.jinja"});
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->render(saying("a"), false).value_or("refused"), "a");
  EXPECT_FALSE(parsed->render(saying("deep"), false));
  EXPECT_EQ(parsed->render(saying("b"), false).value_or("refused"), "b");
}

TEST(ChatTemplate, LongConversationsHaveTimeAndMemory) {
  const std::string content(4'000'000, 'x');
  const auto text = render(kTurns, saying(content));
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(text->size(), content.size() + std::string_view("<s><user></s>").size());
}

TEST(ChatTemplate, RefusesBytesThatAreNotUtf8) {
  for (const auto& [jinja, token] :
       {std::pair("\xff", "<s>"), std::pair("{{ bos_token }}", "\x9e")}) {
    const auto parsed = ChatTemplate::parse(
        {.jinja = jinja, .origin = "m.gguf", .specialTokens = {{"bos_token", token}}});
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(parsed.error().message(), StartsWith("m.gguf: the chat template or one of "));
  }
}

std::string originIn(const std::filesystem::path& path) {
  const auto loaded = loadChatTemplate(path);
  return loaded ? loaded->origin() : loaded.error().message();
}

TEST(LoadChatTemplate, AFileOfItsOwnComesBeforeTheConfiguration) {
  const test::TempDir folder;
  EXPECT_THAT(originIn(folder.path()), HasSubstr("no chat template: the folder has no "));
  EXPECT_EQ(loadChatTemplate(folder.path()).error().code(), ErrorCode::NotFound);
  folder.write("tokenizer_config.json",
               R"({"chat_template": "{{ bos_token }}{{ eos_token }}{{ pad_token }}",
                   "bos_token": "<s>", "eos_token": {"content": "</s>"}, "pad_token": null})");
  folder.write("special_tokens_map.json", R"({"bos_token": "other", "pad_token": "<pad>"})");
  EXPECT_THAT(originIn(folder / "tokenizer_config.json"), EndsWith(".json: chat_template"));
  EXPECT_EQ(loadChatTemplate(folder.path())->render(kGreeting, false).value_or(""), "<s></s><pad>");
  folder.write("chat_template.jinja", "own\n");
  EXPECT_THAT(originIn(folder.path()), EndsWith("chat_template.jinja"));
  EXPECT_EQ(loadChatTemplate(folder.path())->render(kGreeting, false).value_or(""), "own");
}

TEST(LoadChatTemplate, OfSeveralTheDefaultCounts) {
  const test::TempDir folder;
  folder.write("tokenizer_config.json",
               R"({"chat_template": [{"name": "tool_use", "template": "tools"},
                                     {"name": "default", "template": "plain"}]})");
  EXPECT_EQ(loadChatTemplate(folder.path())->render(kGreeting, false).value_or(""), "plain");
  folder.write("tokenizer_config.json", R"({"chat_template": [{"name": "rag", "template": "x"}]})");
  EXPECT_EQ(loadChatTemplate(folder.path()).error().code(), ErrorCode::NotFound);
}

/// Metadata of a model of the tokens a, b, c, whose template writes two of them.
std::string ggufTemplate(std::uint32_t lastToken) {
  tensors::Bytes file;
  file.text("GGUF").number<std::uint32_t>(3).number<std::uint64_t>(0).number<std::uint64_t>(4);
  file.counted("tokenizer.chat_template").number<std::uint32_t>(8);
  file.counted("{{ bos_token }}{{ eos_token }}{{ unk_token }}");
  file.counted("tokenizer.ggml.tokens").number<std::uint32_t>(9).number<std::uint32_t>(8);
  file.number<std::uint64_t>(3).counted("a").counted("b").counted("c");
  file.counted("tokenizer.ggml.bos_token_id").number<std::uint32_t>(4).number<std::uint32_t>(0);
  file.counted("tokenizer.ggml.eos_token_id").number<std::uint32_t>(4).number(lastToken);
  return file.padTo(32).content();
}

TEST(LoadChatTemplate, OfAGgufFileNamesTheTokensOfItsMetadata) {
  const test::TempDir folder;
  const auto path = folder.write("m.gguf", ggufTemplate(2));
  const auto loaded = loadChatTemplate(path);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->origin(), path.string() + ": tokenizer.chat_template");
  EXPECT_EQ(loaded->render(kGreeting, false).value_or(""), "ac");
  EXPECT_THAT(originIn(folder.write("m.gguf", ggufTemplate(3))),
              EndsWith("m.gguf: tokenizer.ggml.eos_token_id: 3 is no token"));
  tensors::Bytes none;
  none.text("GGUF").number<std::uint32_t>(3).number<std::uint64_t>(0).number<std::uint64_t>(0);
  EXPECT_THAT(originIn(folder.write("none.gguf", none.padTo(32).content())),
              HasSubstr("the file's metadata has no tokenizer.chat_template"));
}

TEST(LoadChatTemplate, TemplatesHaveUpToOneMiB) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  const test::TempDir folder;
  // Of this length they are no templates, for another reason.
  folder.write("chat_template.jinja", std::string(kMost, '{'));
  EXPECT_THAT(originIn(folder.path()), testing::Not(HasSubstr(test::kTooLong)));
  EXPECT_THAT(originIn(folder.path()), testing::Not(HasSubstr("has up to")));
  folder.write("chat_template.jinja", std::string(kMost + 1, '{'));
  EXPECT_THAT(originIn(folder.path()), HasSubstr(test::kTooLong));
  std::filesystem::remove(folder / "chat_template.jinja");
  folder.write("tokenizer_config.json",
               "{\"chat_template\": \"" + std::string(kMost + 1, 'x') + "\"}");
  EXPECT_THAT(originIn(folder.path()), HasSubstr("is UTF-8 and has up to 1048576 bytes"));
}

TEST(LoadChatTemplate, FilesThatAreNoneAreErrors) {
  const test::TempDir folder;
  folder.write("chat_template.jinja", "\xff");
  EXPECT_THAT(originIn(folder.path()), HasSubstr("a chat template is UTF-8"));
  folder.write("tokenizer_config.json", "[1]");
  EXPECT_THAT(originIn(folder.path()), HasSubstr("tokenizer_config.json: is not a JSON object"));
  EXPECT_THAT(originIn(folder / "none.gguf"), HasSubstr("no such file"));
}

}  // namespace
}  // namespace ulp::text
