#pragma once

#include <cstddef>
#include <string>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/comparing/verdict/judge_comparison.h"
#include "core/report/tables/data_table.h"

namespace ulp::cli {

/// Of each list of names that people read; files hold all.
inline constexpr std::size_t kNamesShown = 8;

/// Whether any tensor has a partner: what was compared says nothing otherwise.
[[nodiscard]] bool isAnyPaired(const analysis::DumpComparison& comparison);
/// What people read: what was compared with what, what matched, where the error starts and why.
/// `longest` bounds lists of names; what is left out is counted.
[[nodiscard]] std::string comparisonText(const analysis::DumpComparison& comparison,
                                         std::size_t longest);
/// What of it says where the error starts, and nothing else.
[[nodiscard]] std::string verdictText(const analysis::DumpComparison& comparison,
                                      std::size_t longest);
/// The rows that differ most, worst first, of every unit; all of them where `rows` is 0. First what
/// holds more NaN and infinities than the baseline; then by RMS rel, by its lower bound where
/// statistics are all that there is; last what has neither.
[[nodiscard]] report::DataTable largestDifferences(const analysis::DumpComparison& comparison,
                                                   std::size_t rows);
/// Rules and what they came to, for a comparison that they were applied to.
struct RulesResult {
  analysis::VerdictRules rules;
  analysis::RuleOutcome outcome;
  std::string origin;  ///< preset or file
};
[[nodiscard]] std::string rulesText(const RulesResult& result,
                                    const analysis::DumpComparison& comparison,
                                    std::size_t longest);
/// Schema ulpscope.comparison/1, documented in docs/cli.md. `rules` may be null.
[[nodiscard]] std::string comparisonJson(const analysis::DumpComparison& comparison,
                                         const RulesResult* rules);

}  // namespace ulp::cli
