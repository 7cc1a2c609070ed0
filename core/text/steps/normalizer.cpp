#include "core/text/steps/normalizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/characters/byte_alphabet.h"
#include "core/text/characters/utf8.h"

namespace ulp::text {
namespace {

/// A normalizer that looks at one character at a time: `Map(char32_t, std::string& to)` writes what
/// takes its place.
template <class Map>
class CharacterMap final : public Normalizer {
 public:
  explicit CharacterMap(Map map) : m_map(std::move(map)) {}

  [[nodiscard]] Result<AlignedText> apply(const AlignedText& text) const override {
    AlignedWriter writer(text);
    std::string with;
    for (std::size_t at = 0; at < text.text().size();) {
      const CodePoint c = codePointAt(text.text(), at);
      with.clear();
      m_map(c.value, with);
      writer.put(with, at, at + c.size);
      at += c.size;
    }
    return writer.take();
  }

 private:
  Map m_map;
};

template <class Map>
NormalizerPtr makeMap(Map map) {
  return std::make_unique<CharacterMap<Map>>(std::move(map));
}

class NormalFormStep final : public Normalizer {
 public:
  explicit NormalFormStep(NormalForm form) : m_form(form) {}
  [[nodiscard]] Result<AlignedText> apply(const AlignedText& text) const override {
    return normalized(text, m_form);
  }

 private:
  NormalForm m_form;
};

class Strip final : public Normalizer {
 public:
  Strip(bool left, bool right) : m_left(left), m_right(right) {}

  [[nodiscard]] Result<AlignedText> apply(const AlignedText& text) const override {
    const std::string& bytes = text.text();
    std::size_t begin = 0;
    std::size_t end = bytes.size();
    while (m_left && begin < end && isWhiteSpace(codePointAt(bytes, begin).value)) {
      begin += codePointAt(bytes, begin).size;
    }
    while (m_right && begin < end &&
           isWhiteSpace(codePointAt(bytes, codePointBefore(bytes, end)).value)) {
      end = codePointBefore(bytes, end);
    }
    return text.slice(begin, end);
  }

 private:
  bool m_left;
  bool m_right;
};

class Prepend final : public Normalizer {
 public:
  explicit Prepend(std::string prefix) : m_prefix(std::move(prefix)) {}

  [[nodiscard]] Result<AlignedText> apply(const AlignedText& text) const override {
    if (text.isEmpty()) {
      return text;
    }
    AlignedWriter writer(text);
    writer.put(m_prefix, 0, codePointAt(text.text(), 0).size);
    writer.keep(0, text.text().size());
    return writer.take();
  }

 private:
  std::string m_prefix;
};

class Replace final : public Normalizer {
 public:
  Replace(Regex pattern, std::string content)
      : m_pattern(std::move(pattern)), m_content(std::move(content)) {}

  [[nodiscard]] Result<AlignedText> apply(const AlignedText& text) const override {
    const auto stretches = ULP_TRY(m_pattern.stretches(text.text()));
    AlignedWriter writer(text);
    for (const Stretch& stretch : stretches) {
      if (stretch.isMatch) {
        writer.put(m_content, stretch.begin, stretch.end);
      } else {
        writer.keep(stretch.begin, stretch.end);
      }
    }
    return writer.take();
  }

 private:
  Regex m_pattern;
  std::string m_content;
};

class ByteLevelNormalizer final : public Normalizer {
 public:
  [[nodiscard]] Result<AlignedText> apply(const AlignedText& text) const override {
    return spelledInBytes(text);
  }
};

class NormalizerSequence final : public Normalizer {
 public:
  explicit NormalizerSequence(std::vector<NormalizerPtr> parts) : m_parts(std::move(parts)) {}

  [[nodiscard]] Result<AlignedText> apply(const AlignedText& text) const override {
    Result<AlignedText> result = text;
    for (const NormalizerPtr& part : m_parts) {
      if (result = part->apply(*result); !result) {
        break;
      }
    }
    return result;
  }

