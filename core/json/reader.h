#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace ulp::json {

/// What ended the reading of a text that is no JSON.
enum class SyntaxProblem : std::uint8_t {
  NoValue,
  NoName,
  NoColon,
  NoCommaInObject,
  NoCommaInArray,
  NoClosingQuote,
  ControlCharacter,
  UnknownEscape,
  NoHexDigits,
  NoSurrogatePair,
  NoFraction,
  NoExponent,
  NumberTooBig,
  TooDeep,
  TextBehind,
};

struct ReaderOptions {
  std::size_t maxDepth = 256;        ///< objects and arrays in each other
  bool hasNonFinite = false;         ///< NaN, Infinity and Inf are numbers
  bool needsSurrogatePairs = false;  ///< the first half of a pair by itself is an error
};

/// Reads JSON front to back, in one pass and without a tree in between: a report of 200,000 rows is
/// a quarter of a gigabyte. The caller asks for the value that it expects; the first thing that is
/// wrong ends the reading, every later call returns an empty value, and finish() gives the error as
/// `origin:line:column: path.of[3].the.field: what`.
class Reader {
 public:
  enum class Token : std::uint8_t { Null, Boolean, Number, Text, BeginArray, BeginObject, Nothing };

  /// `text` must outlive the reader.
  Reader(std::string_view text, std::string_view origin, ReaderOptions options = {})
      : m_text(text), m_origin(origin), m_options(options) {}

  [[nodiscard]] bool isOk() const { return !m_error.has_value(); }
  /// First token of the next value.
  [[nodiscard]] Token peek();

  /// Calls `onField(key)` for every field; it must read exactly one value.
  template <class OnField>
  void readObject(OnField&& onField) {
    if (!enter('{', "an object")) {
      return;
    }
    std::string keyStorage;
    while (std::optional<std::string_view> key = nextKey(keyStorage)) {
      m_path.back().key = *key;
      onField(*key);
    }
    leave();
  }

  /// Calls `onItem()` for every item; it must read exactly one value.
  template <class OnItem>
  void readArray(OnItem&& onItem) {
    if (!enter('[', "a list")) {
      return;
    }
    while (hasNextItem()) {
      onItem();
      ++m_path.back().index;
    }
    leave();
  }

  [[nodiscard]] std::string readString();
  /// Reads a text without a copy where it has no escapes; `storage` holds it where it has.
  [[nodiscard]] std::string_view readText(std::string& storage);
  /// A number, "NaN", "Infinity", "-Infinity", or null for NaN.
  [[nodiscard]] double readNumber();
  [[nodiscard]] std::int64_t readInteger();
  [[nodiscard]] std::uint64_t readCount();
  /// Reads a number and returns it as it is spelled.
  [[nodiscard]] std::string_view readNumberText();
  /// Passes over a value and returns its text.
  std::string_view skipValue();

  /// Records an error at the value that was read last.
  void fail(ErrorCode code, std::string_view what);
  /// The first error, also when something follows the document.
  [[nodiscard]] Result<> finish();

  /// Bytes that have been read.
  [[nodiscard]] std::size_t position() const { return m_pos; }
  /// Byte at which the last value begins, or which an error is about.
  [[nodiscard]] std::size_t valuePosition() const { return m_valueStart; }
  /// Objects and arrays that are open.
  [[nodiscard]] std::size_t depth() const { return m_path.size(); }
  /// Name of the member whose colon is missing, if that ended the reading.
  [[nodiscard]] const std::string& nameWithoutColon() const { return m_nameWithoutColon; }
  /// Why the text is no JSON; nothing while it is.
  [[nodiscard]] std::optional<SyntaxProblem> syntaxProblem() const { return m_syntaxProblem; }

 private:
  struct PathPart {
    std::string_view key;  ///< of an object; empty data: an array
    std::size_t index = 0;
    bool isArray = false;
    bool isEmpty = true;  ///< nothing read yet: no comma before the next
  };

