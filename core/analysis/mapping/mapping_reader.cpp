#include "core/analysis/mapping/mapping_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/base/text/regular_expression.h"

namespace ulp::analysis {
namespace {

using study::YamlNode;
using Kind = YamlNode::Kind;

constexpr std::array<std::string_view, 14> kMappingKeys{"rules",
                                                        "pairs",
                                                        "fused",
                                                        "transposed",
                                                        "exchanged",
                                                        "vocabulary",
                                                        "shapes",
                                                        "loss_scale",
                                                        "ranks",
                                                        "shards",
                                                        "fuzzy",
                                                        "data",
                                                        "cells",
                                                        "layers"};

bool isKey(std::string_view name) {
  return std::ranges::find(kMappingKeys, name) != kMappingKeys.end();
}

std::optional<std::int64_t> integerIn(const YamlNode& node) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;
  const auto value = parseNumber<std::int64_t>(node.text);
  const bool isWhole = node.kind == Kind::Scalar && value;
  return isWhole && *value > -kLargest && *value < kLargest ? value : std::nullopt;
}

/// Names of msprobe's rows say in which direction.
bool isRowName(std::string_view name) {
  constexpr std::array<std::string_view, 4> kMarks{
      ".forward", ".backward", ".parameters_grad", ".debug"};
  return std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return name.find(mark) != std::string_view::npos; });
}

class MappingReader {
 public:
  explicit MappingReader(std::string_view origin) : m_origin(origin) {}

  [[nodiscard]] Result<MappingContent> read(const YamlNode& root) && {
    if (root.kind == Kind::Null) {
      return MappingContent();
    }
    if (root.kind != Kind::Map) {
      return failAt(
          root.position,
          fmt::format("a mapping is a map; its keys are {}", fmt::join(kMappingKeys, ", ")));
    }
    ULP_TRY(isOfMsprobe(root) ? readMsprobe(root) : readOwn(root));
    return std::move(m_content);
  }

 private:
  using Values = std::map<std::string, const YamlNode*>;  ///< by key

  [[nodiscard]] tl::unexpected<Error> failAt(study::SourcePosition position,
                                             std::string_view what) const {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: {}", study::placeIn(m_origin, position), what));
  }

  [[nodiscard]] static bool areTexts(const YamlNode& map) {
    return map.kind == Kind::Map && !map.entries.empty() &&
           std::ranges::all_of(map.entries, [](const YamlNode::Entry& entry) {
             return entry.value.kind == Kind::Scalar;
           });
  }

  /// Names of Python's classes begin with a capital letter, keys of a mapping never do.
  [[nodiscard]] static bool isOfMsprobe(const YamlNode& root) {
    const auto& entries = root.entries;
    const bool hasKeys =
        std::ranges::any_of(entries, [](const auto& entry) { return isKey(entry.key); });
    if (hasKeys || entries.empty()) {
      return false;
    }
    if (areTexts(root)) {
      return std::ranges::all_of(entries, [](const YamlNode::Entry& entry) {
        return entry.key.find('.') != std::string::npos;
      });
    }
    return std::ranges::all_of(
               entries, [](const YamlNode::Entry& entry) { return areTexts(entry.value); }) &&
           std::ranges::any_of(entries, [](const YamlNode::Entry& entry) {
             return !entry.key.empty() &&
                    std::isupper(static_cast<unsigned char>(entry.key.front())) != 0;
           });
  }

  [[nodiscard]] Result<> readMsprobe(const YamlNode& root) {
    if (!areTexts(root)) {
      return readLayers(root);
    }
    const bool areRows = std::ranges::any_of(
        root.entries, [](const YamlNode::Entry& entry) { return isRowName(entry.key); });
    return readNames(root, areRows ? m_content.dumps.rows : m_content.dumps.cells);
  }

  [[nodiscard]] Result<> readOwn(const YamlNode& root) {
    for (const YamlNode::Entry& entry : root.entries) {
      ULP_TRY(isKey(entry.key) ? readKey(entry)
                               : failAt(entry.position,
                                        fmt::format("unknown key '{}'; a mapping has {}",
                                                    entry.key,
                                                    fmt::join(kMappingKeys, ", "))));
    }
    return {};
  }

