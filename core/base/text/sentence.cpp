#include "core/base/text/sentence.h"

#include <cstddef>
#include <limits>
#include <utility>

namespace ulp {
namespace {

/// The text, or its beginning, one character longer than `most` at least.
// NOLINTNEXTLINE(misc-no-recursion): whoever makes a sentence bounds its depth
std::string beginningOf(const Sentence& sentence, std::size_t most) {
  if (sentence.isLiteral || sentence.arguments.empty()) {
    return sentence.pattern;
  }
  std::vector<std::string> places;
  for (const Sentence& argument : sentence.arguments) {
    places.push_back(beginningOf(argument, most));
  }
  const std::string& pattern = sentence.pattern;
  std::string out;
  for (std::size_t i = 0; i < pattern.size() && out.size() <= most; ++i) {
    const char next = i + 1 < pattern.size() ? pattern[i + 1] : ' ';
    const auto number = static_cast<std::size_t>(next - '1');
    if (pattern[i] == '%' && next >= '1' && next <= '9' && number < places.size()) {
      out += places[number];
      ++i;
    } else {
      out += pattern[i];
    }
  }
  return out;
}

}  // namespace

std::string Sentence::text() const {
  return beginningOf(*this, std::numeric_limits<std::size_t>::max());
}

bool Sentence::reads(std::string_view finished) const {
  return beginningOf(*this, finished.size()) == finished;
}

std::vector<std::string> textsOf(std::span<const Sentence> sentences) {
  std::vector<std::string> texts;
  for (const Sentence& sentence : sentences) {
    texts.push_back(sentence.text());
  }
  return texts;
}

Sentence andMore(Sentence shown, std::size_t more) {
  return more == 0
             ? std::move(shown)
             : Sentence{ULP_TR_NOOP("%1 and %2 more"), {std::move(shown), std::to_string(more)}};
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the logarithm of their number
Sentence joined(const char* pattern, std::span<const Sentence> items) {
  if (items.size() < 2) {
    return items.empty() ? Sentence() : items.front();
  }
  const std::size_t half = (items.size() + 1) / 2;
  return {pattern, {joined(pattern, items.first(half)), joined(pattern, items.subspan(half))}};
}

}  // namespace ulp
