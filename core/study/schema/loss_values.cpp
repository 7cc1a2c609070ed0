#include "core/study/schema/loss_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "core/study/yaml/number_text.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::study {
namespace {

using Kind = YamlNode::Kind;

constexpr std::array<std::string_view, 4> kTermFields{
    "type", "weight", "epsilon_low", "epsilon_high"};

template <class Number>
std::optional<Number> numberOf(const YamlNode& node) {
  const bool isPlain = node.kind == Kind::Scalar && !node.quoted;
  return isPlain ? numberIn<Number>(node.text) : std::nullopt;
}

bool isWhole(const YamlNode& node, std::int64_t minimum) {
  const auto value = numberOf<std::int64_t>(node);
  return value && *value >= minimum;
}

CheckedText checkLengths(const Key& key, const YamlNode& list) {
  for (const YamlNode& item : list.items) {
    if (!isWhole(item, 1)) {
      return problemAt(item.position,
                       fmt::format("'{}': a document has a whole number of tokens, at least 1, not "
                                   "'{}'",
                                   key.path,
                                   item.text));
    }
  }
  return toJsonText(list);
}

CheckedText checkTermField(const Key& key, const YamlNode::Entry& entry) {
  const std::vector<std::string_view> types = lossTypes();
  if (entry.key == "type") {
    if (std::find(types.begin(), types.end(), entry.value.text) == types.end()) {
      return problemAt(entry.value.position,
                       fmt::format("'{}': the type must be one of {}, not '{}'",
                                   key.path,
                                   fmt::join(types, ", "),
                                   entry.value.text));
    }
    return entry.value.text;
  }
  if (std::find(kTermFields.begin(), kTermFields.end(), entry.key) == kTermFields.end()) {
    return problemAt(entry.value.position,
                     fmt::format("'{}': a term has no field '{}'; it has {}",
                                 key.path,
                                 entry.key,
                                 fmt::join(kTermFields, ", ")));
  }
  const auto value = numberOf<double>(entry.value);
  const bool isEpsilon = entry.key != "weight";
  if (!value || !std::isfinite(*value) || (isEpsilon && *value < 0)) {
    return problemAt(entry.value.position,
                     fmt::format("'{}': {} must be a number{}, not '{}'",
                                 key.path,
                                 entry.key,
                                 isEpsilon ? " of at least 0" : "",
                                 entry.value.text));
  }
  return entry.value.text;
}

std::vector<std::int64_t> lengthsOf(const YamlNode& list) {
  std::vector<std::int64_t> lengths;
  for (const YamlNode& item : list.items) {
    lengths.push_back(numberOf<std::int64_t>(item).value_or(0));
  }
  return lengths;
}

YamlNode parsedList(std::string_view text) {
  return parseYaml(text, "value").value_or(YamlNode{});
}

}  // namespace

bool LossSettings::needsPolicy() const {
  const std::vector<std::string_view> policyLosses = policyLossTypes();
  return std::ranges::any_of(terms, [&](const LossTermSetting& term) {
    return std::ranges::find(policyLosses, term.type) != policyLosses.end();
  });
}

CheckedText checkDocuments(const Key& key, const YamlNode& node) {
  if (node.kind != Kind::List) {
    return problemAt(node.position,
                     fmt::format("'{}' must be a list of document lengths, [44, 57, 28], or one "
                                 "list for each micro-batch",
                                 key.path));
  }
  const bool isNested = !node.items.empty() && node.items.front().kind == Kind::List;
  if (!isNested) {
    return checkLengths(key, node);
  }
  for (const YamlNode& list : node.items) {
    if (list.kind != Kind::List || list.items.empty()) {
      return problemAt(list.position,
                       fmt::format("'{}': where one micro-batch has a list of lengths of its own, "
                                   "each has one",
                                   key.path));
    }
    ULP_TRY(checkLengths(key, list));
  }
  return toJsonText(node);
}

CheckedText checkRanges(const Key& key, const YamlNode& node) {
  const auto isRange = [](const YamlNode& item) {
    return item.kind == Kind::List && item.items.size() == 2 && isWhole(item.items[0], 0) &&
           isWhole(item.items[1], *numberOf<std::int64_t>(item.items[0]));
  };
  if (node.kind != Kind::List) {
    return problemAt(node.position,
                     fmt::format("'{}' must be a list of ranges [begin, end) of tokens", key.path));
  }
  for (const YamlNode& item : node.items) {
    if (!isRange(item)) {
      return problemAt(item.position,
                       fmt::format("'{}': a range is [begin, end), two whole numbers from 0, the "
                                   "second not below the first",
                                   key.path));
    }
  }
  return toJsonText(node);
}

CheckedText checkLossTerms(const Key& key, const YamlNode& node) {
  if (node.kind != Kind::List) {
    return problemAt(node.position,
                     fmt::format("'{}' must be a list of terms such as {{type: z_loss, weight: "
                                 "0.001}}",
                                 key.path));
  }
  for (const YamlNode& term : node.items) {
    const bool hasType =
        std::any_of(term.entries.begin(), term.entries.end(), [](const YamlNode::Entry& entry) {
          return entry.key == "type";
        });
    if (term.kind != Kind::Map || !hasType) {
      return problemAt(term.position,
                       fmt::format("'{}': a term is a map that names its type, such as {{type: "
                                   "z_loss, weight: 0.001}}",
                                   key.path));
    }
    for (const YamlNode::Entry& entry : term.entries) {
      ULP_TRY(checkTermField(key, entry));
    }
  }
  return toJsonText(node);
}

std::vector<std::vector<std::int64_t>> parseDocuments(std::string_view text) {
  const YamlNode node = parsedList(text);
  if (node.items.empty()) {
    return {};
  }
  if (node.items.front().kind != Kind::List) {
    return {lengthsOf(node)};
  }
  std::vector<std::vector<std::int64_t>> documents;
  for (const YamlNode& list : node.items) {
    documents.push_back(lengthsOf(list));
  }
  return documents;
}

std::vector<std::pair<std::int64_t, std::int64_t>> parseRanges(std::string_view text) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (const YamlNode& item : parsedList(text).items) {
    const std::vector<std::int64_t> bounds = lengthsOf(item);
    ranges.emplace_back(bounds.at(0), bounds.at(1));
  }
  return ranges;
}

std::vector<LossTermSetting> parseLossTerms(std::string_view text,
                                            const LossTermSetting& fallback) {
  std::vector<LossTermSetting> terms;
  for (const YamlNode& item : parsedList(text).items) {
    LossTermSetting term = fallback;
    for (const YamlNode::Entry& entry : item.entries) {
      if (entry.key == "type") {
        term.type = entry.value.text;
      } else {
        double& field = entry.key == "weight"        ? term.weight
                        : entry.key == "epsilon_low" ? term.epsilonLow
                                                     : term.epsilonHigh;
        field = numberOf<double>(entry.value).value_or(field);
      }
    }
    terms.push_back(std::move(term));
  }
  if (terms.empty()) {
    terms.push_back(fallback);
  }
  return terms;
}

}  // namespace ulp::study
