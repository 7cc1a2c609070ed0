#include "core/comparing/verdict/verdict_rules.h"

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
constexpr std::array<std::string_view, 3> kProperties{"shape", "present", "non_finite"};
constexpr std::array<std::string_view, 7> kRuleKeys{
    "match", "pass", "dtype", "metric", "comparison", "value", "severity"};

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

std::vector<std::string> knownMetrics() {
  std::vector<std::string> names(kProperties.begin(), kProperties.end());
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  for (const numerics::Metric& metric : registry.all()) {
    names.push_back(metric.id);
  }
  return names;
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
    if (m_rule.metric.empty() || !m_hasBound || !m_hasValue) {
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
    return key == "metric"       ? setMetric(text)
           : key == "comparison" ? setBound(text)
                                 : setValue(text);
  }

  [[nodiscard]] std::string setMetric(const std::string& text) {
    const std::vector<std::string> known = knownMetrics();
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

  const YamlNode& m_node;
  std::string_view m_origin;
  VerdictRule m_rule;
  bool m_hasBound = false;
  bool m_hasValue = false;
};

bool holds(const VerdictRule& rule, double value) {
  switch (rule.bound) {
    case Bound::AtMost:
      return value <= rule.value;
    case Bound::Below:
      return value < rule.value;
    case Bound::AtLeast:
      return value >= rule.value;
    case Bound::Above:
      return value > rule.value;
  }
  return false;
}

/// Rows that are no comparison: what of them is known is their name.
report::Comparison named(const std::string& name) {
  report::Comparison row;
  row.site.name = name;
  row.site.module = name;
  return row;
}

class RuleJudge {
 public:
  RuleJudge(const VerdictRules& rules, const DumpComparison& comparison)
      : m_rules(rules), m_comparison(comparison) {
    const numerics::MetricRegistry metrics = numerics::builtinMetrics();
    for (const VerdictRule& rule : rules.all()) {
      m_columns.push_back(metrics.indexOf(rule.metric));
    }
    m_outcome.checked.resize(rules.all().size());
    m_outcome.undefined.resize(rules.all().size());
  }

  [[nodiscard]] Result<RuleOutcome> judge() && {
    for (std::size_t unit = 0; unit < m_comparison.units.size(); ++unit) {
      ULP_TRY(judgeUnit(unit));
    }
    return std::move(m_outcome);
  }

 private:
  Result<> judgeUnit(std::size_t unit) {
    const UnitOutcome& outcome = m_comparison.units[unit];
    for (const report::Comparison& row : outcome.run.comparisons) {
      for (std::size_t rule = 0; rule < m_rules.all().size(); ++rule) {
        const std::string& metric = m_rules.all()[rule].metric;
        if (metric == "shape" || metric == "present") {
          continue;
        }
        const bool isMeant = ULP_TRY(m_rules.concerns(rule, row));
        if (isMeant) {
          ask(rule, unit, row, valueOf(rule, row));
        }
      }
    }
    for (std::size_t rule = 0; rule < m_rules.all().size(); ++rule) {
      const std::string& metric = m_rules.all()[rule].metric;
      if (metric == "shape") {
        ULP_TRY(askNames(rule, unit, outcome.shapesDiffer));
      } else if (metric == "present") {
        ULP_TRY(askNames(rule, unit, outcome.onlyBaseline));
        ULP_TRY(askNames(rule, unit, outcome.onlyCandidate));
      }
    }
    return {};
  }

  [[nodiscard]] double valueOf(std::size_t rule, const report::Comparison& row) const {
    if (!m_columns[rule]) {
      const auto baseline = static_cast<double>(row.referenceNonFinite.total());
      return std::max(0.0, static_cast<double>(row.variantNonFinite.total()) - baseline);
    }
    return row.metrics[*m_columns[rule]];
  }

  void ask(std::size_t rule, std::size_t unit, const report::Comparison& row, double value) {
    m_outcome.checked[rule] += 1;
    if (std::isnan(value)) {
      m_outcome.undefined[rule] += 1;
    } else if (!holds(m_rules.all()[rule], value)) {
      m_outcome.failures.push_back({rule, unit, row.site.name, row.site.pass, value});
    }
  }

  Result<> askNames(std::size_t rule, std::size_t unit, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const report::Comparison row = named(name);
      const bool isMeant = ULP_TRY(m_rules.concerns(rule, row));
      if (isMeant) {
        ask(rule, unit, row, 1);
      }
    }
    return {};
  }

  const VerdictRules& m_rules;
  const DumpComparison& m_comparison;
  std::vector<std::optional<std::size_t>> m_columns;  ///< of each rule; none: a property
  RuleOutcome m_outcome;
};

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

Result<VerdictRules> VerdictRules::preset(std::string_view name) {
  const auto* const found = std::ranges::find(kVerdictPresets, name, &VerdictPreset::name);
  if (found == kVerdictPresets.end()) {
    return fail(
        ErrorCode::NotFound,
        fmt::format("no rules '{}'; choose {} or a file", name, fmt::join(presetNames(), ", ")));
  }
  return parse(found->yaml, found->name);
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

bool RuleOutcome::hasErrors(const VerdictRules& rules) const {
  return std::ranges::any_of(failures, [&](const RuleFailure& failure) {
    return rules.all()[failure.rule].severity == RuleSeverity::Error;
  });
}

Result<RuleOutcome> applyRules(const VerdictRules& rules, const DumpComparison& comparison) {
  return RuleJudge(rules, comparison).judge();
}

std::string describe(const VerdictRule& rule) {
  const auto* const bound = std::ranges::find(kBounds, rule.bound, &BoundName::bound);
  std::string text = fmt::format("{} {} {}", rule.metric, bound->words, formatExact(rule.value));
  if (rule.dtype) {
    text += fmt::format(", {}", toString(*rule.dtype));
  }
  if (rule.pass) {
    text += fmt::format(", {}", toString(*rule.pass));
  }
  if (!rule.match.empty()) {
    text += fmt::format(", of {}", rule.match);
  }
  return text;
}

}  // namespace ulp::analysis