  [[nodiscard]] Result<> readKey(const YamlNode::Entry& entry) {
    DumpRules& dumps = m_content.dumps;
    if (entry.key == "rules") {
      return readList(entry, [this](const YamlNode& item) { return readRule(item); });
    }
    if (entry.key == "pairs") {
      return readPairs(entry.value);
    }
    if (entry.key == "fused") {
      return readFusedKey(entry);
    }
    if (entry.key == "transposed") {
      return readExpressions(entry, dumps.transposed, dumps.findsTransposed);
    }
    if (entry.key == "exchanged") {
      return readExpressions(entry, dumps.exchanged, dumps.findsExchanged);
    }
    if (entry.key == "vocabulary") {
      return readVocabulary(entry.value);
    }
    if (entry.key == "shapes") {
      dumps.areShapesExact = entry.value.text == "exact";
      return dumps.areShapesExact || entry.value.text == "squeezed"
                 ? Result<>()
                 : failAt(entry.value.position, "'shapes' is exact or squeezed");
    }
    if (entry.key == "loss_scale") {
      dumps.findsLossScale = entry.value.text != "none";
      return dumps.findsLossScale && entry.value.text != "found"
                 ? failAt(entry.value.position, "'loss_scale' is none or found")
                 : Result<>();
    }
    if (entry.key == "ranks") {
      return readRanks(entry.value, m_origin, dumps);
    }
    if (entry.key == "shards") {
      return entry.value.kind == Kind::Scalar
                 ? readPreset(entry.value)
                 : readList(entry, [this](const YamlNode& item) { return readShards(item); });
    }
    if (entry.key == "fuzzy") {
      dumps.isFuzzy = entry.value.text == "true";
      return dumps.isFuzzy || entry.value.text == "false"
                 ? Result<>()
                 : failAt(entry.value.position, "'fuzzy' is true or false");
    }
    if (entry.key == "layers") {
      return readLayers(entry.value);
    }
    return readNames(entry.value, entry.key == "data" ? dumps.rows : dumps.cells);
  }

  template <class ReadItem>
  [[nodiscard]] Result<> readList(const YamlNode::Entry& entry, const ReadItem& readItem) {
    if (entry.value.kind != Kind::List) {
      return failAt(entry.value.position, fmt::format("'{}' must be a list", entry.key));
    }
    for (const YamlNode& item : entry.value.items) {
      ULP_TRY(readItem(item));
    }
    return {};
  }

  /// The texts of a map whose keys are `known`, checked.
  [[nodiscard]] Result<Values> readTexts(const YamlNode& node,
                                         std::string_view what,
                                         std::string_view known) const {
    Values values;
    if (node.kind != Kind::Map) {
      return failAt(node.position, fmt::format("{} is a map of {}", what, known));
    }
    for (const YamlNode::Entry& entry : node.entries) {
      // Each key stands between spaces and commas in the text of what is known.
      const std::string list = fmt::format(" {},", known);
      if (entry.key.find(',') != std::string::npos ||
          list.find(fmt::format(" {},", entry.key)) == std::string::npos) {
        return failAt(entry.position,
                      fmt::format("unknown key '{}'; {} has {}", entry.key, what, known));
      }
      if (!values.emplace(entry.key, &entry.value).second) {
        return failAt(entry.position, fmt::format("'{}' is there twice", entry.key));
      }
    }
    return values;
  }

  [[nodiscard]] Result<> checkExpression(const YamlNode& node) const {
    if (node.kind != Kind::Scalar) {
      return failAt(node.position, "must be a text");
    }
    const auto made = compileExpressions({node.text});
    return made ? Result<>() : failAt(node.position, made.error().message());
  }

  [[nodiscard]] Result<> readRule(const YamlNode& node) {
    auto values = ULP_TRY(readTexts(node, "a rule", "match, replace"));
    if (values.size() != 2) {
      return failAt(node.position, "a rule needs both 'match' and 'replace'");
    }
    ULP_TRY(checkExpression(*values["match"]));
    if (values["replace"]->kind != Kind::Scalar) {
      return failAt(values["replace"]->position, "'replace' must be a text");
    }
    m_content.rules.push_back({values["match"]->text, values["replace"]->text});
    return {};
  }

