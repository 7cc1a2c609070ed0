#include "core/text/steps/pre_tokenizer.h"

#include <utility>

#include "core/text/characters/unicode.h"
#include "core/text/characters/utf8.h"
#include "core/text/steps/normalizer.h"

namespace ulp::text {
namespace {

/// Cuts at single characters that satisfy `Predicate(char32_t)`.
template <class Predicate>
class CharacterSplit final : public PreTokenizer {
 public:
  CharacterSplit(Predicate predicate, SplitBehavior behavior)
      : m_predicate(std::move(predicate)), m_behavior(behavior) {}

  [[nodiscard]] Result<> split(const AlignedText& text,
                               std::vector<AlignedText>& words) const override {
    splitInto(words, text, stretchesOf(text.text(), m_predicate), m_behavior);
    return {};
  }

 private:
  Predicate m_predicate;
  SplitBehavior m_behavior;
};

template <class Predicate>
PreTokenizerPtr makeCharacterSplit(Predicate predicate, SplitBehavior behavior) {
  return std::make_unique<CharacterSplit<Predicate>>(std::move(predicate), behavior);
}

class PatternSplit final : public PreTokenizer {
 public:
  PatternSplit(Regex pattern, SplitBehavior behavior, bool invert)
      : m_pattern(std::move(pattern)), m_behavior(behavior), m_invert(invert) {}

  [[nodiscard]] Result<> split(const AlignedText& text,
                               std::vector<AlignedText>& words) const override {
    auto stretches = ULP_TRY(m_pattern.stretches(text.text()));
    for (Stretch& stretch : stretches) {
      stretch.isMatch = stretch.isMatch != m_invert;
    }
    splitInto(words, text, stretches, m_behavior);
    return {};
  }

 private:
  Regex m_pattern;
  SplitBehavior m_behavior;
  bool m_invert;
};

AlignedText withPrefix(const AlignedText& text, std::string_view prefix) {
  AlignedWriter writer(text);
  writer.put(prefix, 0, codePointAt(text.text(), 0).size);
  writer.keep(0, text.text().size());
  return writer.take();
}

class ByteLevel final : public PreTokenizer {
 public:
  ByteLevel(std::unique_ptr<const Regex> pattern, bool addPrefixSpace)
      : m_pattern(std::move(pattern)), m_addPrefixSpace(addPrefixSpace) {}

  [[nodiscard]] Result<> split(const AlignedText& text,
                               std::vector<AlignedText>& words) const override {
    const bool addsSpace = m_addPrefixSpace && !text.text().starts_with(' ');
    return addsSpace ? splitPrefixed(withPrefix(text, " "), words) : splitPrefixed(text, words);
  }

 private:
  [[nodiscard]] Result<> splitPrefixed(const AlignedText& text,
                                       std::vector<AlignedText>& words) const {
    const std::size_t first = words.size();
    if (m_pattern == nullptr) {
      words.push_back(text);
    } else {
      const auto stretches = ULP_TRY(m_pattern->stretches(text.text()));
      splitInto(words, text, stretches, SplitBehavior::Isolated);
    }
    for (std::size_t i = first; i < words.size(); ++i) {
      words[i] = spelledInBytes(words[i]);
    }
    return {};
  }

  std::unique_ptr<const Regex> m_pattern;
  bool m_addPrefixSpace;
};

class Metaspace final : public PreTokenizer {
 public:
  Metaspace(std::string replacement, PrependScheme scheme, bool split)
      : m_replacement(std::move(replacement)),
        m_character(codePointAt(m_replacement, 0).value),
        m_scheme(scheme),
        m_split(split) {}

  [[nodiscard]] Result<> split(const AlignedText& text,
                               std::vector<AlignedText>& words) const override {
    AlignedText replaced = withReplacedSpaces(text);
    const bool isAsked = m_scheme == PrependScheme::Always ||
                         (m_scheme == PrependScheme::First && text.sourceOf(0, 0).begin == 0);
    if (isAsked && !replaced.text().starts_with(m_replacement)) {
      replaced = withPrefix(replaced, m_replacement);
    }
    if (m_split) {
      const auto isReplacement = [this](char32_t c) { return c == m_character; };
      splitInto(words,
                replaced,
                stretchesOf(replaced.text(), isReplacement),
                SplitBehavior::MergedWithNext);
    } else {
      words.push_back(std::move(replaced));
    }
    return {};
  }

 private:
  [[nodiscard]] AlignedText withReplacedSpaces(const AlignedText& text) const {
    AlignedWriter writer(text);
    for (const Stretch& stretch : stretchesOf(text.text(), [](char32_t c) { return c == U' '; })) {
      if (stretch.isMatch) {
        writer.put(m_replacement, stretch.begin, stretch.end);
      } else {
        writer.keep(stretch.begin, stretch.end);
      }
    }
    return writer.take();
  }

