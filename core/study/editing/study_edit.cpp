#include "core/study/editing/study_edit.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "core/base/list_of.h"
#include "core/study/yaml/yaml_write.h"

namespace ulp::study {
namespace {

using Kind = YamlNode::Kind;

constexpr std::string_view kVariants = "variants";
constexpr std::string_view kReference = "reference";

/// `rest` is written below `node`, dotted or nested.
std::optional<YamlPath> locate(const YamlNode& node, std::string_view rest) {
  for (const YamlNode::Entry& entry : node.entries) {
    if (entry.key == rest) {
      return YamlPath{entry.key};
    }
    const bool leads = rest.size() > entry.key.size() && rest.starts_with(entry.key) &&
                       rest[entry.key.size()] == '.';
    if (leads) {
      if (auto below = locate(entry.value, rest.substr(entry.key.size() + 1))) {
        below->insert(below->begin(), entry.key);
        return below;
      }
    }
  }
  return std::nullopt;
}

std::string fullPath(const KeyOwner& owner, std::string_view key) {
  switch (owner.kind) {
    case KeyOwner::Kind::Study:
      break;
    case KeyOwner::Kind::Reference:
      return fmt::format("{}.{}", kReference, key);
    case KeyOwner::Kind::Variant:
      return fmt::format("{}.{}.{}", kVariants, owner.variant, key);
  }
  return std::string(key);
}

std::size_t rankOf(std::string_view topKey) {
  constexpr std::array<std::string_view, 10> kOrder{"model",
                                                    "input",
                                                    "loss",
                                                    "precision",
                                                    "attention",
                                                    kReference,
                                                    kVariants,
                                                    "capture",
                                                    "device",
                                                    "output_dir"};
  const std::string_view head = topKey.substr(0, topKey.find('.'));
  return static_cast<std::size_t>(std::ranges::find(kOrder, head) - kOrder.begin());
}

std::size_t schemaIndex(std::string_view section, std::string_view name) {
  const std::string path =
      section.empty() ? std::string(name) : fmt::format("{}.{}", section, name);
  const auto keys = schemaKeys();
  return static_cast<std::size_t>(std::ranges::find(keys, path, &Key::path) - keys.begin());
}

/// Behind the last entry that `comesBefore` the new one.
template <class Predicate>
std::size_t indexBehind(const YamlNode& map, const Predicate& comesBefore) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < map.entries.size(); ++i) {
    index = comesBefore(map.entries[i].key) ? i + 1 : index;
  }
  return index;
}

Result<std::string> insertTop(std::string_view yaml,
                              const YamlNode& root,
                              const YamlNode::Entry& entry) {
  const std::size_t rank = rankOf(entry.key);
  const std::size_t index =
      indexBehind(root, [&](std::string_view key) { return rankOf(key) <= rank; });
  return insertYaml(yaml, {}, index, entry);
}

Result<std::string> insertInSection(std::string_view yaml,
                                    const YamlPath& section,
                                    const YamlNode& map,
                                    std::string_view sectionName,
                                    const YamlNode::Entry& entry) {
  const std::size_t rank = schemaIndex(sectionName, entry.key);
  const std::size_t index =
      indexBehind(map, [&](std::string_view key) { return schemaIndex(sectionName, key) <= rank; });
  return insertYaml(yaml, section, index, entry);
}

struct SplitKey {
  std::string section;  ///< empty: a key of the top level
  std::string name;
};

SplitKey split(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == std::string_view::npos
             ? SplitKey{{}, std::string(key)}
             : SplitKey{std::string(key.substr(0, dot)), std::string(key.substr(dot + 1))};
}

Result<std::string> insertStudyKey(std::string_view yaml,
                                   const YamlNode& root,
                                   std::string_view key,
                                   const YamlNode& value) {
  const SplitKey parts = split(key);
  if (parts.section.empty()) {
    return insertTop(yaml, root, {parts.name, {}, value});
  }
  if (const auto* section = root.find(parts.section)) {
    return insertInSection(
        yaml, {parts.section}, section->value, parts.section, {parts.name, {}, value});
  }
  const bool dotted = std::any_of(root.entries.begin(), root.entries.end(), [&](const auto& entry) {
    return entry.key.starts_with(parts.section + '.');
  });
  YamlNode::Entry entry{std::string(key), {}, value};
  if (!dotted) {
    entry = {parts.section, {}, mapNode({{parts.name, {}, value}})};
  }
  return insertTop(yaml, root, entry);
}

