#include "core/study/yaml/yaml_tree.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "core/base/text/parse_number.h"
#include "core/json/dump.h"
#include "core/json/value.h"

namespace ulp::study {
namespace {

constexpr std::size_t kMaxNodes = 100'000;

SourcePosition positionOf(const YAML::Mark& mark) {
  return mark.is_null() ? SourcePosition{} : SourcePosition{mark.line + 1, mark.column + 1};
}

class TreeBuilder {
 public:
  explicit TreeBuilder(std::string_view origin) : m_origin(origin) {}

  Result<YamlNode> build(const YAML::Node& node, int depth) {
    if (depth > kMostYamlLevels || ++m_nodes > kMaxNodes) {
      return error(node, "nested too deep or too large for a study");
    }
    YamlNode result;
    result.position = positionOf(node.Mark());
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return result;
      case YAML::NodeType::Scalar:
        result.kind = YamlNode::Kind::Scalar;
        result.text = node.Scalar();
        result.quoted = node.Tag() == "!";
        return result;
      case YAML::NodeType::Sequence:
        return buildList(node, depth, std::move(result));
      case YAML::NodeType::Map:
        return buildMap(node, depth, std::move(result));
    }
    return result;
  }

 private:
  Result<YamlNode> buildList(const YAML::Node& node, int depth, YamlNode result) {
    result.kind = YamlNode::Kind::List;
    for (const auto& item : node) {
      auto child = ULP_TRY(build(item, depth + 1));
      result.items.push_back(std::move(child));
    }
    return result;
  }

  Result<YamlNode> buildMap(const YAML::Node& node, int depth, YamlNode result) {
    result.kind = YamlNode::Kind::Map;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) {
        return error(entry.first, "a key must be a word");
      }
      auto child = ULP_TRY(build(entry.second, depth + 1));
      result.entries.push_back(
          {entry.first.Scalar(), positionOf(entry.first.Mark()), std::move(child)});
    }
    return result;
  }

  [[nodiscard]] tl::unexpected<Error> error(const YAML::Node& node, std::string_view what) const {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: {}", placeIn(m_origin, positionOf(node.Mark())), what));
  }

  std::string_view m_origin;
  std::size_t m_nodes = 0;
};

/// Position of the first tab in the indentation of a line, where YAML forbids it.
SourcePosition indentingTab(std::string_view yaml) {
  int line = 1;
  for (std::size_t start = 0; start < yaml.size(); ++line) {
    const std::size_t text = yaml.find_first_not_of(' ', start);
    if (text != std::string_view::npos && yaml[text] == '\t') {
      return {line, static_cast<int>(text - start) + 1};
    }
    const std::size_t end = yaml.find('\n', start);
    start = end == std::string_view::npos ? yaml.size() : end + 1;
  }
  return {};
}

Error syntaxError(std::string_view yaml, std::string_view origin, const YAML::Exception& e) {
  // yaml-cpp names what a tab made of the lines around it, not the tab.
  const SourcePosition tab = indentingTab(yaml);
  if (tab.line != 0 && tab.line <= e.mark.line + 1) {
    return {ErrorCode::InvalidArgument,
            fmt::format("{}: a tab cannot indent YAML; use spaces", placeIn(origin, tab))};
  }
  return {ErrorCode::InvalidArgument,
          fmt::format("{}: YAML syntax: {}", placeIn(origin, positionOf(e.mark)), e.msg)};
}

/// Notes where a document starts and nothing else.
class DocumentStart final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { m_position = positionOf(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/,
                const std::string& /*tag*/,
                YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/,
                       const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/,
                  const std::string& /*tag*/,
                  YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}

  [[nodiscard]] SourcePosition position() const { return m_position; }

 private:
  SourcePosition m_position;
};

/// Where a second document starts. YAML::LoadAll() would tell as well, but finds documents without
/// end in texts such as ", a".
std::optional<SourcePosition> secondDocument(const std::string& yaml) {
  std::istringstream stream(yaml);
  YAML::Parser parser(stream);
  DocumentStart handler;
  if (parser.HandleNextDocument(handler) && parser.HandleNextDocument(handler)) {
    return handler.position();
  }
  return std::nullopt;
}

Result<YamlNode> load(std::string_view yaml, std::string_view origin) {
  try {
    const std::string text(yaml);
    const YAML::Node document = YAML::Load(text);
    if (const auto second = secondDocument(text)) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: what starts here is not part of the document before; a study is "
                              "one YAML document",
                              placeIn(origin, *second)));
    }
    return TreeBuilder(origin).build(document, 0);
  } catch (const YAML::Exception& e) {
    return tl::unexpected<Error>(syntaxError(yaml, origin, e));
  }
}

json::Value scalarToJson(const YamlNode& node) {
  const std::string& text = node.text;
  if (node.quoted) {
    return text;
  }
  if (const auto boolean = parseYamlBoolean(text)) {
    return *boolean;
  }
  const std::string_view digits = std::string_view(text).substr(text.starts_with('+') ? 1 : 0);
  if (const auto integer = parseNumber<std::int64_t>(digits)) {
    return *integer;
  }
  if (const auto number = parseNumber<double>(digits); number && std::isfinite(*number)) {
    return *number;
  }
  return text;
}

json::Value toJson(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::Null:
      return {};
    case YamlNode::Kind::Scalar:
      return scalarToJson(node);
    case YamlNode::Kind::List: {
      json::Array list;
      for (const YamlNode& item : node.items) {
        list.push_back(toJson(item));
      }
      return list;
    }
    case YamlNode::Kind::Map: {
      json::Object map;
      for (const YamlNode::Entry& entry : node.entries) {
        map[entry.key] = toJson(entry.value);
      }
      return map;
    }
  }
  return {};
}

}  // namespace

std::string placeIn(std::string_view origin, SourcePosition position) {
  return position.line == 0 ? std::string(origin)
                            : fmt::format("{}:{}:{}", origin, position.line, position.column);
}

const YamlNode::Entry* YamlNode::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &*found;
}

const YamlNode* YamlNode::at(const std::vector<std::string>& path) const {
  const YamlNode* node = this;
  for (const std::string& key : path) {
    const Entry* entry = node->find(key);
    if (entry == nullptr) {
      return nullptr;
    }
    node = &entry->value;
  }
  return node;
}

std::optional<bool> parseYamlBoolean(std::string_view text) {
  const bool isTrue = text == "true" || text == "True" || text == "TRUE";
  const bool isFalse = text == "false" || text == "False" || text == "FALSE";
  return isTrue || isFalse ? std::optional(isTrue) : std::nullopt;
}

Result<YamlNode> parseYaml(std::string_view yaml, std::string_view origin) {
  auto node = guarded([&] { return load(yaml, origin); });
  return node ? *std::move(node) : failWhile(origin, std::move(node));
}

std::string toJsonText(const YamlNode& node) {
  return json::dump(toJson(node));
}

}  // namespace ulp::study
