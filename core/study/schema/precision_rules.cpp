#include "core/study/schema/precision_rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/regular_expression.h"

namespace ulp::study {
namespace {

constexpr std::array<std::string_view, 3> kRulePasses{"both", "forward", "backward"};
constexpr std::string_view kSection = "precision.";

CheckedText checkMatch(const Key& key, const YamlNode& value) {
  const auto compiled = compileExpression(value.text);
  if (value.kind != YamlNode::Kind::Scalar || value.text.empty() || !compiled) {
    return problemAt(value.position,
                     fmt::format("'{}': match must be a regular expression over module paths{}",
                                 key.path,
                                 compiled ? "" : fmt::format(": {}", compiled.error().message())));
  }
  return value.text;
}

CheckedText checkPass(const Key& key, const YamlNode& value) {
  if (std::find(kRulePasses.begin(), kRulePasses.end(), value.text) == kRulePasses.end()) {
    return problemAt(value.position,
                     fmt::format("'{}': pass must be one of {}, not '{}'",
                                 key.path,
                                 fmt::join(kRulePasses, ", "),
                                 value.text));
  }
  return value.text;
}

CheckedText checkEntry(const Key& key, const YamlNode::Entry& entry) {
  if (entry.key == "match") {
    return checkMatch(key, entry.value);
  }
  if (entry.key == "pass") {
    return checkPass(key, entry.value);
  }
  const std::string path = std::string(kSection) + entry.key;
  if (!numerics::parseOperationKey(entry.key)) {
    std::string_view near = nearestKey(path);
    near = near.starts_with(kSection) ? near.substr(kSection.size()) : near;
    const bool isKnown = numerics::parseOperationKey(near).has_value();
    return problemAt(entry.position,
                     fmt::format("'{}': a rule has no key '{}'{}",
                                 key.path,
                                 entry.key,
                                 isKnown ? fmt::format("; did you mean '{}'?", near) : ""));
  }
  const Key* format = findKey(path);
  if (format == nullptr) {
    return problemAt(entry.position, fmt::format("'{}': '{}' is not known", key.path, entry.key));
  }
  return checkValue(*format, entry.value);
}

/// The rule with its values in canonical spelling.
tl::expected<YamlNode, ValueProblem> checkRule(const Key& key, const YamlNode& rule) {
  if (rule.kind != YamlNode::Kind::Map) {
    return problemAt(rule.position,
                     fmt::format("'{}': a rule is a map such as {{match: down_proj$, "
                                 "compute_dtype: float32}}",
                                 key.path));
  }
  YamlNode canonical = rule;
  bool hasMatch = false;
  bool hasFormat = false;
  for (YamlNode::Entry& entry : canonical.entries) {
    const auto isSame = [&](const YamlNode::Entry& other) { return other.key == entry.key; };
    if (std::count_if(rule.entries.begin(), rule.entries.end(), isSame) > 1) {
      return problemAt(entry.position, fmt::format("'{}': '{}' is set twice", key.path, entry.key));
    }
    auto value = ULP_TRY(checkEntry(key, entry));
    hasMatch = hasMatch || entry.key == "match";
    hasFormat = hasFormat || numerics::parseOperationKey(entry.key).has_value();
    entry.value.text = std::move(value);
    entry.value.quoted = true;
  }
  if (!hasMatch || !hasFormat) {
    return problemAt(
        rule.position,
        fmt::format("'{}': a rule needs {}",
                    key.path,
                    hasMatch ? "at least one format, such as compute_dtype" : "match"));
  }
  return canonical;
}

}  // namespace

CheckedText checkRules(const Key& key, const YamlNode& node) {
  if (node.kind != YamlNode::Kind::List) {
    return problemAt(node.position, fmt::format("'{}' must be a list of rules", key.path));
  }
  YamlNode canonical = node;
  for (YamlNode& item : canonical.items) {
    auto rule = ULP_TRY(checkRule(key, item));
    item = std::move(rule);
  }
  return toJsonText(canonical);
}

Result<std::vector<PrecisionRule>> parseRules(std::string_view value) {
  const auto list = ULP_TRY(parseYaml(value, "precision.rules"));
  std::vector<PrecisionRule> rules;
  for (const YamlNode& item : list.items) {
    PrecisionRule& rule = rules.emplace_back();
    for (const YamlNode::Entry& entry : item.entries) {
      if (entry.key == "match") {
        rule.match = entry.value.text;
      } else if (entry.key == "pass") {
        const auto* const pass =
            std::find(kRulePasses.begin(), kRulePasses.end(), entry.value.text);
        rule.pass = static_cast<RulePass>(pass - kRulePasses.begin());
      } else if (const auto operation = numerics::parseOperationKey(entry.key)) {
        rule.formats[*operation] = numerics::parseNumberFormat(entry.value.text);
      }
    }
  }
  return rules;
}

}  // namespace ulp::study
