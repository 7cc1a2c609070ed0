#include "core/json/writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "core/json/dump.h"

namespace ulp::json {

void Writer::comma() {
  if (m_needsComma) {
    m_out.push_back(',');
  }
  if (m_style.indent && m_depth > 0 && !m_isAfterKey) {
    newLine(m_depth * *m_style.indent);
  }
  m_isAfterKey = false;
  m_out += m_pendingBreak;
  m_pendingBreak.clear();
  m_needsComma = true;
}

void Writer::open(char bracket) {
  comma();
  m_out.push_back(bracket);
  m_needsComma = false;
  ++m_depth;
}

void Writer::close(char bracket) {
  --m_depth;
  if (m_style.indent && m_needsComma) {
    newLine(m_depth * *m_style.indent);
  }
  m_out += m_pendingBreak;
  m_pendingBreak.clear();
  m_out.push_back(bracket);
  m_needsComma = true;
}

void Writer::key(std::string_view name) {
  comma();
  appendQuoted(m_out, name, m_style.isAscii);
  m_out += m_style.indent ? ": " : ":";
  m_needsComma = false;
  m_isAfterKey = true;
}

void Writer::value(std::span<const std::string> texts) {
  beginArray();
  for (const std::string& text : texts) {
    value(std::string_view(text));
  }
  endArray();
}

void Writer::value(std::string_view text) {
  comma();
  appendQuoted(m_out, text, m_style.isAscii);
}

void Writer::value(double number) {
  if (std::isnan(number)) {
    value(std::string_view("NaN"));
  } else if (std::isinf(number)) {
    value(std::string_view(number > 0 ? "Infinity" : "-Infinity"));
  } else {
    std::array<char, 32> buffer{};
    const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    raw({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
  }
}

void Writer::raw(std::string_view json) {
  comma();
  m_out += json;
}

void Writer::newLine(std::optional<int> indent) {
  if (indent) {
    m_pendingBreak = "\n" + std::string(static_cast<std::size_t>(*indent), ' ');
  }
}

}  // namespace ulp::json
