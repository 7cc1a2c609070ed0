#include "core/dumps/msprobe/python_text.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>
#include <zlib.h>

namespace ulp::dumps::msprobe {
namespace {

/// str.isprintable() of one character.
bool isPrintable(UChar32 character) {
  if (character == ' ') {
    return true;
  }
  constexpr std::uint32_t kHidden =
      U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK | U_GC_CO_MASK | U_GC_CN_MASK | U_GC_Z_MASK;
  return (U_GET_GC_MASK(character) & kHidden) == 0;
}

void appendEscaped(std::string& out, UChar32 character) {
  const auto code = static_cast<std::uint32_t>(character);
  if (code < 0x100) {
    out += fmt::format("\\x{:02x}", code);
  } else if (code < 0x10000) {
    out += fmt::format("\\u{:04x}", code);
  } else {
    out += fmt::format("\\U{:08x}", code);
  }
}

void appendCharacter(std::string& out, UChar32 character, std::string_view bytes, char quote) {
  if (character == quote || character == '\\') {
    out += '\\';
    out += static_cast<char>(character);
  } else if (character == '\n') {
    out += "\\n";
  } else if (character == '\r') {
    out += "\\r";
  } else if (character == '\t') {
    out += "\\t";
  } else if (character < 0) {
    for (const char byte : bytes) {
      appendEscaped(out, static_cast<unsigned char>(byte));
    }
  } else if (isPrintable(character)) {
    out += bytes;
  } else {
    appendEscaped(out, character);
  }
}

UChar32 nextCharacter(std::string_view text, std::size_t& place) {
  const auto* bytes = text.data();
  std::size_t at = place;
  UChar32 character = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
  U8_NEXT(bytes, at, text.size(), character);  // NOLINT
#pragma GCC diagnostic pop
  place = at;
  return character;
}

}  // namespace

std::string pythonFloat(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::string jsonFloat(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "Infinity" : "-Infinity";
  }
  return pythonFloat(value);
}

std::string pythonQuoted(std::string_view text) {
  const char quote =
      text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"'
                                                                                            : '\'';
  std::string out(1, quote);
  for (std::size_t place = 0; place < text.size();) {
    const std::size_t from = place;
    const auto byte = static_cast<unsigned char>(text[place]);
    const bool isPlain = byte >= 0x20 && byte < 0x7F;
    const UChar32 character = isPlain ? static_cast<UChar32>(byte) : nextCharacter(text, place);
    place = isPlain ? place + 1 : place;
    appendCharacter(out, character, text.substr(from, place - from), quote);
  }
  out += quote;
  return out;
}

std::string pythonList(std::span<const std::string> texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    out += out.size() > 1 ? ", " : "";
    out += pythonQuoted(text);
  }
  return out + "]";
}

std::string crc32Text(std::string_view bytes) {
  const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
  return fmt::format("{:08x}", ::crc32_z(0, data, bytes.size()));
}

}  // namespace ulp::dumps::msprobe
