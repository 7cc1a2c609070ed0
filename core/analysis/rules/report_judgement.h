#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/rules/row_judge.h"
#include "core/analysis/rules/verdict_rules.h"
#include "core/report/model/finding.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// What rules say of a run.
struct RunJudgement {
  std::vector<RowVerdict> rows;         ///< parallel to Run::comparisons; empty: it is not judged
  std::array<std::size_t, 4> counts{};  ///< of rows, by Judgement
  std::optional<std::size_t> first;     ///< the first row that fails, else the first with a warning
  /// It failed, was cancelled or skipped, or did not run yet: rules say nothing of rows that it
  /// would have.
  bool isUnfinished = false;

  [[nodiscard]] std::size_t count(Judgement judgement) const {
    return counts.at(static_cast<std::size_t>(judgement));
  }
  /// Failed where the run is unfinished; else Failed, Warned or NotJudged where any row is, in this
  /// order; else Passed.
  [[nodiscard]] Judgement overall() const;
};

/// How many rows a rule was about, of all runs.
struct RuleTally {
  std::size_t asked = 0;
  std::size_t unasked = 0;  ///< that do not have what it asks for
  std::size_t broken = 0;   ///< of `asked`
};

struct ReportJudgement {
  std::vector<RunJudgement> runs;  ///< parallel to Report::runs
  std::vector<RuleTally> rules;    ///< parallel to VerdictRules::all()
  std::optional<Error> unread;     ///< why the first row that could not be read was not

  /// A row fails, or a run did not finish.
  [[nodiscard]] bool hasFailed() const;
  /// Any rows are left of which an "allclose" that is no warning could not be decided.
  [[nodiscard]] bool isUndecided(const VerdictRules& asked) const;
};

/// Reads the elements of a row of a run; null: they are not at hand, as nobody kept them.
using PairReader =
    std::function<Result<TensorPairPtr>(const report::Run&, const report::Comparison&)>;

/// Asks the rules of every compared row of a report but those of the noise floor. Errors: those of
/// VerdictRules::concerns(); Cancelled.
[[nodiscard]] Result<ReportJudgement> judgeReport(const report::Report& report,
                                                  const VerdictRules& rules,
                                                  const std::stop_token& stop = {});
/// Decides by their elements what judgeReport() could not. Takes as long as reading them. Rows that
/// `read` cannot read stay undecided, and the first of its errors is ReportJudgement::unread.
/// Errors: those of judgeReport().
[[nodiscard]] Result<> decideByElements(const report::Report& report,
                                        const VerdictRules& rules,
                                        ReportJudgement& judgement,
                                        const PairReader& read,
                                        const std::stop_token& stop = {});

/// Why a row is judged so, in words: "cosine at least 0.999: is 0.9". Empty: all is said.
[[nodiscard]] report::Sentence reasonOf(const RowVerdict& verdict, const VerdictRules& rules);

}  // namespace ulp::analysis
