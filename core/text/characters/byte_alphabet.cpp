#include "core/text/characters/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "core/base/text/utf8.h"

namespace ulp::text {
namespace {

constexpr char32_t kFirstSubstitute = 0x100;
constexpr std::size_t kSubstitutes = 68;

constexpr bool isShownAsItself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
}

struct Alphabet {
  Alphabet() {
    char32_t next = kFirstSubstitute;
    for (unsigned byte = 0; byte < characters.size(); ++byte) {
      const char32_t c = isShownAsItself(byte) ? byte : next++;
      appendUtf8(characters.at(byte), c);
      bytes.at(c) = static_cast<std::uint16_t>(byte);
    }
  }

  static constexpr std::uint16_t kNone = 0xFFFF;
  std::array<std::string, 256> characters;
  std::array<std::uint16_t, kFirstSubstitute + kSubstitutes> bytes = [] {
    std::array<std::uint16_t, kFirstSubstitute + kSubstitutes> none{};
    none.fill(kNone);
    return none;
  }();
};

const Alphabet& alphabet() {
  static const Alphabet kAlphabet;
  return kAlphabet;
}

}  // namespace

std::string_view byteCharacter(unsigned char byte) {
  return alphabet().characters[byte];
}

std::optional<std::string> bytesOfSpelling(std::string_view spelling) {
  std::string bytes;
  for (std::size_t at = 0; at < spelling.size();) {
    const CodePoint c = codePointAt(spelling, at);
    if (c.value >= alphabet().bytes.size() || alphabet().bytes[c.value] == Alphabet::kNone) {
      return std::nullopt;
    }
    bytes += static_cast<char>(alphabet().bytes[c.value]);
    at += c.size;
  }
  return bytes;
}

std::string spellingOfBytes(std::string_view bytes) {
  std::string spelling;
  for (const char byte : bytes) {
    spelling += byteCharacter(static_cast<unsigned char>(byte));
  }
  return spelling;
}

}  // namespace ulp::text
