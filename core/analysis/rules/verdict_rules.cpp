#include "core/analysis/rules/verdict_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/edit_distance.h"
#include "core/base/text/format_number.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/regular_expression.h"
#include "core/base/undefined.h"
#include "core/numerics/metrics/metric.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::analysis {
namespace {

using study::YamlNode;

struct BoundName {
  Bound bound;
  std::string_view sign;
  std::string_view words;
};
constexpr std::array<BoundName, 4> kBounds{{{Bound::AtMost, "<=", "at most"},
                                            {Bound::Below, "<", "below"},
                                            {Bound::AtLeast, ">=", "at least"},
                                            {Bound::Above, ">", "above"}}};
/// Properties of rows that no metric tells.
constexpr std::array<std::string_view, 4> kProperties{"shape", "present", "non_finite", "allclose"};
constexpr std::array<std::string_view, 9> kRuleKeys{
    "match", "pass", "dtype", "metric", "comparison", "value", "severity", "rtol", "atol"};

struct VerdictPreset {
  std::string_view name;
  std::string_view yaml;
};

/// Sources: msprobe 8.x "Accuracy Reached or Not"; the limits that msit's documentation names;
/// Fast-LLM's CompareConfig, as tensors of its tests; the default of SGLang's dump comparator.
constexpr std::array<VerdictPreset, 4> kVerdictPresets{{
    {"fast_llm", R"(rules:
  - {metric: rms_rel_regularized, comparison: '<=', value: 0.003}
  - {metric: rms_diff, comparison: '<=', value: 0.0005}
  - {metric: max_rel_regularized, comparison: '<=', value: 0.015}
  - {metric: max_diff, comparison: '<=', value: 0.005}
  - {metric: present, comparison: '<=', value: 0}
  - {metric: shape, comparison: '<=', value: 0}
  - {metric: non_finite, comparison: '<=', value: 0}
)"},
    {"msit", R"(rules:
  - {metric: cosine, comparison: '>', value: 0.999}
  - {metric: kl.max, comparison: '<', value: 0.005, dtype: bfloat16}
  - {metric: kl.max, comparison: '<', value: 0.0001, dtype: float16}
  - {metric: shape, comparison: '<=', value: 0}
  - {metric: non_finite, comparison: '<=', value: 0}
)"},
    {"msprobe", R"(rules:
  - {metric: cosine, comparison: '>=', value: 0.9}
  - {metric: cosine, comparison: '>=', value: 0.99, severity: warning}
  - {metric: max_diff, comparison: '<=', value: 1}
  - {metric: max_diff, comparison: '<=', value: 0.001, severity: warning}
  - {metric: within.thousandth, comparison: '>=', value: 0.6, severity: warning}
  - {metric: stat.norm_rel, comparison: '<=', value: 0.5}
  - {metric: stat.norm_rel, comparison: '<=', value: 0.1, severity: warning}
  - {metric: checksum_equal, comparison: '>=', value: 1}
  - {metric: shape, comparison: '<=', value: 0}
  - {metric: present, comparison: '<=', value: 0, severity: warning}
  - {metric: non_finite, comparison: '<=', value: 0}
)"},
    {"sglang", R"(rules:
  - {metric: symmetric_diff, comparison: '<=', value: 0.001}
  - {metric: shape, comparison: '<=', value: 0}
  - {metric: non_finite, comparison: '<=', value: 0}
)"},
}};

tl::unexpected<Error> failAt(std::string_view origin,
                             study::SourcePosition position,
                             std::string_view what) {
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}:{}:{}: {}", origin, position.line, position.column, what));
}

const std::vector<std::string>& knownMetrics() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names(kProperties.begin(), kProperties.end());
    const numerics::MetricRegistry registry = numerics::builtinMetrics();
    for (const numerics::Metric& metric : registry.all()) {
      names.push_back(metric.id);
    }
    return names;
  }();
  return kNames;
}

