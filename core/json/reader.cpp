#include "core/json/reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <type_traits>

#include "core/base/text/utf8.h"

namespace ulp::json {
namespace {

/// Characters that are not part of a text as they stand.
constexpr std::array<bool, 256> kEndsPlainText = [] {
  std::array<bool, 256> ends{};
  for (std::size_t c = 0; c < 0x20; ++c) {
    ends.at(c) = true;
  }
  ends.at('"') = true;
  ends.at('\\') = true;
  return ends;
}();

}  // namespace

bool Reader::enter(char opening, std::string_view what) {
  const Token wanted = opening == '{' ? Token::BeginObject : Token::BeginArray;
  if (!isOk() || peek() != wanted) {
    expectedButFound(what);
    return false;
  }
  if (m_path.size() >= m_options.maxDepth) {
    syntaxError(SyntaxProblem::TooDeep, "nested too deep");
    return false;
  }
  ++m_pos;
  m_path.push_back({.key = {}, .isArray = wanted == Token::BeginArray});
  return true;
}

void Reader::leave() {
  if (isOk()) {
    m_path.pop_back();
  }
}

std::string_view Reader::scanString(std::string& storage) {
  const std::size_t start = ++m_pos;
  bool isPlain = true;
  std::size_t copied = start;
  while (true) {
    while (m_pos < m_text.size() && !kEndsPlainText[static_cast<unsigned char>(m_text[m_pos])]) {
      ++m_pos;
    }
    const char found = m_pos < m_text.size() ? m_text[m_pos] : '\0';
    if (found != '"' && found != '\\') {
      const bool isEnd = m_pos >= m_text.size() || found == '\0';
      syntaxError(isEnd ? SyntaxProblem::NoClosingQuote : SyntaxProblem::ControlCharacter,
                  "text without a closing '\"'");
      return {};
    }
    if (found == '"') {
      break;
    }
    if (isPlain) {
      storage.clear();
      isPlain = false;
    }
    storage.append(m_text.substr(copied, m_pos - copied));
    decodeEscape(storage);
    copied = m_pos;
    if (!isOk()) {
      return {};
    }
  }
  const std::size_t end = m_pos++;
  if (isPlain) {
    return m_text.substr(start, end - start);
  }
  storage.append(m_text.substr(copied, end - copied));
  return storage;
}

void Reader::decodeEscape(std::string& out) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  ++m_pos;
  const char name = m_pos < m_text.size() ? m_text[m_pos] : '\0';
  ++m_pos;
  if (name == 'u') {
    decodeCodePoint(out);
    return;
  }
  const std::size_t index = kNames.find(name);
  if (index == std::string_view::npos) {
    syntaxError(SyntaxProblem::UnknownEscape, "unknown escape in text");
    return;
  }
  out.push_back(kValues[index]);
}

void Reader::decodeCodePoint(std::string& out) {
  std::uint32_t code = decodeHex4();
  if (isOk() && code >= 0xD800 && code < 0xDC00) {
    const std::size_t after = m_pos;
    const bool isPair = takeWord("\\u");
    const std::uint32_t second = isPair ? decodeHex4() : 0;
    if (m_options.needsSurrogatePairs && (second < 0xDC00 || second > 0xDFFF)) {
      syntaxError(SyntaxProblem::NoSurrogatePair, "half of a surrogate pair in text");
    } else if (!isPair) {
      m_pos = after;  // what follows is another escape
    }
    code = isPair ? 0x10000 + ((code - 0xD800) << 10) + ((second - 0xDC00) & 0x3FF) : code;
  }
  appendUtf8(out, code);
}

std::uint32_t Reader::decodeHex4() {
  const std::string_view digits = m_text.substr(std::min(m_pos, m_text.size()), 4);
  std::uint32_t code = 0;
  const auto [end, status] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (status != std::errc{} || end != digits.data() + 4) {
    syntaxError(SyntaxProblem::NoHexDigits, "\\u needs four hexadecimal digits");
    m_pos += static_cast<std::size_t>(end - digits.data());  // may be the end of the text
    return 0;
  }
  m_pos += 4;
  return code;
}

std::string_view Reader::readText(std::string& storage) {
  if (!isOk() || peek() != Token::Text) {
    expectedButFound("text");
    return {};
  }
  return scanString(storage);
}

std::string Reader::readString() {
  std::string storage;
  const std::string_view text = readText(storage);
  return text.data() == storage.data() ? storage : std::string(text);
}

std::string_view Reader::scanNumber() {
  const std::size_t start = m_pos;
  while (m_pos < m_text.size() && isNumberPart(m_text[m_pos])) {
    ++m_pos;
  }
  return m_text.substr(start, m_pos - start);
}

