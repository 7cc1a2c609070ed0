#include "core/text/steps/normalizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text/utf8.h"
#include "core/text/characters/byte_alphabet.h"

namespace ulp::text {
namespace {

/// Looks at one character at a time: `map(char32_t, std::string& to)` writes what takes its place.
template <class Map>
Normalizer makeMap(const Map& map) {
  return [map](const AlignedText& text) -> Result<AlignedText> {
    AlignedWriter writer(text);
    std::string with;
    for (std::size_t at = 0; at < text.text().size();) {
      const CodePoint c = codePointAt(text.text(), at);
      with.clear();
      map(c.value, with);
      writer.put(with, at, at + c.size);
      at += c.size;
    }
    return writer.take();
  };
}

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
  if (c == 0 || c == 0xFFFD || (!isBlank && isControl(c))) {
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

/// Removes the characters that `isRemoved(char32_t)`.
template <class Predicate>
Normalizer makeRemoval(const Predicate& isRemoved) {
  return makeMap([isRemoved](char32_t c, std::string& to) {
    if (!isRemoved(c)) {
      appendUtf8(to, c);
    }
  });
}

}  // namespace

Normalizer makeNormalForm(NormalForm form) {
  return [form](const AlignedText& text) { return normalized(text, form); };
}

Normalizer makeLowercase() {
  return makeMap([](char32_t c, std::string& to) { appendLowercase(to, c); });
}

Normalizer makeStripAccents() {
  return makeRemoval(isMark);
}

Normalizer makeStrip(bool left, bool right) {
  return [left, right](const AlignedText& text) {
    const std::string& bytes = text.text();
    const std::size_t begin = left ? endOfBlanks(bytes, 0) : 0;
    const std::size_t end = right ? beginOfBlanks(bytes, bytes.size()) : bytes.size();
    return text.slice(begin, std::max(begin, end));
  };
}

Normalizer makePrepend(std::string prefix) {
  return [prefix = std::move(prefix)](const AlignedText& text) {
    return text.isEmpty() ? Result<AlignedText>(text) : withPrefix(text, prefix);
  };
}

Normalizer makeReplace(Regex pattern, std::string content) {
  return [pattern = std::move(pattern),
          content = std::move(content)](const AlignedText& text) -> Result<AlignedText> {
    const auto stretches = ULP_TRY(pattern.stretches(text.text()));
    return withReplaced(text, stretches, content);
  };
}

Normalizer makeNmt() {
  return makeMap(applyNmt);
}

Normalizer makeBert(const BertCleaning& cleaning) {
  std::vector<Normalizer> parts;
  if (cleaning.cleanText) {
    parts.push_back(makeMap(cleanForBert));
  }
  if (cleaning.handleChineseCharacters) {
    parts.push_back(makeMap(isolateChinese));
  }
  if (cleaning.stripAccents) {
    parts.push_back(makeNormalForm(NormalForm::Nfd));
    parts.push_back(makeRemoval(isNonspacingMark));
  }
  if (cleaning.lowercase) {
    parts.push_back(makeLowercase());
  }
  return makeNormalizers(std::move(parts));
}

Normalizer makeNormalizers(std::vector<Normalizer> parts) {
  return [parts = std::move(parts)](const AlignedText& text) -> Result<AlignedText> {
    AlignedText result = text;
    for (const Normalizer& part : parts) {
      result = ULP_TRY(part(result));
    }
    return result;
  };
}

Result<AlignedText> spelledInBytes(const AlignedText& text) {
  AlignedWriter writer(text);
  for (std::size_t i = 0; i < text.text().size(); ++i) {
    writer.put(byteCharacter(static_cast<unsigned char>(text.text()[i])), i, i + 1);
  }
  return writer.take();
}

Result<AlignedText> withPrefix(const AlignedText& text, std::string_view prefix) {
  AlignedWriter writer(text);
  writer.put(prefix, 0, codePointAt(text.text(), 0).size);
  writer.keep(0, text.text().size());
  return writer.take();
}

Result<AlignedText> withReplaced(const AlignedText& text,
                                 const Stretches& stretches,
                                 std::string_view content) {
  AlignedWriter writer(text);
  for (const Stretch& stretch : stretches) {
    if (stretch.isMatch) {
      writer.put(content, stretch.begin, stretch.end);
    } else {
      writer.keep(stretch.begin, stretch.end);
    }
  }
  return writer.take();
}

}  // namespace ulp::text
