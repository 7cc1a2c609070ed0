#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/text/regular_expression.h"
#include "core/numerics/rounding/operation_formats.h"
#include "core/study/reading/study.h"
#include "core/study/schema/precision_rules.h"

namespace ulp::study {

/// What the kernels of a run bring along.
[[nodiscard]] numerics::KernelDefaults kernelDefaults(const Settings& settings);

/// The formats of a run by module and pass: what it sets, and what its rules make of them.
class FormatRules {
 public:
  /// Errors: of a rule's expression.
  [[nodiscard]] static Result<FormatRules> compile(const numerics::FormatOverrides& set,
                                                   const numerics::KernelDefaults& kernels,
                                                   const std::vector<PrecisionRule>& rules);
  /// Of the effective settings of a run. Errors: of a rule's expression.
  [[nodiscard]] static Result<FormatRules> of(const Settings& settings);

  /// Errors: a rule takes too many steps to match.
  [[nodiscard]] Result<numerics::OperationFormats> at(std::string_view module, RulePass pass) const;

 private:
  struct Rule {
    RegularExpression match;
    RulePass pass = RulePass::Both;
    numerics::FormatOverrides formats;
  };

  numerics::FormatOverrides m_set;
  numerics::KernelDefaults m_kernels;
  std::vector<Rule> m_rules;
};

}  // namespace ulp::study
