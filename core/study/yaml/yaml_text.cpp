#include "core/study/yaml/yaml_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace ulp::study {
namespace {

/// The layout describes the tree.
bool fits(const YamlNode& node, const YamlLayout& layout) {
  switch (layout.kind) {
    case YamlLayout::Kind::Alias:
      return true;
    case YamlLayout::Kind::Null:
      return node.kind == YamlNode::Kind::Null;
    case YamlLayout::Kind::Scalar:
      return node.kind == YamlNode::Kind::Scalar || node.kind == YamlNode::Kind::Null;
    case YamlLayout::Kind::List:
      return node.kind == YamlNode::Kind::List && std::equal(node.items.begin(),
                                                             node.items.end(),
                                                             layout.items.begin(),
                                                             layout.items.end(),
                                                             fits);
    case YamlLayout::Kind::Map:
      return node.kind == YamlNode::Kind::Map &&
             std::equal(node.entries.begin(),
                        node.entries.end(),
                        layout.entries.begin(),
                        layout.entries.end(),
                        [](const YamlNode::Entry& entry, const YamlLayout::Entry& where) {
                          return fits(entry.value, where.value);
                        });
  }
  return false;
}

std::size_t endOf(const YamlLayout::Entry& entry) {
  return std::max({entry.key.end, entry.colon, entry.value.span.end});
}

}  // namespace

std::size_t commentStart(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool behindBlank = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    const bool opens = behindBlank || line[i - 1] == '[' || line[i - 1] == '{' ||
                       line[i - 1] == ',' || line[i - 1] == ':';
    if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if ((c == '"' || c == '\'') && opens) {
      quote = c;
    } else if (c == '#' && behindBlank) {
      return i;
    }
  }
  return line.size();
}

Result<YamlText> YamlText::read(std::string_view text) {
  YamlText document;
  document.m_text = text;
  auto tree = ULP_TRY(parseYaml(text, "study"));
  auto layout = ULP_TRY(layOutYaml(text));
  document.m_tree = std::make_unique<YamlNode>(std::move(tree));
  document.m_layout = std::make_unique<YamlLayout>(std::move(layout));
  if (!fits(*document.m_tree, *document.m_layout)) {
    return fail(ErrorCode::Unsupported,
                "the YAML is written in a way that cannot be changed here; edit the text");
  }
  const std::size_t newline = text.find('\n');
  if (newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r') {
    document.m_lineEnd = "\r\n";
  }
  return document;
}

Result<YamlText::Place> YamlText::find(const YamlPath& path) const {
  Place place = root();
  for (const std::string& key : path) {
    if (place.layout->kind == YamlLayout::Kind::Alias) {
      return fail(ErrorCode::Unsupported,
                  fmt::format("'{}' is shared through an anchor; edit the text", key));
    }
    const YamlNode::Entry* found = place.node->find(key);
    if (found == nullptr) {
      return fail(ErrorCode::NotFound, fmt::format("there is no key '{}'", key));
    }
    const auto index = static_cast<std::size_t>(found - place.node->entries.data());
    const YamlLayout::Entry& where = place.layout->entries[index];
    place = {&found->value, &where.value, &where, place.layout, index};
  }
  return place;
}

std::size_t YamlText::lineStop(std::size_t position) const {
  std::size_t end = std::min(m_text.find('\n', position), m_text.size());
  if (end > position && m_text[end - 1] == '\r') {
    --end;
  }
  return end;
}

std::vector<std::string> YamlText::commentsIn(std::size_t begin, std::size_t end) const {
  std::vector<std::string> comments;
  for (std::size_t at = begin; at < end;) {
    const std::size_t stop = std::min(lineStop(at), end);
    const std::string_view line = m_text.substr(at, stop - at);
    if (const std::size_t hash = commentStart(line); hash < line.size()) {
      comments.emplace_back(line.substr(hash));
    }
    const std::size_t newline = m_text.find('\n', stop);
    at = newline == std::string_view::npos ? end : newline + 1;
  }
  return comments;
}

bool YamlText::isCommentLine(std::size_t start, std::size_t minColumn, bool exactly) const {
  std::size_t i = start;
  while (i < m_text.size() && m_text[i] == ' ') {
    ++i;
  }
  const std::size_t column = i - start;
  return i < m_text.size() && m_text[i] == '#' &&
         (exactly ? column == minColumn : column >= minColumn);
}

TextSpan YamlText::withComments(const YamlLayout& parent, TextSpan core, std::size_t after) const {
  TextSpan chunk{lineStart(core.begin), lineStop(core.end)};
  while (chunk.begin > after) {
    const std::size_t previous = lineStart(chunk.begin - 1);
    if (previous < after || !isCommentLine(previous, parent.column, true)) {
      break;
    }
    chunk.begin = previous;
  }
  for (;;) {
    const std::size_t newline = m_text.find('\n', chunk.end);
    if (newline == std::string_view::npos ||
        !isCommentLine(newline + 1, parent.column + 1, false)) {
      return chunk;
    }
    chunk.end = lineStop(newline + 1);
  }
}

Result<std::vector<YamlSlot>> YamlText::slotsOf(const YamlLayout& parent) const {
  std::vector<YamlSlot> slots;
  for (const YamlLayout::Entry& entry : parent.entries) {
    slots.push_back({.core = {entry.key.begin, endOf(entry)}, .chunk = {}});
  }
  for (const YamlLayout& item : parent.items) {
    const std::size_t begin =
        parent.isFlow ? item.span.begin : lineStart(item.span.begin) + parent.column;
    slots.push_back({.core = {begin, item.span.end}, .chunk = {}});
  }
  std::size_t after = 0;
  for (YamlSlot& slot : slots) {
    slot.chunk = slot.core;
    if (parent.isFlow) {
      continue;
    }
    // An entry never ends behind the colon of an entry without value.
    slot.core.end = std::max(slot.core.end, slot.core.begin + 1);
    const std::size_t start = lineStart(slot.core.begin);
    const std::string_view before = m_text.substr(start, slot.core.begin - start);
    if (before.find_first_not_of(' ') != std::string_view::npos && before != "\xef\xbb\xbf") {
      return fail(ErrorCode::Unsupported,
                  "a line holds more than one entry and cannot be changed here; edit the text");
    }
    slot.chunk = withComments(parent, slot.core, after);
    after = slot.chunk.end;
  }
  return slots;
}

std::size_t YamlText::indentStep() const {
  for (const YamlLayout::Entry& entry : m_layout->entries) {
    if (entry.value.kind == YamlLayout::Kind::Map && !entry.value.isFlow && !m_layout->isFlow) {
      return std::max<std::size_t>(1, entry.value.column - m_layout->column);
    }
  }
  return 2;
}

}  // namespace ulp::study