  std::string m_replacement;
  char32_t m_character;
  PrependScheme m_scheme;
  bool m_split;
};

/// Runs of word characters and runs of what is neither word nor white space; the rest is dropped.
class Whitespace final : public PreTokenizer {
 public:
  [[nodiscard]] Result<> split(const AlignedText& text,
                               std::vector<AlignedText>& words) const override {
    const std::string& bytes = text.text();
    std::size_t begin = 0;
    Kind kind = Kind::Blank;
    for (std::size_t at = 0; at < bytes.size();) {
      const CodePoint c = codePointAt(bytes, at);
      if (const Kind next = kindOf(c.value); next != kind) {
        add(words, text, begin, at, kind);
        begin = at;
        kind = next;
      }
      at += c.size;
    }
    add(words, text, begin, bytes.size(), kind);
    return {};
  }

 private:
  enum class Kind : std::uint8_t { Blank, Word, Symbol };

  static Kind kindOf(char32_t c) {
    if (isWordCharacter(c)) {
      return Kind::Word;
    }
    return isWhiteSpace(c) ? Kind::Blank : Kind::Symbol;
  }

  static void add(std::vector<AlignedText>& words,
                  const AlignedText& text,
                  std::size_t begin,
                  std::size_t end,
                  Kind kind) {
    if (begin < end && kind != Kind::Blank) {
      words.push_back(text.slice(begin, end));
    }
  }
};

class FixedLength final : public PreTokenizer {
 public:
  explicit FixedLength(std::size_t characters) : m_characters(characters) {}

  [[nodiscard]] Result<> split(const AlignedText& text,
                               std::vector<AlignedText>& words) const override {
    const std::string& bytes = text.text();
    for (std::size_t begin = 0; begin < bytes.size();) {
      std::size_t end = begin;
      for (std::size_t i = 0; i < m_characters && end < bytes.size(); ++i) {
        end += codePointAt(bytes, end).size;
      }
      words.push_back(text.slice(begin, end));
      begin = end;
    }
    return {};
  }

 private:
  std::size_t m_characters;
};

class PreTokenizerSequence final : public PreTokenizer {
 public:
  explicit PreTokenizerSequence(std::vector<PreTokenizerPtr> parts) : m_parts(std::move(parts)) {}

  [[nodiscard]] Result<> split(const AlignedText& text,
                               std::vector<AlignedText>& words) const override {
    std::vector<AlignedText> current{text};
    for (const PreTokenizerPtr& part : m_parts) {
      std::vector<AlignedText> next;
      for (const AlignedText& word : current) {
        ULP_TRY(part->split(word, next));
      }
      current = std::move(next);
    }
    words.insert(words.end(),
                 std::make_move_iterator(current.begin()),
                 std::make_move_iterator(current.end()));
    return {};
  }

 private:
  std::vector<PreTokenizerPtr> m_parts;
};

}  // namespace

std::string_view byteLevelPattern() {
  return R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
}

PreTokenizerPtr makeSplit(Regex pattern, SplitBehavior behavior, bool invert) {
  return std::make_unique<PatternSplit>(std::move(pattern), behavior, invert);
}

PreTokenizerPtr makeByteLevel(std::unique_ptr<const Regex> pattern, bool addPrefixSpace) {
  return std::make_unique<ByteLevel>(std::move(pattern), addPrefixSpace);
}

PreTokenizerPtr makeMetaspace(std::string replacement, PrependScheme scheme, bool split) {
  return std::make_unique<Metaspace>(std::move(replacement), scheme, split);
}

PreTokenizerPtr makeDigits(bool individually) {
  return makeCharacterSplit(isNumeric,
                            individually ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

PreTokenizerPtr makePunctuation(SplitBehavior behavior) {
  return makeCharacterSplit(isPunctuation, behavior);
}

PreTokenizerPtr makeWhitespace() {
  return std::make_unique<Whitespace>();
}

PreTokenizerPtr makeWhitespaceSplit() {
  return makeCharacterSplit(isWhiteSpace, SplitBehavior::Removed);
}

PreTokenizerPtr makeBertPreTokenizer() {
  std::vector<PreTokenizerPtr> parts;
  parts.push_back(makeWhitespaceSplit());
  parts.push_back(makePunctuation(SplitBehavior::Isolated));
  return makePreTokenizers(std::move(parts));
}

PreTokenizerPtr makeDelimiterSplit(char32_t delimiter) {
  return makeCharacterSplit([delimiter](char32_t c) { return c == delimiter; },
                            SplitBehavior::Removed);
}

PreTokenizerPtr makeFixedLength(std::size_t characters) {
  return std::make_unique<FixedLength>(characters);
}

PreTokenizerPtr makePreTokenizers(std::vector<PreTokenizerPtr> parts) {
  return std::make_unique<PreTokenizerSequence>(std::move(parts));
}

}  // namespace ulp::text
