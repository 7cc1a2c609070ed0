#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/rules/verdict_rules.h"
#include "core/analysis/tensors/tensor_pair.h"
#include "core/base/undefined.h"

namespace ulp::analysis {

/// What a rule says of a row that it is about.
struct RuleAnswer {
  enum class Kind : std::uint8_t { Holds, Broken, Unknown };
  std::size_t rule = 0;
  Kind kind = Kind::Unknown;
  double value = kUndefined;  ///< what was compared with the bound; NaN: a NaN, or nothing
};

enum class Judgement : std::uint8_t { Passed, Warned, Failed, NotJudged };

/// What all rules say of a row.
struct RowVerdict {
  static constexpr std::int32_t kNoRule = -1;

  /// Failed or Warned by a broken rule. NotJudged: no rule could be asked of it, or "allclose"
  /// could not be decided. Else Passed.
  Judgement judgement = Judgement::NotJudged;
  std::uint16_t asked = 0;      ///< rules that had something to ask
  std::uint16_t unasked = 0;    ///< rules that are about the row, and ask for what it does not have
  std::uint16_t broken = 0;     ///< of `asked`
  std::int32_t rule = kNoRule;  ///< the first that broke, or could not be decided
  double value = kUndefined;    ///< of that rule's answer
};

/// Asks rules of rows, by the metrics that these have. Used by one thread at a time; the rules
/// outlive it.
class RowJudge {
 public:
  /// `metrics`: ids of Comparison::metrics, in their order.
  RowJudge(const VerdictRules& rules, std::span<const report::MetricColumn> metrics);

  /// Answers of the rules that are about a compared row, in their order; `pair`: its elements, null
  /// where they are not at hand. Errors: those of VerdictRules::concerns(), Cancelled.
  [[nodiscard]] Result<std::vector<RuleAnswer>> ask(const report::Comparison& row,
                                                    const TensorPair* pair = nullptr,
                                                    const std::stop_token& stop = {}) const;
  [[nodiscard]] RowVerdict verdictOf(std::span<const RuleAnswer> answers) const;

 private:
  [[nodiscard]] RuleAnswer answerOf(std::size_t rule,
                                    const report::Comparison& row,
                                    const TensorPair* pair,
                                    const std::stop_token& stop) const;
  [[nodiscard]] RuleAnswer closenessAnswer(std::size_t rule,
                                           const report::Comparison& row,
                                           const TensorPair* pair,
                                           const std::stop_token& stop) const;

  const VerdictRules& m_rules;
  std::vector<std::optional<std::size_t>> m_columns;  ///< of each rule; none: the rows have none
  std::optional<std::size_t> m_maxDiff;
};

}  // namespace ulp::analysis