 private:
  std::vector<NormalizerPtr> m_parts;
};

/// The blocks that BERT's cleaning calls Chinese.
bool isChinese(char32_t c) {
  constexpr std::array<std::pair<char32_t, char32_t>, 8> kBlocks{{{0x4E00, 0x9FFF},
                                                                  {0x3400, 0x4DBF},
                                                                  {0x20000, 0x2A6DF},
                                                                  {0x2A700, 0x2B73F},
                                                                  {0x2B740, 0x2B81F},
                                                                  {0x2B920, 0x2CEAF},
                                                                  {0xF900, 0xFAFF},
                                                                  {0x2F800, 0x2FA1F}}};
  return std::any_of(kBlocks.begin(), kBlocks.end(), [c](const auto& block) {
    return c >= block.first && c <= block.second;
  });
}

void cleanForBert(char32_t c, std::string& to) {
  const bool isBlank = c == '\t' || c == '\n' || c == '\r';
  if (c == 0 || c == 0xFFFD || (!isBlank && isOther(c))) {
    return;
  }
  appendUtf8(to, isBlank || isWhiteSpace(c) ? U' ' : c);
}

void isolateChinese(char32_t c, std::string& to) {
  const char* blank = isChinese(c) ? " " : "";
  to += blank;
  appendUtf8(to, c);
  to += blank;
}

/// Neural machine translation's rules, as sentencepiece has them: some controls vanish, what
/// separates words becomes a space.
void applyNmt(char32_t c, std::string& to) {
  constexpr std::array<char32_t, 4> kRemoved{0x0B, 0x7F, 0x8F, 0x9F};
  constexpr std::array<char32_t, 10> kBlank{
      0x09, 0x0A, 0x0C, 0x0D, 0x1680, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD};
  const bool isRemoved = (c >= 0x01 && c <= 0x08) || (c >= 0x0E && c <= 0x1F) ||
                         std::find(kRemoved.begin(), kRemoved.end(), c) != kRemoved.end();
  if (isRemoved) {
    return;
  }
  const bool isBlank =
      (c >= 0x200B && c <= 0x200F) || std::find(kBlank.begin(), kBlank.end(), c) != kBlank.end();
  appendUtf8(to, isBlank ? U' ' : c);
}

}  // namespace

NormalizerPtr makeNormalForm(NormalForm form) {
  return std::make_unique<NormalFormStep>(form);
}

NormalizerPtr makeLowercase() {
  return makeMap([](char32_t c, std::string& to) { appendLowercase(to, c); });
}

NormalizerPtr makeStripAccents() {
  return makeMap([](char32_t c, std::string& to) {
    if (!isMark(c)) {
      appendUtf8(to, c);
    }
  });
}

NormalizerPtr makeStrip(bool left, bool right) {
  return std::make_unique<Strip>(left, right);
}

NormalizerPtr makePrepend(std::string prefix) {
  return std::make_unique<Prepend>(std::move(prefix));
}

NormalizerPtr makeReplace(Regex pattern, std::string content) {
  return std::make_unique<Replace>(std::move(pattern), std::move(content));
}

NormalizerPtr makeByteLevelNormalizer() {
  return std::make_unique<ByteLevelNormalizer>();
}

NormalizerPtr makeNmt() {
  return makeMap(applyNmt);
}

NormalizerPtr makeBert(const BertCleaning& cleaning) {
  std::vector<NormalizerPtr> parts;
  if (cleaning.cleanText) {
    parts.push_back(makeMap(cleanForBert));
  }
  if (cleaning.handleChineseCharacters) {
    parts.push_back(makeMap(isolateChinese));
  }
  if (cleaning.stripAccents) {
    parts.push_back(makeNormalForm(NormalForm::Nfd));
    parts.push_back(makeMap([](char32_t c, std::string& to) {
      if (!isNonspacingMark(c)) {
        appendUtf8(to, c);
      }
    }));
  }
  if (cleaning.lowercase) {
    parts.push_back(makeLowercase());
  }
  return makeNormalizers(std::move(parts));
}

NormalizerPtr makeNormalizers(std::vector<NormalizerPtr> parts) {
  return std::make_unique<NormalizerSequence>(std::move(parts));
}

AlignedText spelledInBytes(const AlignedText& text) {
  AlignedWriter writer(text);
  for (std::size_t i = 0; i < text.text().size(); ++i) {
    writer.put(byteCharacter(static_cast<unsigned char>(text.text()[i])), i, i + 1);
  }
  return writer.take();
}

}  // namespace ulp::text
