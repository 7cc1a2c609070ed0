#include "core/study/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

#include "core/base/list_of.h"
#include "core/base/text/edit_distance.h"

namespace ulp::study {
namespace {

std::string valuesOf(const Key& key, std::string_view separator) {
  if (key.type == ValueType::Integer && key.minimum) {
    return fmt::format(">= {}", *key.minimum);
  }
  std::string values = fmt::format("{}", fmt::join(key.choices, separator));
  if (key.type == ValueType::Name) {
    values += fmt::format("{}another name", separator);
  } else if (key.type == ValueType::Number && !key.choices.empty()) {
    values += fmt::format("{}a number", separator);
  }
  return values;
}

std::string_view nameOf(KeyScope scope) {
  return scope == KeyScope::Run ? "run" : "study";
}

bool endsWithPart(std::string_view path, std::string_view part) {
  return path.size() > part.size() && path.ends_with(part) &&
         path[path.size() - part.size() - 1] == '.';
}

}  // namespace

const Key* findKey(std::string_view path) {
  static const std::unordered_map<std::string_view, const Key*> kKeys = [] {
    std::unordered_map<std::string_view, const Key*> keys;
    for (const Key& key : schemaKeys()) {
      keys.emplace(key.path, &key);
    }
    return keys;
  }();
  const auto found = kKeys.find(path);
  return found == kKeys.end() ? nullptr : found->second;
}

bool isSection(std::string_view path) {
  return std::ranges::any_of(schemaKeys(), [&](const Key& key) {
    return key.path.size() > path.size() && key.path.starts_with(path) &&
           key.path[path.size()] == '.';
  });
}

std::string_view nearestPath(std::string_view path, const std::vector<std::string_view>& known) {
  const std::size_t limit = std::max<std::size_t>(2, path.size() / 4);
  std::string_view nearest;
  std::size_t best = limit + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance =
        endsWithPart(candidate, path) ? 0 : editDistance(candidate, path, best);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string_view nearestKey(std::string_view path) {
  return nearestPath(path, listOf(schemaKeys(), &Key::path));
}

std::string_view nearestSection(std::string_view path) {
  for (const Key& key : schemaKeys()) {
    const std::string_view section = key.path.substr(0, key.path.find('.'));
    if (section != key.path && editDistance(section, path, 2) <= 2) {
      return section;
    }
  }
  return {};
}

std::string schemaHelp() {
  constexpr std::string_view kRow = "{:<28} {:<6} {:<9} {:<14} {}";
  std::string text = fmt::format(kRow, "key", "scope", "type", "default", "values") + '\n';
  for (const Key& key : schemaKeys()) {
    std::string row = fmt::format(kRow,
                                  key.path,
                                  nameOf(key.scope),
                                  toString(key.type),
                                  key.defaultText.empty() ? "-" : key.defaultText,
                                  valuesOf(key, " | "));
    row.erase(row.find_last_not_of(' ') + 1);
    text += fmt::format("{}\n    {}\n", row, key.help);
  }
  text +=
      "\nreference: {KEY: VALUE, ...}         run keys of the reference, on top of float32\n"
      "variants: {NAME: {KEY: VALUE, ...}}  run keys of each variant\n"
      "Keys are written nested (precision: {compute_dtype: bfloat16}) or dotted\n"
      "(precision.compute_dtype: bfloat16). docs/study.md explains which setting wins.\n";
  return text;
}

std::string schemaMarkdown() {
  std::string text =
      "| key | scope | type | default | values | meaning |\n|---|---|---|---|---|---|\n";
  for (const Key& key : schemaKeys()) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n",
                        key.path,
                        nameOf(key.scope),
                        toString(key.type),
                        key.defaultText.empty() ? "–" : fmt::format("`{}`", key.defaultText),
                        valuesOf(key, ", "),
                        key.help);
  }
  return text;
}

}  // namespace ulp::study