template <class Number>
bool Reader::parseNumber(Number& value) {
  const char* const begin = m_text.data() + m_pos;
  const char* const last = m_text.data() + m_text.size();
  const auto [end, status] = std::from_chars(begin, last, value);
  if (status != std::errc{} || (end != last && isNumberPart(*end))) {
    return false;
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) {
      // from_chars() knows more words, as "-inf".
      const std::string_view word(begin, end);
      const bool isKnown = word == "NaN" || word == "Infinity" || word == "-Infinity";
      if (!m_options.hasNonFinite || !isKnown) {
        return false;
      }
    }
  }
  m_pos += static_cast<std::size_t>(end - begin);
  return true;
}

double Reader::readNumber() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Token kind = isOk() ? peek() : Token::Nothing;
  if (kind == Token::Number) {
    double value = 0;
    if (!parseNumber(value)) {
      if (!isNumberPart(m_text[m_pos])) {
        syntaxError(SyntaxProblem::NoValue, "expected a number");
        return kNan;
      }
      const std::string_view digits = scanNumber();
      fail(ErrorCode::CorruptData, fmt::format("'{}' is not a number of double range", digits));
    }
    return value;
  }
  if (kind == Token::Null) {
    skipValue();
    return kNan;
  }
  if (kind == Token::Text) {
    std::string storage;
    const std::string_view word = scanString(storage);
    if (word == "NaN") {
      return kNan;
    }
    if (word == "Infinity" || word == "-Infinity") {
      return word.front() == '-' ? -kInfinity : kInfinity;
    }
    fail(ErrorCode::CorruptData, fmt::format("expected a number, found \"{}\"", word));
    return kNan;
  }
  expectedButFound("a number");
  return kNan;
}

std::int64_t Reader::readInteger() {
  if (!isOk() || peek() != Token::Number || !isNumberPart(m_text[m_pos])) {
    expectedButFound("a whole number");
    return 0;
  }
  std::int64_t value = 0;
  if (!parseNumber(value)) {
    const std::string_view digits = scanNumber();
    fail(ErrorCode::CorruptData, fmt::format("expected a whole number, found {}", digits));
    return 0;
  }
  return value;
}

std::uint64_t Reader::readCount() {
  const std::int64_t value = readInteger();
  if (value < 0) {
    fail(ErrorCode::CorruptData, fmt::format("expected a count, found {}", value));
    return 0;
  }
  return static_cast<std::uint64_t>(value);
}

void Reader::skipScalar() {
  const Token kind = peek();
  if (kind == Token::Text) {
    std::string storage;
    static_cast<void>(scanString(storage));
    return;
  }
  if (kind == Token::Number) {
    static_cast<void>(m_options.hasNonFinite ? readNumberText() : scanNumber());
    return;
  }
  std::string_view word = "null";
  if (kind == Token::Boolean) {
    word = m_text[m_pos] == 't' ? "true" : "false";
  }
  const std::size_t start = m_pos;
  if (kind == Token::Nothing || !takeWord(word)) {
    syntaxErrorAt(start, SyntaxProblem::NoValue, "expected a value");
  }
}

bool Reader::takeWord(std::string_view word) {
  return std::ranges::all_of(word, [this](char c) { return take(c); });
}

std::size_t Reader::takeDigits() {
  const std::size_t start = m_pos;
  while (m_pos < m_text.size() && m_text[m_pos] >= '0' && m_text[m_pos] <= '9') {
    ++m_pos;
  }
  return m_pos - start;
}

bool Reader::takeNonFinite() {
  if (m_text[m_pos] == 'N') {
    return takeWord("NaN");
  }
  return takeWord("Inf") && (m_pos >= m_text.size() || m_text[m_pos] != 'i' || takeWord("inity"));
}