  [[nodiscard]] Result<> readPairs(const YamlNode& node) {
    if (node.kind != Kind::Map) {
      return failAt(node.position, "'pairs' must be a map of name to name");
    }
    for (const YamlNode::Entry& entry : node.entries) {
      if (entry.value.kind != Kind::Scalar) {
        return failAt(entry.value.position, "a name is paired with one name");
      }
      if (!m_content.pairs.emplace(entry.key, entry.value.text).second) {
        return failAt(entry.position, fmt::format("'{}' is paired twice", entry.key));
      }
    }
    return {};
  }

  [[nodiscard]] Result<> readNames(const YamlNode& node, NamePairs& names) const {
    if (!areTexts(node)) {
      return failAt(node.position, "must be a map of name to name");
    }
    for (const YamlNode::Entry& entry : node.entries) {
      names.emplace_back(entry.key, entry.value.text);
    }
    return {};
  }

  [[nodiscard]] Result<> readLayers(const YamlNode& node) {
    if (node.kind != Kind::Map) {
      return failAt(node.position, "must be a map of classes to the names of their children");
    }
    for (const YamlNode::Entry& entry : node.entries) {
      // msprobe's older files say Cell.
      ClassRenames renames{.type = entry.key == "Cell" ? "TopLayer" : entry.key};
      ULP_TRY(readNames(entry.value, renames.children));
      for (auto& child : renames.children) {
        child.second = child.second.substr(0, child.second.find('('));
      }
      m_content.dumps.layers.push_back(std::move(renames));
    }
    return {};
  }

  /// One or a list of them; `none` says that nothing else is looked for.
  [[nodiscard]] Result<> readExpressions(const YamlNode::Entry& entry,
                                         std::vector<std::string>& expressions,
                                         bool& isFound) {
    const auto read = [&](const YamlNode& node) -> Result<> {
      ULP_TRY(checkExpression(node));
      if (node.text == "none") {
        isFound = false;
      } else {
        expressions.push_back(node.text);
      }
      return {};
    };
    return entry.value.kind == Kind::Scalar ? read(entry.value) : readList(entry, read);
  }

  [[nodiscard]] Result<> readVocabulary(const YamlNode& node) {
    const auto entries = integerIn(node);
    const bool isNone = node.kind == Kind::Scalar && node.text == "none";
    if (!isNone && (!entries || *entries < 1)) {
      return failAt(node.position, "'vocabulary' is the number of its entries, or none");
    }
    m_content.dumps.vocabulary = isNone ? 0 : *entries;
    return {};
  }

  [[nodiscard]] Result<> readFusedKey(const YamlNode::Entry& entry) {
    if (entry.value.kind == Kind::Scalar && entry.value.text == "none") {
      return readFused(entry.value);
    }
    if (entry.value.kind != Kind::List) {
      return failAt(entry.value.position, "'fused' is a list of rules, or none");
    }
    return readList(entry, [this](const YamlNode& item) { return readFused(item); });
  }

  [[nodiscard]] Result<> readFused(const YamlNode& node) {
    if (node.kind == Kind::Scalar && node.text == "none") {
      m_content.dumps.splitsKnown = false;
      return {};
    }
    auto values = ULP_TRY(readTexts(node, "a fused tensor", "match, parts, layout, groups, dim"));
    if (!values.contains("match") || !values.contains("parts")) {
      return failAt(node.position, "a fused tensor needs 'match' and 'parts'");
    }
    ULP_TRY(checkExpression(*values["match"]));
    FusedRule rule{.match = values["match"]->text};
    const YamlNode& parts = *values["parts"];
    for (const YamlNode& part : parts.items) {
      rule.parts.push_back(part.text);
      if (part.kind != Kind::Scalar || part.text.empty()) {
        return failAt(part.position, "the name of a part must be a text");
      }
    }
    if (rule.parts.size() < 2) {
      return failAt(parts.position, "'parts' is a list of at least two names");
    }
    ULP_TRY(readLayout(values, rule));
    m_content.dumps.fused.push_back(std::move(rule));
    return {};
  }

  /// Sets `value` to the constant that has this name; false, and nothing set: none has.
  template <class Enum, std::size_t Size>
  [[nodiscard]] static bool take(std::string_view name,
                                 const std::array<std::string_view, Size>& names,
                                 Enum& value) {
    const auto* const known = std::ranges::find(names, name);
    if (known != names.end()) {
      value = static_cast<Enum>(known - names.begin());
    }
    return known != names.end();
  }

