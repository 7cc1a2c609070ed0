#include "core/study/yaml/yaml_layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {
namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\t';
}

bool isBreak(char c) {
  return c == '\n' || c == '\r';
}

bool isFlowMark(char c) {
  return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}

/// Reads a document from left to right. Every function leaves the position behind what it read and
/// reports what it does not know in m_problem; then all return at once.
class LayoutReader {
 public:
  explicit LayoutReader(std::string_view text) : m_text(text) {}

  Result<YamlLayout> read() {
    skipPrologue();
    YamlLayout root = blockNode(-1, 0);
    skipToContent();
    if (m_problem.empty() && m_at < m_text.size() && !atLine("...")) {
      stop("what follows the document");
    }
    if (!m_problem.empty()) {
      return fail(
          ErrorCode::Unsupported,
          fmt::format("line {}: {} cannot be changed here; edit the text", m_line, m_problem));
    }
    return root;
  }

 private:
  void stop(std::string_view what) {
    if (m_problem.empty()) {
      m_problem = what;
      m_line = 1;
      for (std::size_t i = 0; i < m_at && i < m_text.size(); ++i) {
        m_line += m_text[i] == '\n' ? 1 : 0;
      }
    }
  }
  [[nodiscard]] bool failed() const { return !m_problem.empty(); }
  [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
  [[nodiscard]] char at(std::size_t position) const {
    return position < m_text.size() ? m_text[position] : '\n';
  }
  [[nodiscard]] char here() const { return at(m_at); }
  [[nodiscard]] bool endsWord(std::size_t position) const {
    return isBlank(at(position)) || isBreak(at(position));
  }
  [[nodiscard]] std::size_t column() const {
    return m_at - std::max(m_first, lineStart(m_text, m_at));
  }
  [[nodiscard]] bool atLine(std::string_view word) const {
    return column() == 0 && m_text.substr(m_at).starts_with(word) && endsWord(m_at + word.size());
  }

  void skipPrologue() {
    if (m_text.starts_with("\xef\xbb\xbf")) {
      m_at = m_first = 3;
    }
    skipToContent();
    while (!atEnd() && here() == '%' && column() == 0) {
      skipLine();
      skipToContent();
    }
    if (!atEnd() && atLine("---")) {
      m_at += 3;
    }
  }

  void skipLine() {
    const std::size_t end = m_text.find('\n', m_at);
    m_at = end == std::string_view::npos ? m_text.size() : end + 1;
  }

  /// Over blanks, comments and line ends.
  void skipToContent() {
    while (!atEnd()) {
      if (here() == '#') {
        skipLine();
      } else if (isBlank(here()) || isBreak(here())) {
        ++m_at;
      } else {
        return;
      }
    }
  }

  void skipBlanks() { m_at = behindBlanks(m_at); }
  [[nodiscard]] std::size_t behindBlanks(std::size_t position) const {
    while (isBlank(at(position))) {
      ++position;
    }
    return position;
  }

  /// Over what is not broken by blanks and, in brackets, by their marks.
  void skipWord() {
    while (!atEnd() && !endsWord(m_at) && !(m_flow > 0 && isFlowMark(here()))) {
      ++m_at;
    }
  }

  /// Nothing but blanks or a comment is left in the line.
  [[nodiscard]] bool restIsEmpty() const {
    const std::size_t i = behindBlanks(m_at);
    return isBreak(at(i)) ||
           (at(i) == '#' && (i > m_at || i == 0 || isBlank(at(i - 1)) || isBreak(at(i - 1))));
  }

  [[nodiscard]] bool isDash() const { return here() == '-' && endsWord(m_at + 1); }

  /// A node that begins on this line or a later one, further to the right than `parent`; a key may
  /// have a list in its own column, and an item not: that is the next one.
  YamlLayout blockNode(int parent, int depth, bool isOfKey = true) {
    YamlLayout node;
    node.span = {m_at, m_at};
    if (depth > kMostYamlLevels) {
      stop("what is nested so deep");
      return node;
    }
    const std::size_t before = m_at;
    skipToContent();
    const bool isSequence = isDash();
    const int column = static_cast<int>(this->column());
    const bool belongs = column > parent || (isSequence && isOfKey && column == parent);
    if (atEnd() || !belongs || atLine("...") || atLine("---")) {
      m_at = before;
      return node;
    }
    const bool hasAnchor = properties();
    if (restIsEmpty() && m_at > before && m_sawProperties) {
      node = blockNode(parent, depth + 1, isOfKey);
    } else if (isDash()) {
      node = blockList(depth);
    } else if (findsKey()) {
      node = blockMap(depth);
    } else {
      node = inlineNode(parent, depth);
    }
    node.hasAnchor = node.hasAnchor || hasAnchor;
    return node;
  }

  /// Over an anchor and a tag.
  bool properties() {
    bool hasAnchor = false;
    skipBlanks();
    m_sawProperties = false;
    while (!failed() && (here() == '&' || here() == '!')) {
      hasAnchor = hasAnchor || here() == '&';
      m_sawProperties = true;
      skipWord();
      skipBlanks();
    }
    return hasAnchor;
  }

  YamlLayout blockList(int depth) {
    YamlLayout list;
    list.kind = YamlLayout::Kind::List;
    list.column = column();
    list.span = {m_at, m_at};
    while (!failed() && !atEnd() && isDash() && column() == list.column) {
      ++m_at;
      YamlLayout item = blockNode(static_cast<int>(list.column), depth + 1, false);
      list.span.end = std::max(m_at, item.span.end);
      list.items.push_back(std::move(item));
      skipToEntry();
    }
    return list;
  }

  YamlLayout blockMap(int depth) {
    YamlLayout map;
    map.kind = YamlLayout::Kind::Map;
    map.column = column();
    map.span = {m_at, m_at};
    while (!failed() && !atEnd() && column() == map.column && !atLine("...") && !atLine("---")) {
      if (!findsKey()) {
        stop("this line");
        break;
      }
      map.entries.push_back(blockEntry(map.column, depth));
      map.span.end = std::max(map.entries.back().colon + 1, map.entries.back().value.span.end);
      skipToEntry();
    }
    return map;
  }

  YamlLayout::Entry blockEntry(std::size_t column, int depth) {
    YamlLayout::Entry entry;
    entry.key = keySpan();
    skipBlanks();
    entry.colon = m_at++;
    const std::size_t value = m_at;
    const bool hasAnchor = !restIsEmpty() && properties();
    if (restIsEmpty()) {
      entry.value = blockNode(static_cast<int>(column), depth + 1);
    } else {
      skipBlanks();
      entry.value = inlineNode(static_cast<int>(column), depth + 1);
    }
    if (entry.value.kind == YamlLayout::Kind::Null) {
      entry.value.span = {value, value};
    }
    entry.value.hasAnchor = entry.value.hasAnchor || hasAnchor;
    return entry;
  }

  /// Nothing but blanks stands before this place in its line.
  [[nodiscard]] bool beginsLine() const {
    const std::string_view before = m_text.substr(m_at - column(), column());
    return before.find_first_not_of(' ') == std::string_view::npos;
  }

  /// Behind an entry, or already at the next one: to the next one.
  void skipToEntry() {
    if (!failed() && !restIsEmpty() && !beginsLine()) {
      stop("what stands behind the value");
      return;
    }
    skipToContent();
  }

  /// A key and its colon stand here, in one line.
  [[nodiscard]] bool findsKey() {
    const std::size_t start = m_at;
    if (here() == '?' && endsWord(m_at + 1)) {
      stop("a key with a question mark");
      return false;
    }
    if (here() == '[' || here() == '{' || here() == '|' || here() == '>' || here() == '#') {
      return false;
    }
    keySpan();
    const std::size_t colon = behindBlanks(m_at);
    m_at = start;
    return at(colon) == ':' && endsWord(colon + 1) && colon > start;
  }

  TextSpan keySpan() {
    const std::size_t start = m_at;
    if (here() == '"' || here() == '\'') {
      quoted();
      return {start, m_at};
    }
    while (!atEnd() && !isBreak(here()) && !(here() == ':' && endsWord(m_at + 1)) &&
           !(here() == '#' && m_at > start && isBlank(at(m_at - 1)))) {
      ++m_at;
    }
    std::size_t end = m_at;
    while (end > start && isBlank(at(end - 1))) {
      --end;
    }
    m_at = end;
    return {start, end};
  }

  void quoted() {
    const char quote = here();
    ++m_at;
    while (!atEnd()) {
      const bool isEscape = quote == '"' && here() == '\\';
      const bool isDoubledQuote = quote == '\'' && here() == quote && at(m_at + 1) == quote;
      if (isEscape || isDoubledQuote) {
        m_at += 2;
      } else if (here() == quote) {
        ++m_at;
        return;
      } else {
        ++m_at;
      }
    }
    stop("a text without closing quote");
  }

  /// A node that begins here, on a line that holds something else already.
  YamlLayout inlineNode(int parent, int depth) {
    YamlLayout node;
    node.kind = YamlLayout::Kind::Scalar;
    node.span.begin = m_at;
    if (here() == '{' || here() == '[') {
      return flowNode(depth);
    }
    if (here() == '|' || here() == '>') {
      blockScalar(parent);
    } else if (here() == '"' || here() == '\'') {
      quoted();
    } else if (here() == '*') {
      node.kind = YamlLayout::Kind::Alias;
      skipWord();
    } else {
      plainBlock(parent);
    }
    node.span.end = m_at;
    return node;
  }

  /// The plain text of one line, up to a comment.
  void plainLine() {
    std::size_t end = m_at;
    while (!atEnd() && !isBreak(here()) && !(here() == '#' && isBlank(at(m_at - 1)))) {
      end = isBlank(here()) ? end : m_at + 1;
      ++m_at;
    }
    m_at = end;
  }

  void plainBlock(int parent) {
    plainLine();
    while (!restHasComment()) {
      const std::size_t before = m_at;
      while (!atEnd() && (isBlank(here()) || isBreak(here()))) {
        ++m_at;
      }
      if (atEnd() || here() == '#' || static_cast<int>(column()) <= parent || atLine("...")) {
        m_at = before;
        return;
      }
      plainLine();
    }
  }

  [[nodiscard]] bool restHasComment() const { return at(behindBlanks(m_at)) == '#'; }

  void blockScalar(int parent) {
    skipLine();
    std::size_t end = m_at;
    while (!atEnd()) {
      std::size_t i = m_at;
      while (i < m_text.size() && m_text[i] == ' ') {
        ++i;
      }
      const bool isEmpty = isBreak(at(i));
      if (!isEmpty && static_cast<int>(i - m_at) <= parent) {
        break;
      }
      skipLine();
      end = isEmpty ? end : m_at;
    }
    m_at = end;
    // The span ends with the last character, not with its line end.
    while (m_at > 0 && isBreak(at(m_at - 1)) && m_at > 0) {
      --m_at;
    }
  }

  YamlLayout flowNode(int depth) {
    YamlLayout node;
    node.isFlow = true;
    node.span.begin = m_at;
    const bool isMap = here() == '{';
    node.kind = isMap ? YamlLayout::Kind::Map : YamlLayout::Kind::List;
    if (depth > kMostYamlLevels) {
      stop("what is nested so deep");
      return node;
    }
    ++m_at;
    ++m_flow;
    const char close = isMap ? '}' : ']';
    skipToContent();
    while (!failed() && !atEnd() && here() != close) {
      if (isMap) {
        node.entries.push_back(flowEntry(depth));
      } else {
        node.items.push_back(flowValue(depth));
      }
      skipToContent();
      if (here() == ',') {
        ++m_at;
        skipToContent();
      } else if (here() != close) {
        stop("this part of the brackets");
      }
    }
    if (atEnd()) {
      stop("a bracket that is not closed");
    }
    ++m_at;
    --m_flow;
    node.span.end = m_at;
    return node;
  }

  YamlLayout::Entry flowEntry(int depth) {
    YamlLayout::Entry entry;
    if (here() == '?' || here() == '&' || here() == '!' || here() == '*') {
      stop("a key of this kind");
      return entry;
    }
    const bool isQuoted = here() == '"' || here() == '\'';
    entry.key = flowScalar();
    const std::size_t keyEnd = m_at;
    skipToContent();
    if (here() != ':' || !(isQuoted || endsWord(m_at + 1) || isFlowMark(at(m_at + 1)))) {
      m_at = keyEnd;
      entry.colon = keyEnd;
      entry.value.span = {keyEnd, keyEnd};
      return entry;
    }
    entry.colon = m_at++;
    const std::size_t value = m_at;
    skipToContent();
    if (here() == ',' || here() == '}') {
      m_at = value;
      entry.value.span = {value, value};
      return entry;
    }
    entry.value = flowValue(depth);
    return entry;
  }

  YamlLayout flowValue(int depth) {
    const bool hasAnchor = properties();
    skipToContent();
    YamlLayout node;
    if (here() == '{' || here() == '[') {
      node = flowNode(depth + 1);
    } else if (here() == '*') {
      node.kind = YamlLayout::Kind::Alias;
      node.span.begin = m_at;
      skipWord();
      node.span.end = m_at;
    } else {
      node.kind = YamlLayout::Kind::Scalar;
      node.span = flowScalar();
    }
    node.hasAnchor = hasAnchor;
    return node;
  }

  TextSpan flowScalar() {
    const std::size_t start = m_at;
    if (here() == '"' || here() == '\'') {
      quoted();
      return {start, m_at};
    }
    std::size_t end = m_at;
    while (!atEnd() && !isFlowMark(here()) &&
           !(here() == ':' && (endsWord(m_at + 1) || isFlowMark(at(m_at + 1)))) &&
           !(here() == '#' && m_at > start && endsWord(m_at - 1))) {
      end = endsWord(m_at) ? end : m_at + 1;
      ++m_at;
    }
    if (end == start) {
      stop("this part of the brackets");
    }
    m_at = end;
    return {start, end};
  }

  std::string_view m_text;
  std::size_t m_first = 0;  ///< behind a byte order mark
  std::size_t m_at = 0;
  int m_flow = 0;
  bool m_sawProperties = false;
  std::string m_problem;
  int m_line = 0;
};

}  // namespace

std::size_t lineStart(std::string_view text, std::size_t position) {
  const std::size_t newline =
      position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

Result<YamlLayout> layOutYaml(std::string_view yaml) {
  return LayoutReader(yaml).read();
}

}  // namespace ulp::study
