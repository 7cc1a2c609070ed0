#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "core/base/text/utf8.h"
#include "core/text/chat/program/jinja_program.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/limited_work.h"

namespace ulp::test {

/// Conversations of the target chat_template, by the interpreter itself.
inline void runJinja(std::string_view jinja) {
  const auto program = text::JinjaProgram::parse(std::string(jinja), {{"bos_token", "<s>"}});
  if (!program) {
    require(!program.error().message().empty());
    return;
  }
  const std::vector<text::ChatMessage> messages{
      {{"role", "system"}, {"content", ""}},
      {{"role", "user"}, {"content", "Grüße, \u4e16\u754c"}},
      {{"role", "assistant"}, {"content", "12"}, {"reasoning", "a\nb"}}};
  for (const std::size_t first : {0U, 1U}) {
    const auto text = program->render(std::span(messages).subspan(first), /*addPrompt=*/first == 0);
    require(text || !text.error().message().empty());
  }
}

/// The text of a chat template, run in this process: what the program that runs it sends to ours is
/// a target of its own (template_message), and that it ends is one as well (chat_template). Its
/// limits hold here, too, but smaller ones.
inline void fuzzJinjaProgram(const std::uint8_t* data, std::size_t size) {
  // A jump out of what is initialised once would leave it half done.
  static const bool isWarm = [] {
    runJinja(
        "{# a #}{% set a.b = 1 %}{% macro m(a, *b) %}{% endmacro %}{% filter trim %}{% endfilter %}"
        " {%- for a, b in c recursive if not (d is none or e == null and f in g) -%} {%- endfor %}"
        "{{ -a ~ b + 1 * 2 // 3 ** 4 if true else m(*[a], **{'b': c}) }}");
    return true;
  }();
  static_cast<void>(isWarm);
  // The expressions of the interpreter's lexer recurse for each character.
  constexpr std::size_t kLongest = 1024;
  constexpr WorkLimits kLimits{.allocations = 50'000,
                               .bytes = std::size_t{1} << 20U,
                               .stackBytes = std::size_t{2} << 20U,
                               .milliseconds = 100};
  // Nobody sends it what is no text.
  if (size <= kLongest && !invalidUtf8At(fuzzText(data, size))) {
    runLimited(kLimits, [&] { runJinja(fuzzText(data, size)); });
  }
}

}  // namespace ulp::test