bool Reader::takeFinite() {
  constexpr std::size_t kMostExponent = 308;
  constexpr std::size_t kMostDigits = 17;  // that a double tells apart
  const std::size_t start = m_pos;
  if (!take('0') && takeDigits() == 0) {
    syntaxError(SyntaxProblem::NoValue, "expected a value");
    return false;
  }
  const std::string_view whole = m_text.substr(start, m_pos - start);
  double ignored = 0;
  bool isTooBig =
      whole.size() > kMostExponent &&
      std::from_chars(whole.data(), whole.data() + whole.size(), ignored).ec != std::errc{};
  const bool hasFraction = take('.');
  const std::size_t fraction = hasFraction ? takeDigits() : 0;
  if (hasFraction && fraction == 0) {
    syntaxError(SyntaxProblem::NoFraction, "expected digits behind '.'");
    return false;
  }
  if (take('e') || take('E')) {
    const bool isNegative = take('-');
    static_cast<void>(!isNegative && take('+'));
    const std::size_t count = takeDigits();
    if (count == 0) {
      syntaxError(SyntaxProblem::NoExponent, "expected digits of an exponent");
      return false;
    }
    std::size_t exponent = 0;
    const char* const end = m_text.data() + m_pos;
    const bool isRead = std::from_chars(end - count, end, exponent).ec == std::errc{};
    isTooBig |=
        !isNegative && (!isRead || exponent > kMostExponent + std::min(fraction, kMostDigits));
  }
  if (isTooBig) {
    syntaxErrorAt(start, SyntaxProblem::NumberTooBig, "a number beyond double range");
  }
  return !isTooBig;
}

std::string_view Reader::readNumberText() {
  if (!isOk() || peek() != Token::Number) {
    expectedButFound("a number");
    return {};
  }
  const std::size_t start = m_pos;
  static_cast<void>(take('-'));
  const char first = m_pos < m_text.size() ? m_text[m_pos] : '\0';
  if (!m_options.hasNonFinite || (first != 'N' && first != 'I')) {
    return takeFinite() ? m_text.substr(start, m_pos - start) : std::string_view();
  }
  if (!takeNonFinite()) {
    syntaxErrorAt(start, SyntaxProblem::NoValue, "expected a value");
  }
  return m_text.substr(start, m_pos - start);
}

std::string_view Reader::skipValue() {
  if (!isOk()) {
    return {};
  }
  const Token kind = peek();
  const std::size_t start = m_pos;
  if (kind == Token::BeginObject) {
    readObject([this](std::string_view) { skipValue(); });
  } else if (kind == Token::BeginArray) {
    readArray([this] { skipValue(); });
  } else {
    skipScalar();
  }
  return isOk() ? m_text.substr(start, m_pos - start) : std::string_view{};
}

void Reader::fail(ErrorCode code, std::string_view what) {
  if (m_error) {
    return;
  }
  const std::string path = pathText();
  m_error =
      Error(code, fmt::format("{}: {}{}{}", placeText(), path, path.empty() ? "" : ": ", what));
}

void Reader::syntaxError(SyntaxProblem problem, std::string_view what) {
  syntaxErrorAt(std::min(m_pos, m_text.size()), problem, what);
}

void Reader::syntaxErrorAt(std::size_t place, SyntaxProblem problem, std::string_view what) {
  if (!isOk()) {
    return;
  }
  m_valueStart = place;
  m_syntaxProblem = problem;
  fail(ErrorCode::CorruptData,
       fmt::format("not valid JSON: {}{}",
                   what,
                   m_valueStart == m_text.size()
                       ? "; the file ends here: it is cut off or still being copied, open it again "
                         "when it is whole"
                       : ""));
}

void Reader::expectedSeparator(char closing) {
  syntaxError(closing == '}' ? SyntaxProblem::NoCommaInObject : SyntaxProblem::NoCommaInArray,
              fmt::format("expected ',' or '{}'", closing));
}

void Reader::expectedButFound(std::string_view what) {
  if (!isOk()) {
    return;
  }
  constexpr std::string_view kNames[] = {
      "null", "a boolean", "a number", "text", "a list", "an object"};
  const Token found = peek();
  if (found == Token::Nothing) {
    syntaxError(SyntaxProblem::NoValue, fmt::format("expected {}", what));
    return;
  }
  fail(ErrorCode::CorruptData,
       fmt::format("expected {}, found {}", what, kNames[static_cast<std::size_t>(found)]));
}

std::string Reader::pathText() const {
  std::string text;
  for (const PathPart& part : m_path) {
    if (part.isArray) {
      text += fmt::format("[{}]", part.index);
    } else if (!part.key.empty()) {
      text += text.empty() ? std::string(part.key) : fmt::format(".{}", part.key);
    }
  }
  return text;
}

std::string Reader::placeText() const {
  const std::string_view before = m_text.substr(0, m_valueStart);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("{}:{}:{}", m_origin, lines + 1, m_valueStart - lineStart + 1);
}

Result<> Reader::finish() {
  skipBlanks();
  if (isOk() && m_pos != m_text.size()) {
    syntaxError(SyntaxProblem::TextBehind, "something follows the document");
  }
  if (m_error) {
    return tl::unexpected<Error>(*m_error);
  }
  return {};
}

}  // namespace ulp::json
