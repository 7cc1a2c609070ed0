#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/analysis/rules/judged_report.h"

namespace ulp::analysis {

/// A row that was judged, for those who decide about a change.
struct CheckedRow {
  std::string run;
  Site site;
  Judgement judgement = Judgement::NotJudged;
  std::string rule;      ///< that broke or could not be decided, "cosine >= 0.999"; empty: none
  std::string reason;    ///< "cosine >= 0.999 does not hold: 0.9"; empty: all is said
  bool isKnown = false;  ///< the baseline's row fails or warns as well
  std::string before;    ///< its reason
};

/// A run of which rows may lack.
struct UnfinishedRun {
  std::string run;
  std::string reason;  ///< "did not finish: failed: out of memory"
};

/// A rule that found nothing to ask.
struct IdleRule {
  std::string rule;    ///< "rms_rel at most 0.1, of lm_head"
  bool fails = false;  ///< nobody can have meant that
};

/// What rules say of a report, and which of it is new beside an older one.
struct Check {
  std::string subject;            ///< the report, as it was named
  std::string model;              ///< of the report
  std::string rules;              ///< preset or file
  std::string baseline;           ///< the older report as it was named; empty: there is none
  std::vector<CheckedRow> rows;   ///< of all runs, in their order
  std::vector<CheckedRow> fixed;  ///< of the baseline, that failed or warned and do not any more
  std::size_t gone = 0;           ///< rows of the baseline that the report does not have
  std::vector<IdleRule> idle{};   ///< in their order
  std::vector<UnfinishedRun> unfinished{};
  /// Why the baseline is no older report of the same study: "the baseline is of another model: …".
  std::vector<std::string> doubts{};
  /// A rule that is no warning is about a tensor of which there was nothing to compare.
  bool isIncomplete = false;

  /// Rows that are judged so, known ones included.
  [[nodiscard]] std::size_t count(Judgement judgement) const;
  /// Rows that fail, and did not in the baseline.
  [[nodiscard]] std::size_t newFailures() const;
  /// Rows fail that did not, runs did not finish, or rules found nothing where they must.
  [[nodiscard]] bool hasFailed() const;
};

/// `baseline`: the older report, judged by the same rules; null: there is none. Rows belong
/// together where run, name and pass are the same. A rule fails whose expression is found in no row
/// and, where nothing could be asked at all, each that is no warning. A run that did not finish
/// fails whatever the baseline has: what nobody saw of it is not known. Names of the two reports
/// and of the rules are the caller's to fill in. Errors: those of VerdictRules::concerns().
[[nodiscard]] Result<Check> checkOf(const JudgedReport& judged, const JudgedReport* baseline);

}  // namespace ulp::analysis
