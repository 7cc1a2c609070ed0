#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/rules/verdict_rules.h"
#include "core/analysis/tensors/tensor_pair.h"
#include "core/comparing/verdict/dump_comparison.h"

namespace ulp::analysis {

/// A tensor of which a rule does not hold.
struct RuleFailure {
  std::size_t rule = 0;
  std::size_t unit = 0;
  std::string row;
  Pass pass = Pass::Forward;
  double value = 0;
};

/// A tensor of which nothing said whether it is as the rules about it ask.
struct UnjudgedRow {
  std::size_t unit = 0;
  std::string row;
  Pass pass = Pass::Forward;
};

struct RuleOutcome {
  std::vector<RuleFailure> failures;  ///< by unit, row, rule
  std::vector<std::size_t> checked;   ///< tensors asked, of each rule
  std::vector<std::size_t>
      undefined;  ///< of these without a value, of each rule: neither held nor failed
  /// Tensors whose elements were not compared, and of which no rule that is about them had a value;
  /// "non_finite" aside. Those that are proved to be equal are none.
  std::vector<UnjudgedRow> unjudged;
  std::optional<Error> unread;  ///< why the first row that could not be read was not

  [[nodiscard]] bool hasErrors(const VerdictRules& rules) const;
  /// Whether an "allclose" that is no warning could not be decided of a tensor.
  [[nodiscard]] bool isUndecided(const VerdictRules& rules) const;
};

/// Reads the elements of a row of a unit; null: they are not at hand.
using UnitPairReader =
    std::function<Result<TensorPairPtr>(std::size_t unit, const report::Comparison&)>;

/// Asks the rules of every compared tensor. "present" counts rows of one side alone, "shape" those
/// of different shapes, "non_finite" elements that are finite in the baseline and not in the
/// candidate. A rule that no tensor had a value for is not held: its `checked` less `undefined` is
/// 0. `read` is called for rows of which "allclose" needs elements; where it has none, or an error,
/// these are undefined. Errors: those of VerdictRules::concerns().
[[nodiscard]] Result<RuleOutcome> applyRules(const VerdictRules& rules,
                                             const DumpComparison& comparison,
                                             const UnitPairReader& read = {});

}  // namespace ulp::analysis
