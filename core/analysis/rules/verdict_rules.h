#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/rules/closeness.h"
#include "core/base/result.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

enum class Bound : std::uint8_t { AtMost, Below, AtLeast, Above };
enum class RuleSeverity : std::uint8_t { Warning, Error };

/// What must hold of every tensor that it is about.
struct VerdictRule {
  std::string match{};           ///< regular expression, found anywhere in the row's name or module
  std::optional<Pass> pass{};    ///< none: any
  std::optional<DType> dtype{};  ///< of the candidate; none: any
  std::string metric;  ///< id of a metric, or "shape", "present", "non_finite", "allclose"
  Bound bound = Bound::AtMost;
  double value = 0;
  RuleSeverity severity = RuleSeverity::Error;
  Tolerances tolerances{};  ///< of "allclose", which has no bound and value
  std::string position{};   ///< `file:line:column`
  /// Asked only of tensors that no other rule of its metric is about, and no reason to pass.
  bool isImplied = false;

  [[nodiscard]] bool isAllclose() const { return metric == "allclose"; }
  /// Of rows that were not compared, so that no report holds them: "shape", "present".
  [[nodiscard]] bool isOfUncompared() const { return metric == "shape" || metric == "present"; }
  /// Whether it holds for a number of its metric that is not NaN.
  [[nodiscard]] bool holdsFor(double number) const;
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
  /// The file that the rules of a preset would be. Errors: those of preset().
  [[nodiscard]] static Result<std::string> presetText(std::string_view name);

  [[nodiscard]] const std::vector<VerdictRule>& all() const { return m_rules; }
  /// The same rules, and one more: where none of them says how many elements may stop being finite,
  /// none may.
  [[nodiscard]] VerdictRules withFiniteImplied() const;
  /// Whether the rule is about the tensor. Errors: Unsupported where its expression takes too many
  /// steps.
  [[nodiscard]] Result<bool> concerns(std::size_t index, const report::Comparison& row) const;

 private:
  struct Patterns;

  std::vector<VerdictRule> m_rules;
  std::shared_ptr<const Patterns> m_patterns;  ///< parallel to m_rules
};

/// A file of rules with one that asks "allclose" of every tensor: in the place of a line that does,
/// else behind the last line; a file of its own where `yaml` is empty.
[[nodiscard]] std::string withAllclose(std::string_view yaml, const Tolerances& tolerances);

/// "cosine at least 0.999".
[[nodiscard]] std::string describe(const VerdictRule& rule);
/// The same without words: "cosine >= 0.999".
[[nodiscard]] std::string signText(const VerdictRule& rule);

}  // namespace ulp::analysis
