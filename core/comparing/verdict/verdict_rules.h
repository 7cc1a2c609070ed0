#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/comparing/verdict/dump_comparison.h"

namespace ulp::analysis {

enum class Bound : std::uint8_t { AtMost, Below, AtLeast, Above };
enum class RuleSeverity : std::uint8_t { Warning, Error };

/// What must hold of every tensor that it is about.
struct VerdictRule {
  std::string match{};           ///< regular expression, found anywhere in the row's name or module
  std::optional<Pass> pass{};    ///< none: any
  std::optional<DType> dtype{};  ///< of the candidate; none: any
  std::string metric;            ///< id of a metric, or "shape", "present", "non_finite"
  Bound bound = Bound::AtMost;
  double value = 0;
  RuleSeverity severity = RuleSeverity::Error;
  std::string position{};  ///< `file:line:column`
};

/// Rules in their order; all that fit a tensor are asked.
class VerdictRules {
 public:
  /// A file of rules (docs/rules.md). Errors: InvalidArgument as `origin:line:column: what`, with
  /// the nearest name for unknown keys and metrics.
  [[nodiscard]] static Result<VerdictRules> parse(std::string_view yaml, std::string_view origin);
  /// The rules that ship under a name: "msprobe", "msit", "fast_llm", "sglang". Errors: NotFound,
  /// naming those that there are.
  [[nodiscard]] static Result<VerdictRules> preset(std::string_view name);
  [[nodiscard]] static std::vector<std::string> presetNames();

  [[nodiscard]] const std::vector<VerdictRule>& all() const { return m_rules; }
  /// Whether the rule is about the tensor. Errors: Unsupported where its expression takes too many
  /// steps.
  [[nodiscard]] Result<bool> concerns(std::size_t index, const report::Comparison& row) const;

 private:
  struct Patterns;

  std::vector<VerdictRule> m_rules;
  std::shared_ptr<const Patterns> m_patterns;  ///< parallel to m_rules
};

/// A tensor of which a rule does not hold.
struct RuleFailure {
  std::size_t rule = 0;
  std::size_t unit = 0;
  std::string row;
  Pass pass = Pass::Forward;
  double value = 0;
};

struct RuleOutcome {
  std::vector<RuleFailure> failures;  ///< by unit, row, rule
  std::vector<std::size_t> checked;   ///< tensors asked, of each rule
  std::vector<std::size_t>
      undefined;  ///< of these without a value, of each rule: neither held nor failed

  [[nodiscard]] bool hasErrors(const VerdictRules& rules) const;
};

/// Asks the rules of every compared tensor. "present" counts rows of one side alone, "shape" those
/// of different shapes, "non_finite" elements that are finite in the baseline and not in the
/// candidate. A rule that no tensor had a value for is not held: its `checked` less `undefined` is
/// 0. Errors: those of VerdictRules::concerns().
[[nodiscard]] Result<RuleOutcome> applyRules(const VerdictRules& rules,
                                             const DumpComparison& comparison);

/// "cosine at least 0.999".
[[nodiscard]] std::string describe(const VerdictRule& rule);

}  // namespace ulp::analysis
