#include "core/text/steps/speller.h"

#include <charconv>
#include <optional>

#include "core/text/characters/byte_alphabet.h"

namespace ulp::text {
namespace {

std::optional<char> byteOfToken(std::string_view spelling) {
  constexpr std::string_view kBegin = "<0x";
  if (spelling.size() != 6 || !spelling.starts_with(kBegin) || spelling.back() != '>') {
    return std::nullopt;
  }
  unsigned byte = 0;
  const char* const end = spelling.data() + 5;
  const auto [rest, error] = std::from_chars(spelling.data() + kBegin.size(), end, byte, 16);
  return error == std::errc() && rest == end ? std::optional(static_cast<char>(byte))
                                             : std::nullopt;
}

/// `text` with a space for every `what`; itself where that is empty.
std::string withSpaces(std::string_view text, std::string_view what) {
  if (what.empty()) {
    return std::string(text);
  }
  std::string replaced;
  while (true) {
    const std::size_t at = text.find(what);
    replaced += text.substr(0, at);
    if (at == std::string_view::npos) {
      return replaced;
    }
    replaced += ' ';
    text.remove_prefix(at + what.size());
  }
}

}  // namespace

std::string Speller::bytesOf(std::string_view spelling) const {
  if (isByteLevel) {
    return bytesOfSpelling(spelling).value_or(std::string(spelling));
  }
  if (hasByteTokens) {
    if (const auto byte = byteOfToken(spelling)) {
      return {*byte};
    }
  }
  std::string bytes = withSpaces(withSpaces(spelling, space), wordEnd);
  if (!continuingPrefix.empty()) {
    if (bytes.starts_with(continuingPrefix)) {
      return bytes.substr(continuingPrefix.size());
    }
    bytes.insert(bytes.begin(), ' ');
  }
  return bytes;
}

}  // namespace ulp::text
