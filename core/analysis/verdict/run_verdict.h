#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/contents/export_selection.h"
#include "core/report/model/finding.h"
#include "core/report/model/report.h"
#include "core/report/tables/text_table.h"

/// The answer in one line for each run: where its error is born, where it grows, where it is worst,
/// and what lowers it. Made of what divergence, depth, summary, levers and findings know; defined
/// in docs/findings.md.
namespace ulp::analysis {

/// One part of the answer, in words, with the place to look.
struct VerdictPart {
  /// Without a pattern: nothing is known. A sentence without a site says that nothing stands out.
  report::Sentence text{};
  std::optional<Site> site{};
  std::string proof{};  ///< rule whose findings are shown in the same view; empty: as an error is
  std::string otherRun{};  ///< run to look at beside the one that is judged; empty: none
  std::vector<report::FindingNumber> numbers{};  ///< that the words round
  bool isWithinNoise = false;

  [[nodiscard]] bool isKnown() const { return !text.pattern.empty(); }
};

struct RunVerdict {
  std::string run;
  /// Of the gravest finding about the run; none: no rule found anything.
  std::optional<report::FindingSeverity> severity{};
  /// Study: the first tensor whose error exceeds what it is computed from. Dumps: the culprit.
  VerdictPart born{};
  VerdictPart sureness{};       ///< of a culprit of dumps
  VerdictPart grows{};          ///< the largest rise along the layers of the forward pass
  VerdictPart worst{};          ///< the worst number of layers' outputs and gradients
  VerdictPart helps{};          ///< the one setting that lowers the final error most
  VerdictPart sameElsewhere{};  ///< whether another open report has the same numbers of the run
};

/// When parts speak up, and of what; by default as the rules of findings do.
struct VerdictLimits {
  double excess = 2;           ///< DivergenceLimits::excess
  double growth = 2;           ///< smallest rise that is told
  double floor = 2;            ///< unit round-offs that an error must reach to have grown
  std::vector<Pass> passes{};  ///< of which the worst number is told; empty: of all
};

/// Judges every variant that has comparisons, runs of a noise floor left out, and every one that
/// failed: those first, then the gravest, then by the worst number; of dumps those with a culprit
/// in the order of `findings`, then the others. `findings`: of the same report, as allFindings()
/// gives them. `metric`: of which the worst number is told. Where the report's configuration cannot
/// be read nothing is known to help. Incomplete when it was stopped.
[[nodiscard]] std::vector<RunVerdict> findVerdicts(const report::Report& report,
                                                   std::span<const report::Finding> findings,
                                                   std::string_view metric,
                                                   const VerdictLimits& limits = {},
                                                   const std::stop_token& stop = {});

/// Writes the verdicts of a report as a table in English, with `findings` as findVerdicts() has
/// them; of the runs that `options` chooses, the worst number by its first metric and in its
/// passes. Without rows where there is none.
[[nodiscard]] report::TextTable verdictTable(const report::Report& report,
                                             std::span<const report::Finding> findings,
                                             const report::ExportOptions& options = {});

}  // namespace ulp::analysis