  void skipBlanks();
  [[nodiscard]] bool enter(char opening, std::string_view what);
  void leave();
  [[nodiscard]] std::optional<std::string_view> nextKey(std::string& storage);
  [[nodiscard]] bool hasNextItem();
  /// The text between quotes; `storage` holds it when it has escapes.
  [[nodiscard]] std::string_view scanString(std::string& storage);
  void decodeEscape(std::string& out);
  void decodeCodePoint(std::string& out);
  [[nodiscard]] std::uint32_t decodeHex4();
  [[nodiscard]] std::string_view scanNumber();
  void skipScalar();
  /// Passes over a character, over the beginning of a word, over digits; whether it is there, the
  /// word whole, and how many digits.
  [[nodiscard]] bool take(char c);
  [[nodiscard]] bool takeWord(std::string_view word);
  [[nodiscard]] std::size_t takeDigits();
  [[nodiscard]] bool takeNonFinite();
  /// Passes over the digits of a number that is finite; false after an error.
  [[nodiscard]] bool takeFinite();
  [[nodiscard]] static bool isNumberPart(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  }
  /// Reads a number at the position; false, and where it stands, when it is none of this type.
  template <class Number>
  [[nodiscard]] bool parseNumber(Number& value);
  void expectedSeparator(char closing);
  void expectedButFound(std::string_view what);
  void syntaxError(SyntaxProblem problem, std::string_view what);
  void syntaxErrorAt(std::size_t place, SyntaxProblem problem, std::string_view what);
  [[nodiscard]] std::string pathText() const;
  [[nodiscard]] std::string placeText() const;

  std::string_view m_text;
  std::string_view m_origin;
  ReaderOptions m_options;
  std::size_t m_pos = 0;
  std::size_t m_valueStart = 0;
  std::vector<PathPart> m_path;
  std::optional<Error> m_error;
  std::optional<SyntaxProblem> m_syntaxProblem;
  std::string m_nameWithoutColon;
};

// Called for every value of a large file, and so inline.

inline bool Reader::take(char c) {
  const bool isThere = m_pos < m_text.size() && m_text[m_pos] == c;
  m_pos += isThere ? 1 : 0;
  return isThere;
}

inline void Reader::skipBlanks() {
  while (m_pos < m_text.size() && (m_text[m_pos] == ' ' || m_text[m_pos] == '\n' ||
                                   m_text[m_pos] == '\r' || m_text[m_pos] == '\t')) {
    ++m_pos;
  }
}

inline Reader::Token Reader::peek() {
  skipBlanks();
  m_valueStart = m_pos;
  if (m_pos >= m_text.size()) {
    return Token::Nothing;
  }
  switch (m_text[m_pos]) {
    case '{':
      return Token::BeginObject;
    case '[':
      return Token::BeginArray;
    case '"':
      return Token::Text;
    case 't':
    case 'f':
      return Token::Boolean;
    case 'n':
      return Token::Null;
    case 'N':
    case 'I':
      return m_options.hasNonFinite ? Token::Number : Token::Nothing;
    default:
      return isNumberPart(m_text[m_pos]) ? Token::Number : Token::Nothing;
  }
}

inline bool Reader::hasNextItem() {
  if (!isOk()) {
    return false;
  }
  skipBlanks();
  const char closing = m_path.back().isArray ? ']' : '}';
  if (take(closing)) {
    return false;
  }
  if (!m_path.back().isEmpty && !take(',')) {
    expectedSeparator(closing);
    return false;
  }
  m_path.back().isEmpty = false;
  return true;
}

inline std::optional<std::string_view> Reader::nextKey(std::string& storage) {
  if (!hasNextItem()) {
    return std::nullopt;
  }
  if (peek() != Token::Text) {
    syntaxError(SyntaxProblem::NoName, "expected a field name");
    return std::nullopt;
  }
  if (std::string_view& before = m_path.back().key; before.data() == storage.data()) {
    before = {};  // is overwritten, and an error in this key would name it
  }
  const std::string_view key = scanString(storage);
  skipBlanks();
  if (!isOk()) {
    return std::nullopt;
  }
  if (!take(':')) {
    m_nameWithoutColon = key;
    syntaxError(SyntaxProblem::NoColon, "expected ':'");
    return std::nullopt;
  }
  return key;
}

}  // namespace ulp::json
