#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/text/sentence.h"
#include "core/comparing/align/dump_sides.h"
#include "core/comparing/measure/token_logits.h"
#include "core/comparing/measure/unit_comparison.h"
#include "core/comparing/origin/collective_call.h"
#include "core/comparing/origin/culprit.h"
#include "core/comparing/origin/near_zero.h"
#include "core/comparing/origin/repeatability.h"
#include "core/comparing/origin/token_origin.h"
#include "core/comparing/origin/unequal_replicas.h"
#include "core/dumps/model/dump.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// A row that was not compared with another.
struct UncomparedRow {
  std::string name;  ///< as its tool calls it
  Pass pass = Pass::Forward;
};

/// What comparing a pair of units came to, without what it was read from.
struct UnitOutcome {
  /// A tensor that is not equal.
  struct Differing {
    std::size_t comparison = 0;  ///< in run.comparisons
    double error = 0;            ///< see RowDifference
    bool isBroken = false;       ///< see RowDifference
  };

  std::string label;                 ///< "step 0, rank 1"; empty for the only unit
  report::Run run;                   ///< its comparisons, in order of execution
  std::vector<Differing> differing;  ///< in the same order
  Verdict verdict;
  GradientError gradients;
  Repeatability repeatability;
  std::vector<CollectiveOutcome> collectives;  ///< communications with other ranks
  std::vector<TokenOutcome> tokens;            ///< of its logits, where both sides have elements
  std::optional<TokenOrigin> tokenOrigin;  ///< of the first of them that fails; see traceToken()
  std::vector<UnequalReplicas> replicas;   ///< of each side whose ranks do not agree
  std::size_t pairedRows = 0;
  std::size_t equalRows = 0;
  std::size_t rowsByElements = 0;
  std::size_t rowsByStatistics = 0;
  std::size_t rowsByChecksums = 0;
  std::vector<UncomparedRow> onlyBaseline;  ///< of one side alone
  std::vector<UncomparedRow> onlyCandidate;
  UnmatchedReasons reasons;                 ///< of some of them, why; of others none is known
  std::vector<UncomparedRow> shapesDiffer;  ///< their shapes are others than their partners'
  std::vector<std::string> dtypesDiffer;    ///< information, no error
  /// Tensors with a partner without numbers in common.
  std::vector<Site> notCompared;
  /// Of these, which lack them since elements could not be read; see `problems`.
  std::vector<Site> unread;
  std::optional<NearZero> nearZero;   ///< numbers that look wrong only because they are near 0
  std::vector<std::string> problems;  ///< what could not be read
  std::vector<Sentence> notes;        ///< of both units

  /// Every row of either side has a partner that is equal, as far as elements or checksums prove
  /// it, on every rank.
  [[nodiscard]] bool isIdentical() const;
};

struct DumpComparison {
  std::string baselineName;
  std::string candidateName;
  std::string baselineFormat;  ///< for people: "msprobe 26.x, statistics, level mix"
  std::string candidateFormat;
  std::vector<UnitOutcome> units;
  std::optional<std::size_t>
      earliest;  ///< unit where the error starts; nothing: there is no culprit
  std::vector<Sentence> unpairedUnits;  ///< "baseline: step 3"
  std::vector<Error> failures;          ///< of units that could not be compared; notes as well
  std::vector<Sentence> notes;          ///< of both dumps

  /// Tensors have no numbers to compare since elements could not be read.
  [[nodiscard]] bool hasUnread() const;
  /// Every unit of either dump has a partner, could be opened and is identical.
  [[nodiscard]] bool isIdentical() const;
};

/// What a run of the report is called.
[[nodiscard]] std::string runNameOf(const std::string& label,
                                    const std::string& baselineName,
                                    const std::string& candidateName);
/// The name of a dump in a report: that of its file or folder.
[[nodiscard]] std::string dumpNameOf(const std::filesystem::path& path);

/// Compares two dumps unit by unit; memory holds one pair of units at a time. Units that cannot be
/// opened are a note, and the rest is compared. Errors: InvalidArgument (nothing corresponds),
/// Cancelled, OutOfMemory, and those of opening where no unit could be opened.
[[nodiscard]] Result<DumpComparison> compareDumps(const dumps::Dump& baseline,
                                                  const dumps::Dump& candidate,
                                                  DumpCompareOptions options,
                                                  const CulpritLimits& limits = {},
                                                  const std::stop_token& stop = {},
                                                  const dumps::Progress& progress = {});

/// The comparison as a report that every view and exporter shows: one run for each unit, the
/// metrics that any row has, and the culprits as findings. `origin`: where its tensors are found.
[[nodiscard]] report::Report toReport(DumpComparison comparison,
                                      std::optional<report::DumpOrigin> origin = {});

/// Finds the ranks that culprits came from (rank_origin.cpp). A culprit at a communication whose
/// own inputs agree came from another rank: it becomes CulpritKind::Received, and its `remote` the
/// rank (of the same step and token) whose input of the same communication differs, with the call
/// where that rank's error starts; through several communications, where need be. Where every
/// rank's inputs agree, the communication itself made the error, and the culprit says so. Those of
/// a token (TokenOrigin) are followed likewise: to ranks of which the same position is known at
/// that position, to others as they are.
void followRanks(std::vector<UnitOutcome>& units);

/// Of the units with a culprit the earliest step and token; among their ranks the one whose culprit
/// did not come from another rank, and then the one that stands first in the order of execution.
/// Nothing: there is no culprit.
[[nodiscard]] std::optional<std::size_t> earliestCulprit(const std::vector<UnitOutcome>& units);

}  // namespace ulp::analysis
