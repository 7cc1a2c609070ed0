#include "core/text/characters/unicode.h"

#include <fmt/format.h>
#include <memory>
#include <unicode/brkiter.h>
#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include "core/base/text/utf8.h"

namespace ulp::text {
namespace {

bool isIn(char32_t c, std::uint32_t categories) {
  return (U_MASK(u_charType(static_cast<UChar32>(c))) & categories) != 0;
}

tl::unexpected<Error> icuFailure(std::string_view what, UErrorCode code) {
  return fail(ErrorCode::Internal, fmt::format("{}: ICU says {}", what, u_errorName(code)));
}

const icu::Normalizer2* normalizerOf(NormalForm form, UErrorCode& code) {
  switch (form) {
    case NormalForm::Nfc:
      return icu::Normalizer2::getNFCInstance(code);
    case NormalForm::Nfd:
      return icu::Normalizer2::getNFDInstance(code);
    case NormalForm::Nfkc:
      return icu::Normalizer2::getNFKCInstance(code);
    case NormalForm::Nfkd:
      return icu::Normalizer2::getNFKDInstance(code);
  }
  return nullptr;
}

}  // namespace

bool isWhiteSpace(char32_t c) {
  return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}
bool isNumeric(char32_t c) {
  return isIn(c, U_GC_N_MASK);
}
bool isPunctuation(char32_t c) {
  const bool isAsciiSymbol = (c > 0x20 && c < 0x7F) && !(c >= '0' && c <= '9') &&
                             !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z');
  return isAsciiSymbol || isIn(c, U_GC_P_MASK);
}
bool isMark(char32_t c) {
  return isIn(c, U_GC_M_MASK);
}
bool isNonspacingMark(char32_t c) {
  return isIn(c, U_GC_MN_MASK);
}
bool isControl(char32_t c) {
  constexpr std::uint8_t kNewest = 8;
  UVersionInfo age{};
  u_charAge(static_cast<UChar32>(c), age);
  return isIn(c, U_GC_CC_MASK | U_GC_CO_MASK) || (isIn(c, U_GC_CF_MASK) && age[0] <= kNewest);
}

bool isWordCharacter(char32_t c) {
  constexpr char32_t kZeroWidthNonJoiner = 0x200C;
  constexpr char32_t kZeroWidthJoiner = 0x200D;
  return isIn(c, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK) || c == kZeroWidthNonJoiner ||
         c == kZeroWidthJoiner ||
         u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_ALPHABETIC) != 0;
}

std::size_t beginOfBlanks(std::string_view text, std::size_t end) {
  while (end > 0) {
    const std::size_t before = codePointBefore(text, end);
    if (!isWhiteSpace(codePointAt(text, before).value)) {
      break;
    }
    end = before;
  }
  return end;
}

std::size_t endOfBlanks(std::string_view text, std::size_t begin) {
  while (begin < text.size() && isWhiteSpace(codePointAt(text, begin).value)) {
    begin += codePointAt(text, begin).size;
  }
  return begin;
}

void appendLowercase(std::string& to, char32_t c) {
  constexpr char32_t kCapitalIWithDot = 0x130;  // the only one that becomes two characters
  if (c == kCapitalIWithDot) {
    to += "i\u0307";
  } else {
    appendUtf8(to, static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
  }
}

Result<AlignedText> normalized(const AlignedText& text, NormalForm form) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = normalizerOf(form, code);
  std::string made;
  icu::Edits edits;
  if (normalizer != nullptr && U_SUCCESS(code)) {
    icu::StringByteSink<std::string> sink(&made);
    normalizer->normalizeUTF8(0, icu::StringPiece(text.text()), sink, &edits, code);
  }
  if (U_FAILURE(code)) {
    return icuFailure("normal form", code);
  }
  if (!edits.hasChanges()) {
    return text;
  }
  AlignedWriter writer(text);
  auto edit = edits.getFineIterator();
  while (edit.next(code) != 0) {
    const auto begin = static_cast<std::size_t>(edit.sourceIndex());
    const std::size_t end = begin + static_cast<std::size_t>(edit.oldLength());
    if (edit.hasChange() != 0) {
      writer.put(std::string_view(made).substr(static_cast<std::size_t>(edit.destinationIndex()),
                                               static_cast<std::size_t>(edit.newLength())),
                 begin,
                 end);
    } else {
      writer.keep(begin, end);
    }
  }
  if (U_FAILURE(code)) {
    return icuFailure("normal form", code);
  }
  return writer.take();
}

Result<std::vector<std::size_t>> graphemeEnds(std::string_view text) {
  UErrorCode code = U_ZERO_ERROR;
  const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), code));
  const std::unique_ptr<UText, decltype(&utext_close)> bytes(
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &code),
      &utext_close);
  if (U_SUCCESS(code)) {
    breaks->setText(bytes.get(), code);
  }
  if (U_FAILURE(code)) {
    return icuFailure("grapheme clusters", code);
  }
  std::vector<std::size_t> ends;
  for (std::int32_t end = breaks->next(); end != icu::BreakIterator::DONE; end = breaks->next()) {
    ends.push_back(static_cast<std::size_t>(end));
  }
  return ends;
}

}  // namespace ulp::text
