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
  const auto compiled = RegularExpression::compile(value.text);
  if (value.kind != YamlNode::Kind::Scalar || value.text.empty() || !compiled) {
    return problemOf(key,
                     value,
                     "'{}': match must be a regular expression over module paths{}",
                     compiled ? "" : fmt::format(": {}", compiled.error().message()));
  }
  return value.text;
}

CheckedText checkPass(const Key& key, const YamlNode& value) {
  if (std::ranges::find(kRulePasses, value.text) == kRulePasses.end()) {
    return problemOf(key,
                     value,
                     "'{}': pass must be one of {}, not '{}'",
                     fmt::join(kRulePasses, ", "),
                     value.text);
  }
  return value.text;
}

CheckedText checkFormat(const Key& key, const YamlNode::Entry& entry) {
  const std::string path = std::string(kSection) + entry.key;
  const Key* format = findKey(path);
  if (format == nullptr || !numerics::parseOperationKey(entry.key)) {
    std::string_view near = nearestKey(path);
    near = near.starts_with(kSection) ? near.substr(kSection.size()) : near;
    const bool isKnown = numerics::parseOperationKey(near).has_value();
    return tl::unexpected(
        ValueProblem{entry.position,
                     fmt::format("'{}': a rule has no key '{}'{}",
                                 key.path,
                                 entry.key,
                                 isKnown ? fmt::format("; did you mean '{}'?", near) : "")});
  }
  return checkValue(*format, entry.value);
}

/// The rule with its values in canonical spelling.
Checked<YamlNode> checkRule(const Key& key, const YamlNode& rule) {
  if (rule.kind != YamlNode::Kind::Map) {
    return problemOf(
        key, rule, "'{}': a rule is a map such as {{match: down_proj$, compute_dtype: float32}}");
  }
  YamlNode canonical = rule;
  bool hasFormat = false;
  for (YamlNode::Entry& entry : canonical.entries) {
    if (std::ranges::count(rule.entries, entry.key, &YamlNode::Entry::key) > 1) {
      return tl::unexpected(ValueProblem{
          entry.position, fmt::format("'{}': '{}' is set twice", key.path, entry.key)});
    }
    const bool isMatch = entry.key == "match";
    const bool isPass = entry.key == "pass";
    auto value = ULP_TRY(isMatch  ? checkMatch(key, entry.value)
                         : isPass ? checkPass(key, entry.value)
                                  : checkFormat(key, entry));
    hasFormat = hasFormat || !(isMatch || isPass);
    entry.value.text = std::move(value);
    entry.value.quoted = true;
  }
  const bool hasMatch = rule.find("match") != nullptr;
  if (!hasMatch || !hasFormat) {
    return problemOf(key,
                     rule,
                     "'{}': a rule needs {}",
                     hasMatch ? "at least one format, such as compute_dtype" : "match");
  }
  return canonical;
}

}  // namespace

CheckedText checkRules(const Key& key, const YamlNode& node) {
  if (node.kind != YamlNode::Kind::List) {
    return problemOf(key, node, "'{}' must be a list of rules");
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
        const auto* const pass = std::ranges::find(kRulePasses, entry.value.text);
        rule.pass = static_cast<RulePass>(pass - kRulePasses.begin());
      } else if (const auto operation = numerics::parseOperationKey(entry.key)) {
        rule.formats[*operation] = numerics::parseNumberFormat(entry.value.text);
      }
    }
  }
  return rules;
}

}  // namespace ulp::study
