#include "core/tensors/formats/numpy/npy_header.h"

#include <charconv>

namespace ulp::tensors {
namespace {

/// Walks the literal of a Python dictionary with the three keys that the format defines.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::string& problem) : m_rest(text), m_problem(problem) {}

  std::optional<NpyHeader> parse() {
    if (!expect('{')) {
      return std::nullopt;
    }
    while (!accept('}')) {
      if (!readEntry() || (!accept(',') && !nextIs('}'))) {
        return refuse("not a dictionary of descr, fortran_order and shape");
      }
    }
    skipSpace();
    if (!m_rest.empty() || !m_hasDescr || !m_hasOrder || !m_hasShape) {
      return refuse("not a dictionary of descr, fortran_order and shape");
    }
    return m_header;
  }

 private:
  std::nullopt_t refuse(std::string_view what) {
    if (m_problem.empty()) {
      m_problem = what;
    }
    return std::nullopt;
  }

  void skipSpace() {
    const std::size_t start = m_rest.find_first_not_of(" \t\r\n");
    m_rest.remove_prefix(start == std::string_view::npos ? m_rest.size() : start);
  }

  bool nextIs(char wanted) {
    skipSpace();
    return m_rest.starts_with(wanted);
  }

  bool accept(char wanted) {
    const bool found = nextIs(wanted);
    if (found) {
      m_rest.remove_prefix(1);
    }
    return found;
  }

  bool expect(char wanted) {
    if (accept(wanted)) {
      return true;
    }
    refuse(std::string("expected '") + wanted + "'");
    return false;
  }

  bool acceptWord(std::string_view word) {
    skipSpace();
    const bool found = m_rest.starts_with(word);
    if (found) {
      m_rest.remove_prefix(word.size());
    }
    return found;
  }

  std::optional<std::string> readText() {
    skipSpace();
    const char quote = m_rest.empty() ? '\0' : m_rest.front();
    if (quote != '\'' && quote != '"') {
      return std::nullopt;
    }
    const std::size_t end = m_rest.find(quote, 1);
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string text(m_rest.substr(1, end - 1));
    m_rest.remove_prefix(end + 1);
    return text;
  }

  bool readEntry() {
    const auto key = readText();
    if (!key || !expect(':')) {
      return false;
    }
    if (*key == "descr" && !m_hasDescr) {
      m_hasDescr = true;
      return readDescr();
    }
    if (*key == "fortran_order" && !m_hasOrder) {
      m_hasOrder = true;
      m_header.fortranOrder = acceptWord("True");
      return m_header.fortranOrder || acceptWord("False");
    }
    if (*key == "shape" && !m_hasShape) {
      m_hasShape = true;
      return readShape();
    }
    return false;
  }

  bool readDescr() {
    if (nextIs('[')) {
      refuse("structured arrays are not read; save one field of it");
      return false;
    }
    const auto descr = readText();
    m_header.descr = descr.value_or("");
    return descr.has_value();
  }

  bool readShape() {
    constexpr std::size_t kMostDimensions = 64;  // NumPy's own limit
    if (!expect('(')) {
      return false;
    }
    while (!accept(')')) {
      std::int64_t dimension = 0;
      skipSpace();
      const auto [end, status] =
          std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), dimension);
      if (status != std::errc() || dimension < 0 || m_header.shape.size() == kMostDimensions) {
        refuse("shape holds something that is not a dimension, or more than 64 of them");
        return false;
      }
      m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
      static_cast<void>(acceptWord("L"));  // Python 2 marked long integers so.
      m_header.shape.push_back(dimension);
      if (!accept(',') && !nextIs(')')) {
        return false;
      }
    }
    return true;
  }

  std::string_view m_rest;
  std::string& m_problem;
  NpyHeader m_header;
  bool m_hasDescr = false;
  bool m_hasOrder = false;
  bool m_hasShape = false;
};

}  // namespace

std::optional<NpyHeader> parseNpyHeader(std::string_view text, std::string& problem) {
  return HeaderParser(text, problem).parse();
}

}  // namespace ulp::tensors