  [[nodiscard]] Result<std::int64_t> readDim(const YamlNode& node) const {
    const auto number = integerIn(node);
    return number ? Result<std::int64_t>(*number)
                  : failAt(node.position, "'dim' is the number of a dimension");
  }

  [[nodiscard]] Result<> readLayout(const Values& values, FusedRule& rule) const {
    if (const auto layout = values.find("layout");
        layout != values.end() && !take(layout->second->text, kFusedLayouts, rule.layout)) {
      return failAt(layout->second->position, "'layout' is concat, grouped or found");
    }
    if (const auto groups = values.find("groups"); groups != values.end()) {
      const auto number = integerIn(*groups->second);
      if (!number || *number < 1 || rule.layout != FusedLayout::Grouped) {
        return failAt(groups->second->position,
                      "'groups' is the number of groups of the layout grouped");
      }
      rule.groups = *number;
    }
    if (const auto dim = values.find("dim"); dim != values.end()) {
      rule.dim = ULP_TRY(readDim(*dim->second));
    }
    return {};
  }

  [[nodiscard]] Result<> readPreset(const YamlNode& node) {
    const char* const preset = shardPreset(node.text);
    if (preset == nullptr) {
      return failAt(node.position,
                    fmt::format("no rules '{}'; choose {}, or list rules of your own",
                                node.text,
                                shardPresetNames()));
    }
    const auto rules = ULP_TRY(study::parseYaml(preset, node.text));
    for (const YamlNode& rule : rules.items) {
      ULP_TRY(readShard(rule));
    }
    return {};
  }

  [[nodiscard]] Result<> readShards(const YamlNode& node) {
    return node.kind == Kind::Scalar ? readPreset(node) : readShard(node);
  }

  [[nodiscard]] Result<> readShard(const YamlNode& node) {
    auto values = ULP_TRY(readTexts(node, "a rule of shards", "match, row, as, over, dim, parts"));
    ShardRule rule;
    for (const char* key : {"match", "row"}) {
      if (values.contains(key)) {
        ULP_TRY(checkExpression(*values[key]));
        (std::string_view(key) == "row" ? rule.row : rule.match) = values[key]->text;
      }
    }
    if (values.contains("over") && !take(values["over"]->text, kShardAxes, rule.axis)) {
      return failAt(values["over"]->position, "'over' is tensor, data or expert");
    }
    ULP_TRY(readKind(node, values, rule));
    if (rule.axis == ShardAxis::Expert && rule.kind != ShardKind::Concat) {
      return failAt(node.position, "over expert, a rule of shards says 'dim'");
    }
    m_content.dumps.shards.push_back(std::move(rule));
    return {};
  }

  [[nodiscard]] Result<> readKind(const YamlNode& node,
                                  const Values& values,
                                  ShardRule& rule) const {
    const auto as = values.find("as");
    const auto dim = values.find("dim");
    const std::string_view name = as == values.end() ? kShardKinds[0] : as->second->text;
    if (!take(name, kShardKinds, rule.kind)) {
      return failAt(as->second->position, "'as' is concat, replicated, sum or mean");
    }
    const bool isConcat = rule.kind == ShardKind::Concat;
    if (isConcat != (dim != values.end()) || (!isConcat && values.contains("parts"))) {
      return failAt(node.position,
                    "a rule of shards says either 'dim', the dimension along which they are put "
                    "together, or 'as: replicated', 'sum' or 'mean'");
    }
    if (isConcat) {
      rule.dim = ULP_TRY(readDim(*dim->second));
    }
    if (const auto parts = values.find("parts"); parts != values.end()) {
      for (const YamlNode& item : parts->second->items) {
        rule.parts.push_back(integerIn(item).value_or(0));
      }
      if (rule.parts.size() < 2 || *std::ranges::min_element(rule.parts) < 1) {
        return failAt(parts->second->position,
                      "'parts' is a list of at least two relative sizes, as in [2, 1, 1]");
      }
    }
    return {};
  }

  std::string_view m_origin;
  MappingContent m_content;
};

}  // namespace

Result<MappingContent> readMapping(std::string_view yaml, std::string_view origin) {
  auto root = ULP_TRY(study::parseYaml(yaml, origin));
  return MappingReader(origin).read(root);
}

}  // namespace ulp::analysis
