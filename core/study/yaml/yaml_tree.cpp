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

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/// Fuzzers look at what happens where the limit is, not at how far away it is.
constexpr std::size_t kMaxNodes = 1000;
#else
constexpr std::size_t kMaxNodes = 100'000;
#endif
constexpr std::string_view kTooLarge = "nested too deep or too large for a study";

SourcePosition positionOf(const YAML::Mark& mark) {
  return mark.is_null() ? SourcePosition{} : SourcePosition{mark.line + 1, mark.column + 1};
}

tl::unexpected<Error> failAt(std::string_view origin,
                             SourcePosition position,
                             std::string_view what) {
  return fail(ErrorCode::InvalidArgument, fmt::format("{}: {}", placeIn(origin, position), what));
}

/// The nodes of a document in the order of its text, those in a list or map behind it. yaml-cpp's
/// own tree takes longer than its parser.
class NodesInOrder final : public YAML::EventHandler {
 public:
  struct Node {
    YamlNode::Kind kind = YamlNode::Kind::Null;
    bool isAlias = false;
    bool isQuoted = false;
    std::string text{};
    SourcePosition position{};
    std::size_t next = 0;  ///< behind it and what is in it; of an alias: what it names
  };
  /// Thrown where no tree can be made of so many.
  struct TooMany {
    SourcePosition position;
  };

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(YamlNode::Kind::Null, mark, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node& node = add(YamlNode::Kind::Null, mark, 0);
    node.isAlias = true;
    node.next = m_anchors.at(anchor - 1);
  }
  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    Node& node = add(YamlNode::Kind::Scalar, mark, anchor);
    node.text = value;
    node.isQuoted = tag == "!";
  }
  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& /*tag*/,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    m_open.push_back(m_nodes.size());
    add(YamlNode::Kind::List, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark,
                  const std::string& /*tag*/,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    m_open.push_back(m_nodes.size());
    add(YamlNode::Kind::Map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

  /// Empty: so was the text.
  [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; }

 private:
  Node& add(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    // A value may have a key.
    if (m_nodes.size() >= 2 * kMaxNodes) {
      throw TooMany{positionOf(mark)};
    }
    if (anchor != 0) {
      // They are numbered from 1.
      m_anchors.resize(std::max(m_anchors.size(), anchor));
      m_anchors[anchor - 1] = m_nodes.size();
    }
    Node& node = m_nodes.emplace_back(Node{.kind = kind, .position = positionOf(mark)});
    node.next = m_nodes.size();
    return node;
  }
  void close() {
    m_nodes[m_open.back()].next = m_nodes.size();
    m_open.pop_back();
  }

  std::vector<Node> m_nodes;
  std::vector<std::size_t> m_anchors;  ///< the node of each
  std::vector<std::size_t> m_open;
};

class TreeBuilder {
 public:
  TreeBuilder(const std::vector<NodesInOrder::Node>& nodes, std::string_view origin)
      : m_nodes(nodes), m_origin(origin) {}

  Result<YamlNode> build(std::size_t index, int depth) {
    const NodesInOrder::Node& node = m_nodes[resolved(index)];
    if (depth > kMostYamlLevels || ++m_built > kMaxNodes) {
      return failAt(m_origin, node.position, kTooLarge);
    }
    YamlNode result{.kind = node.kind,
                    .quoted = node.isQuoted,
                    .text = node.text,
                    .position = node.position,
                    .items = {},
                    .entries = {}};
    std::size_t at = resolved(index) + 1;
    while (at < node.next && node.kind == YamlNode::Kind::List) {
      auto item = ULP_TRY(build(at, depth + 1));
      result.items.push_back(std::move(item));
      at = behind(at);
    }
    while (at < node.next && node.kind == YamlNode::Kind::Map) {
      const NodesInOrder::Node& key = m_nodes[resolved(at)];
      if (key.kind != YamlNode::Kind::Scalar) {
        return failAt(m_origin, key.position, "a key must be a word");
      }
      const std::size_t value = behind(at);
      auto child = ULP_TRY(build(value, depth + 1));
      result.entries.push_back({key.text, key.position, std::move(child)});
      at = behind(value);
    }
    return result;
  }

 private:
  /// What an alias names; the node itself where it is none.
  [[nodiscard]] std::size_t resolved(std::size_t index) const {
    return m_nodes[index].isAlias ? m_nodes[index].next : index;
  }
  [[nodiscard]] std::size_t behind(std::size_t index) const {
    return m_nodes[index].isAlias ? index + 1 : m_nodes[index].next;
  }

  const std::vector<NodesInOrder::Node>& m_nodes;
  std::string_view m_origin;
  std::size_t m_built = 0;
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

Result<YamlNode> load(std::string_view yaml, std::string_view origin) {
  try {
    std::istringstream stream{std::string(yaml)};
    YAML::Parser parser(stream);
    NodesInOrder document;
    DocumentStart second;
    // Not YAML::LoadAll(), which finds documents without end in texts such as ", a".
    if (parser.HandleNextDocument(document) && parser.HandleNextDocument(second)) {
      return failAt(origin,
                    second.position(),
                    "what starts here is not part of the document before; a study is one YAML "
                    "document");
    }
    return document.nodes().empty() ? YamlNode()
                                    : TreeBuilder(document.nodes(), origin).build(0, 0);
  } catch (const NodesInOrder::TooMany& e) {
    return failAt(origin, e.position, kTooLarge);
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
