#include "core/report/json/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

namespace ulp::report {
namespace {

bool isPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
  });
}

void appendQuoted(std::string& out, std::string_view text) {
  if (isPlain(text)) {
    out.push_back('"');
    out.append(text);
    out.push_back('"');
    return;
  }
  out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void JsonWriter::comma() {
  if (m_needsComma) {
    m_out.push_back(',');
  }
  m_out += m_pendingBreak;
  m_pendingBreak.clear();
  m_needsComma = true;
}

void JsonWriter::open(char bracket) {
  comma();
  m_out.push_back(bracket);
  m_needsComma = false;
}

void JsonWriter::close(char bracket) {
  m_out += m_pendingBreak;
  m_pendingBreak.clear();
  m_out.push_back(bracket);
  m_needsComma = true;
}

void JsonWriter::key(std::string_view name) {
  comma();
  appendQuoted(m_out, name);
  m_out += ":";
  m_needsComma = false;
}

void JsonWriter::value(std::string_view text) {
  comma();
  appendQuoted(m_out, text);
}

void JsonWriter::value(double number) {
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

void JsonWriter::raw(std::string_view json) {
  comma();
  m_out += json;
}

void JsonWriter::newLine(int indent) {
  m_pendingBreak = "\n" + std::string(static_cast<std::size_t>(indent), ' ');
}

}  // namespace ulp::report