Result<std::string> insertOverride(std::string_view yaml,
                                   const YamlNode& root,
                                   const KeyOwner& owner,
                                   std::string_view key,
                                   const YamlNode& value) {
  YamlPath path{std::string(kReference)};
  const YamlNode::Entry* home = root.find(kReference);
  if (owner.kind == KeyOwner::Kind::Variant) {
    path = {std::string(kVariants), owner.variant};
    const auto* variants = root.find(kVariants);
    home = variants == nullptr ? nullptr : variants->value.find(owner.variant);
    if (home == nullptr) {
      return fail(ErrorCode::NotFound, fmt::format("there is no variant '{}'", owner.variant));
    }
  }
  if (home == nullptr) {
    return insertTop(
        yaml, root, {std::string(kReference), {}, mapNode({{std::string(key), {}, value}})});
  }
  const SplitKey parts = split(key);
  if (const auto* section = home->value.find(parts.section)) {
    path.push_back(parts.section);
    return insertInSection(yaml, path, section->value, parts.section, {parts.name, {}, value});
  }
  return insertInSection(yaml, path, home->value, "", {std::string(key), {}, value});
}

Result<YamlNode> readStudy(std::string_view yaml) {
  return parseYaml(yaml, "study");
}

}  // namespace

YamlPath variantPath(std::string_view name) {
  return {std::string(kVariants), std::string(name)};
}

const YamlNode* writtenValue(const YamlNode& study, const KeyOwner& owner, std::string_view key) {
  const auto path = locate(study, fullPath(owner, key));
  return path ? study.at(*path) : nullptr;
}

Result<YamlNode> valueFromText(const Key& key, std::string_view text) {
  if (isStructuredType(key.type)) {
    return parseYaml(text, key.path);
  }
  return scalarNode(text);
}

Result<std::string> setStudyKey(std::string_view yaml,
                                const KeyOwner& owner,
                                std::string_view key,
                                const YamlNode& value) {
  const auto root = ULP_TRY(readStudy(yaml));
  if (const auto path = locate(root, fullPath(owner, key))) {
    return setYaml(yaml, *path, value);
  }
  return owner.kind == KeyOwner::Kind::Study ? insertStudyKey(yaml, root, key, value)
                                             : insertOverride(yaml, root, owner, key, value);
}

Result<std::string> resetStudyKey(std::string_view yaml,
                                  const KeyOwner& owner,
                                  std::string_view key) {
  const auto root = ULP_TRY(readStudy(yaml));
  const auto path = locate(root, fullPath(owner, key));
  if (!path) {
    return std::string(yaml);
  }
  auto text = ULP_TRY(removeYaml(yaml, *path, Comments::Keep));
  // A section that nothing is left of goes, too; the map of a run stays.
  const YamlPath section(path->begin(), path->end() - 1);
  if (!section.empty() && isSection(section.back())) {
    const auto rest = ULP_TRY(readStudy(text));
    const YamlNode* left = rest.at(section);
    if (left != nullptr &&
        (left->kind == Kind::Null || (left->kind == Kind::Map && left->entries.empty()))) {
      return removeYaml(text, section, Comments::Keep);
    }
  }
  return text;
}

std::vector<std::string> variantNames(const YamlNode& study) {
  const auto* variants = study.find(kVariants);
  return variants == nullptr ? std::vector<std::string>()
                             : listOf(variants->value.entries, &YamlNode::Entry::key);
}

std::string freeVariantName(const std::vector<std::string>& taken, std::string_view base) {
  std::string name(base);
  for (int i = 2; std::ranges::find(taken, name) != taken.end(); ++i) {
    name = fmt::format("{}_{}", base, i);
  }
  return name;
}

Result<std::string> addVariant(std::string_view yaml,
                               std::string_view name,
                               const OverrideTexts& overrides) {
  const auto root = ULP_TRY(readStudy(yaml));
  YamlNode map = mapNode();
  for (const auto& [path, text] : overrides) {
    const Key* key = findKey(path);
    auto value =
        ULP_TRY(key == nullptr ? Result<YamlNode>(scalarNode(text)) : valueFromText(*key, text));
    map.entries.push_back({path, {}, std::move(value)});
  }
  const YamlNode::Entry entry{std::string(name), {}, std::move(map)};
  if (root.find(kVariants) == nullptr) {
    return insertTop(yaml, root, {std::string(kVariants), {}, mapNode({entry})});
  }
  return insertYaml(yaml, {std::string(kVariants)}, static_cast<std::size_t>(-1), entry);
}

Result<std::string> moveVariant(std::string_view yaml, std::string_view name, std::size_t to) {
  const auto root = ULP_TRY(readStudy(yaml));
  const std::vector<std::string> names = variantNames(root);
  const auto from = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  return moveYaml(yaml, {std::string(kVariants)}, from, to);
}

}  // namespace ulp::study