template <class Names>
std::string nearest(std::string_view name, const Names& names) {
  std::string best;
  std::size_t least = name.size() + 1;
  for (const auto& candidate : names) {
    const std::size_t distance = editDistance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/// One rule while it is read.
class RuleReader {
 public:
  RuleReader(const YamlNode& node, std::string_view origin) : m_node(node), m_origin(origin) {}

  [[nodiscard]] Result<VerdictRule> read() && {
    if (m_node.kind != YamlNode::Kind::Map) {
      return failAt(m_origin, m_node.position, "a rule is a map of metric, comparison and value");
    }
    m_rule.position =
        fmt::format("{}:{}:{}", m_origin, m_node.position.line, m_node.position.column);
    for (const YamlNode::Entry& entry : m_node.entries) {
      ULP_TRY(take(entry));
    }
    if (m_rule.isAllclose() && (m_hasBound || m_hasValue)) {
      return failAt(m_origin,
                    m_node.position,
                    "'allclose' has 'rtol' and 'atol', no 'comparison' and 'value'");
    }
    if (!m_rule.isAllclose() && m_hasTolerance) {
      return failAt(m_origin, m_node.position, "'rtol' and 'atol' are of the metric 'allclose'");
    }
    if (!m_rule.isAllclose() && (m_rule.metric.empty() || !m_hasBound || !m_hasValue)) {
      return failAt(m_origin, m_node.position, "a rule needs 'metric', 'comparison' and 'value'");
    }
    return std::move(m_rule);
  }

 private:
  [[nodiscard]] Result<> take(const YamlNode::Entry& entry) {
    if (std::ranges::find(kRuleKeys, entry.key) == kRuleKeys.end()) {
      return failAt(
          m_origin,
          entry.position,
          fmt::format(
              "unknown key '{}'; did you mean '{}'?", entry.key, nearest(entry.key, kRuleKeys)));
    }
    if (entry.value.kind != YamlNode::Kind::Scalar) {
      return failAt(
          m_origin, entry.value.position, fmt::format("'{}' must be one value", entry.key));
    }
    const auto problem = set(entry.key, entry.value.text);
    return problem.empty() ? Result<>() : failAt(m_origin, entry.value.position, problem);
  }

  /// What is wrong with the value; empty: nothing.
  [[nodiscard]] std::string set(const std::string& key, const std::string& text) {
    if (key == "match") {
      m_rule.match = text;
      return "";
    }
    if (key == "pass") {
      m_rule.pass = parsePass(text);
      return m_rule.pass
                 ? ""
                 : fmt::format("unknown pass '{}'; choose forward, backward, parameter_gradient",
                               text);
    }
    if (key == "dtype") {
      m_rule.dtype = parseDType(text);
      return m_rule.dtype ? "" : fmt::format("unknown dtype '{}'", text);
    }
    if (key == "severity") {
      m_rule.severity = text == "warning" ? RuleSeverity::Warning : RuleSeverity::Error;
      return text == "warning" || text == "error" ? "" : "'severity' is warning or error";
    }
    if (key == "rtol" || key == "atol") {
      return setTolerance(key == "rtol" ? m_rule.tolerances.rtol : m_rule.tolerances.atol, text);
    }
    return key == "metric"       ? setMetric(text)
           : key == "comparison" ? setBound(text)
                                 : setValue(text);
  }

  [[nodiscard]] std::string setMetric(const std::string& text) {
    const std::vector<std::string>& known = knownMetrics();
    m_rule.metric = text;
    return std::ranges::find(known, text) != known.end()
               ? ""
               : fmt::format("unknown metric '{}'; did you mean '{}'?", text, nearest(text, known));
  }

  [[nodiscard]] std::string setBound(const std::string& text) {
    const auto* const found = std::ranges::find(kBounds, text, &BoundName::sign);
    m_hasBound = found != kBounds.end();
    if (!m_hasBound) {
      return "'comparison' is one of '<=', '<', '>=', '>'";
    }
    m_rule.bound = found->bound;
    return "";
  }

  [[nodiscard]] std::string setValue(const std::string& text) {
    m_rule.value = parseNumber<double>(text).value_or(kUndefined);
    m_hasValue = !std::isnan(m_rule.value);
    return m_hasValue ? "" : fmt::format("'{}' is not a number", text);
  }

  [[nodiscard]] std::string setTolerance(double& tolerance, const std::string& text) {
    m_hasTolerance = true;
    tolerance = parseNumber<double>(text).value_or(kUndefined);
    return tolerance >= 0 ? "" : fmt::format("'{}' is not a number of at least 0", text);
  }

  const YamlNode& m_node;
  std::string_view m_origin;
  VerdictRule m_rule;
  bool m_hasBound = false;
  bool m_hasValue = false;
  bool m_hasTolerance = false;
};

/// "cosine at least 0.999, bfloat16, forward, of mlp".
std::string textOf(const VerdictRule& rule,
                   std::string_view BoundName::*name,
                   std::string_view ofNames) {
  const auto* const bound = std::ranges::find(kBounds, rule.bound, &BoundName::bound);
  std::string text =
      rule.isAllclose()
          ? fmt::format("allclose, rtol {}, atol {}",
                        formatExact(rule.tolerances.rtol),
                        formatExact(rule.tolerances.atol))
          : fmt::format("{} {} {}", rule.metric, bound->*name, formatExact(rule.value));
  if (rule.dtype) {
    text += fmt::format(", {}", toString(*rule.dtype));
  }
  if (rule.pass) {
    text += fmt::format(", {}", toString(*rule.pass));
  }
  if (!rule.match.empty()) {
    text += fmt::format("{}{}", ofNames, rule.match);
  }
  return text;
}

}  // namespace

struct VerdictRules::Patterns {
  std::vector<std::optional<RegularExpression>> all;
};

Result<VerdictRules> VerdictRules::parse(std::string_view yaml, std::string_view origin) {
  const auto root = ULP_TRY(study::parseYaml(yaml, origin));
  const bool hasRules = root.kind == YamlNode::Kind::Map && root.entries.size() == 1 &&
                        root.entries.front().key == "rules" &&
                        root.entries.front().value.kind == YamlNode::Kind::List;
  if (!hasRules) {
    return failAt(origin, root.position, "a file of rules holds 'rules', a list");
  }
  VerdictRules rules;
  auto patterns = std::make_shared<Patterns>();
  for (const YamlNode& node : root.entries.front().value.items) {
    auto rule = ULP_TRY(RuleReader(node, origin).read());
    patterns->all.emplace_back();
    if (!rule.match.empty()) {
      auto pattern = RegularExpression::compile(rule.match);
      if (!pattern) {
        return failAt(
            origin,
            node.position,
            fmt::format(
                "'{}' is not a regular expression: {}", rule.match, pattern.error().message()));
      }
      patterns->all.back() = std::move(*pattern);
    }
    rules.m_rules.push_back(std::move(rule));
  }
  rules.m_patterns = std::move(patterns);
  return rules;
}

Result<std::string> VerdictRules::presetText(std::string_view name) {
  const auto* const found = std::ranges::find(kVerdictPresets, name, &VerdictPreset::name);
  if (found == kVerdictPresets.end()) {
    return fail(
        ErrorCode::NotFound,
        fmt::format("no rules '{}'; choose {} or a file", name, fmt::join(presetNames(), ", ")));
  }
  return std::string(found->yaml);
}

Result<VerdictRules> VerdictRules::preset(std::string_view name) {
  const auto text = ULP_TRY(presetText(name));
  return parse(text, name);
}

std::vector<std::string> VerdictRules::presetNames() {
  return listOf(kVerdictPresets,
                [](const VerdictPreset& preset) { return std::string(preset.name); });
}

Result<bool> VerdictRules::concerns(std::size_t index, const report::Comparison& row) const {
  const VerdictRule& rule = m_rules[index];
  const auto& pattern = m_patterns->all[index];
  const bool isOfKind = (!rule.pass || *rule.pass == row.site.pass) &&
                        (!rule.dtype || parseDType(row.variantDType) == rule.dtype);
  if (!isOfKind || !pattern) {
    return isOfKind;
  }
  const bool isNamed = ULP_TRY(pattern->isFoundIn(row.site.name));
  return isNamed ? Result<bool>(true) : pattern->isFoundIn(row.site.module);
}

VerdictRules VerdictRules::withFiniteImplied() const {
  VerdictRules all = *this;
  all.m_rules.push_back({.metric = "non_finite", .isImplied = true});
  auto patterns = std::make_shared<Patterns>(*m_patterns);
  patterns->all.emplace_back();
  all.m_patterns = std::move(patterns);
  return all;
}

bool VerdictRule::holdsFor(double number) const {
  switch (bound) {
    case Bound::AtMost:
      return number <= value;
    case Bound::Below:
      return number < value;
    case Bound::AtLeast:
      return number >= value;
    case Bound::Above:
      return number > value;
  }
  return false;
}

std::string withAllclose(std::string_view yaml, const Tolerances& tolerances) {
  // Without `match`, `pass` or `dtype`: of every tensor.
  constexpr std::string_view kStart = "- {metric: allclose";
  const std::string rule = fmt::format("{}, rtol: {}, atol: {}}}",
                                       kStart,
                                       formatExact(tolerances.rtol),
                                       formatExact(tolerances.atol));
  for (std::size_t at = yaml.find(kStart); at != std::string_view::npos;
       at = yaml.find(kStart, at + 1)) {
    const std::size_t end = yaml.find('}', at);
    const std::string_view old = yaml.substr(at, end == std::string_view::npos ? 0 : end + 1 - at);
    const bool isOfSome = std::ranges::any_of(
        std::array<std::string_view, 3>{"match:", "pass:", "dtype:"},
        [&](std::string_view key) { return old.find(key) != std::string_view::npos; });
    if (!old.empty() && !isOfSome) {
      return fmt::format("{}{}{}", yaml.substr(0, at), rule, yaml.substr(end + 1));
    }
  }
  std::string text(yaml);
  if (text.find_first_not_of(" \n\t") == std::string::npos) {
    text = "rules:\n";
  } else if (!text.ends_with('\n')) {
    text += '\n';
  }
  return fmt::format("{}  {}\n", text, rule);
}

std::string describe(const VerdictRule& rule) {
  return textOf(rule, &BoundName::words, ", of ");
}

std::string signText(const VerdictRule& rule) {
  return textOf(rule, &BoundName::sign, ", ");
}

}  // namespace ulp::analysis
