#include "core/text/steps/pre_tokenizer.h"

#include <iterator>
#include <utility>

#include "core/base/text/utf8.h"
#include "core/text/characters/unicode.h"
#include "core/text/steps/normalizer.h"

namespace ulp::text {
namespace {

using Words = std::vector<AlignedText>;

enum class CharacterKind : std::uint8_t { Blank, Word, Symbol };

CharacterKind kindOf(char32_t c) {
  if (isWordCharacter(c)) {
    return CharacterKind::Word;
  }
  return isWhiteSpace(c) ? CharacterKind::Blank : CharacterKind::Symbol;
}

/// Runs of word characters and runs of what is neither word nor white space; the rest is dropped.
Result<> splitWhitespace(const AlignedText& text, Words& words) {
  const std::string& bytes = text.text();
  std::size_t begin = 0;
  CharacterKind kind = CharacterKind::Blank;
  const auto endRunAt = [&](std::size_t end) {
    if (begin < end && kind != CharacterKind::Blank) {
      words.push_back(text.slice(begin, end));
    }
    begin = end;
  };
  for (std::size_t at = 0; at < bytes.size();) {
    const CodePoint c = codePointAt(bytes, at);
    if (const CharacterKind next = kindOf(c.value); next != kind) {
      endRunAt(at);
      kind = next;
    }
    at += c.size;
  }
  endRunAt(bytes.size());
  return {};
}

}  // namespace

PreTokenizer makeSplit(Regex pattern, SplitBehavior behavior, bool invert) {
  return [pattern = std::move(pattern), behavior, invert](const AlignedText& text,
                                                          Words& words) -> Result<> {
    auto stretches = ULP_TRY(pattern.stretches(text.text()));
    for (Stretch& stretch : stretches) {
      stretch.isMatch = stretch.isMatch != invert;
    }
    splitInto(words, text, stretches, behavior);
    return {};
  };
}

PreTokenizer makeByteLevel(std::optional<Regex> pattern, bool addPrefixSpace) {
  return [pattern = std::move(pattern), addPrefixSpace](const AlignedText& given,
                                                        Words& words) -> Result<> {
    const bool addsSpace = addPrefixSpace && !given.text().starts_with(' ');
    const AlignedText prefixed =
        ULP_TRY(addsSpace ? withPrefix(given, " ") : Result<AlignedText>(AlignedText("")));
    const AlignedText& text = addsSpace ? prefixed : given;
    const std::size_t first = words.size();
    if (pattern) {
      const auto stretches = ULP_TRY(pattern->stretches(text.text()));
      splitInto(words, text, stretches, SplitBehavior::Isolated);
    } else {
      words.push_back(text);
    }
    for (std::size_t i = first; i < words.size(); ++i) {
      words[i] = ULP_TRY(spelledInBytes(words[i]));
    }
    return {};
  };
}

PreTokenizer makeMetaspace(std::string replacement, PrependScheme scheme, bool split) {
  return [replacement = std::move(replacement), scheme, split](const AlignedText& text,
                                                               Words& words) -> Result<> {
    const auto spaces = stretchesOf(text.text(), [](char32_t c) { return c == U' '; });
    AlignedText replaced = ULP_TRY(withReplaced(text, spaces, replacement));
    const bool isAsked = scheme == PrependScheme::Always ||
                         (scheme == PrependScheme::First && text.sourceOf(0, 0).begin == 0);
    if (isAsked && !replaced.text().starts_with(replacement)) {
      replaced = ULP_TRY(withPrefix(replaced, replacement));
    }
    if (split) {
      const char32_t wanted = codePointAt(replacement, 0).value;
      const auto marks = stretchesOf(replaced.text(), [=](char32_t c) { return c == wanted; });
      splitInto(words, replaced, marks, SplitBehavior::MergedWithNext);
    } else {
      words.push_back(std::move(replaced));
    }
    return {};
  };
}

PreTokenizer makeWhitespace() {
  return splitWhitespace;
}

PreTokenizer makeWhitespaceSplit() {
  return makeCharacterSplit(isWhiteSpace, SplitBehavior::Removed);
}

PreTokenizer makeBertPreTokenizer() {
  return makePreTokenizers(
      {makeWhitespaceSplit(), makeCharacterSplit(isPunctuation, SplitBehavior::Isolated)});
}

PreTokenizer makeFixedLength(std::size_t characters) {
  return [characters](const AlignedText& text, Words& words) {
    const std::string& bytes = text.text();
    for (std::size_t begin = 0; begin < bytes.size();) {
      std::size_t end = begin;
      for (std::size_t i = 0; i < characters && end < bytes.size(); ++i) {
        end += codePointAt(bytes, end).size;
      }
      words.push_back(text.slice(begin, end));
      begin = end;
    }
    return Result<>();
  };
}

PreTokenizer makePreTokenizers(std::vector<PreTokenizer> parts) {
  return [parts = std::move(parts)](const AlignedText& text, Words& words) -> Result<> {
    Words current{text};
    for (const PreTokenizer& part : parts) {
      Words next;
      for (const AlignedText& word : current) {
        ULP_TRY(part(word, next));
      }
      current = std::move(next);
    }
    words.insert(words.end(),
                 std::make_move_iterator(current.begin()),
                 std::make_move_iterator(current.end()));
    return {};
  };
}

}  // namespace ulp::text
