#include "core/study/yaml/yaml_write.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ulp::study {
namespace {

constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`";

bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool isPlain(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords{"~", "null", "Null", "NULL", "---", "...", "="};
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':' ||
      std::find(kWords.begin(), kWords.end(), text) != kWords.end()) {
    return false;
  }
  // A dash may begin a word such as -1.
  const bool startsPlain =
      kIndicators.find(text.front()) == std::string_view::npos ||
      (text.front() == '-' && text.size() > 1 && text[1] != ' ' && text[1] != '-');
  return startsPlain && text.find_first_of(",[]{}") == std::string_view::npos &&
         text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos &&
         std::none_of(text.begin(), text.end(), isControl);
}

std::string inSingleQuotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') {
      quoted += c;
    }
  }
  return quoted + '\'';
}

std::string inDoubleQuotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (isControl(c)) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

std::string writeScalar(std::string_view text, char quote) {
  if (quote == '"' || std::any_of(text.begin(), text.end(), isControl)) {
    return inDoubleQuotes(text);
  }
  return quote == 0 && isPlain(text) ? std::string(text) : inSingleQuotes(text);
}

std::string writeFlow(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::Null:
      return "null";
    case YamlNode::Kind::Scalar:
      return writeScalar(node.text, node.quoted ? '\'' : '\0');
    case YamlNode::Kind::List:
      for (const YamlNode& item : node.items) {
        text += (text.empty() ? "" : ", ") + writeFlow(item);
      }
      return '[' + text + ']';
    case YamlNode::Kind::Map:
      for (const YamlNode::Entry& entry : node.entries) {
        text += (text.empty() ? "" : ", ") + writeScalar(entry.key) + ": " + writeFlow(entry.value);
      }
      return '{' + text + '}';
  }
  return text;
}

YamlNode scalarNode(std::string_view text, SourcePosition position) {
  return {.kind = YamlNode::Kind::Scalar, .text = std::string(text), .position = position};
}

YamlNode mapNode(std::vector<YamlNode::Entry> entries) {
  return {.kind = YamlNode::Kind::Map, .entries = std::move(entries)};
}

YamlNode textListNode(const std::vector<std::string>& texts) {
  YamlNode node;
  node.kind = YamlNode::Kind::List;
  for (const std::string& text : texts) {
    node.items.push_back(scalarNode(text));
  }
  return node;
}

}  // namespace ulp::study
