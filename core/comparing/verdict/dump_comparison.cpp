#include "core/comparing/verdict/dump_comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/base/list_of.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/culprit_words.h"
#include "core/comparing/origin/missing_rows.h"
#include "core/comparing/verdict/dump_findings.h"
#include "core/numerics/metrics/metric.h"
#include "core/report/model/finding.h"

namespace ulp::analysis {
namespace {

using dumps::Dump;
using dumps::UnitAxes;

report::Run runWithoutLoss(report::RunStatus status, std::string name = {}) {
  return {.name = std::move(name),
          .status = status,
          .loss = std::numeric_limits<double>::quiet_NaN(),
          .hasLoss = false};
}

/// Adds the rows that one side alone has to `alone`, and why their entries have no partner to
/// `reasons`.
void addUnmatched(const dumps::DumpUnit& unit,
                  const std::vector<std::size_t>& entries,
                  const std::vector<std::size_t>& rows,
                  const std::map<std::size_t, std::string>& reasonsOfEntries,
                  std::vector<UncomparedRow>& alone,
                  std::map<std::string, std::string>& reasons) {
  const auto add = [&](std::size_t entry, std::size_t row) {
    alone.push_back({unit.rows[row].name, siteOf(unit, entry, row).pass});
  };
  for (const std::size_t index : entries) {
    const auto reason = reasonsOfEntries.find(index);
    for (const std::size_t row : unit.entries[index].rows()) {
      add(index, row);
      if (reason != reasonsOfEntries.end()) {
        reasons.emplace(alone.back().name, reason->second);
      }
    }
  }
  for (const std::size_t row : rows) {
    const auto behind =
        std::ranges::upper_bound(unit.entries, row, {}, &dumps::DumpEntry::firstRow);
    add(static_cast<std::size_t>(behind - unit.entries.begin()) - 1, row);
  }
}

/// What a call fills is none of the rows: whatever was in memory says nothing of either run.
void countRows(const PairedCalls& pairs, UnitOutcome& outcome) {
  const UnitComparison& comparison = pairs.units();
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    if (pairs.isLeft(i)) {
      continue;
    }
    const RowDifference& row = comparison.rows[i];
    const dumps::DumpRow& baseline = pairs.row(i);
    outcome.pairedRows += 1;
    outcome.equalRows += row.isEqual ? 1 : 0;
    outcome.rowsByElements += row.basis == Basis::Elements ? 1 : 0;
    outcome.rowsByStatistics += row.basis == Basis::Statistics ? 1 : 0;
    outcome.rowsByChecksums += row.basis == Basis::Checksums ? 1 : 0;
    if (row.isShapeDifferent) {
      outcome.shapesDiffer.push_back({baseline.name, siteOfPair(comparison, i).pass});
    }
    if (row.isDTypeDifferent) {
      outcome.dtypesDiffer.push_back(baseline.name);
    }
    if (row.basis == Basis::Nothing && !row.isEqual && !row.isShapeDifferent &&
        dumps::elementCount(baseline.shape) > 0) {
      outcome.notCompared.push_back(siteOfPair(comparison, i));
      if (std::ranges::binary_search(comparison.unreadRows, i)) {
        outcome.unread.push_back(outcome.notCompared.back());
      }
    }
  }
}

Sentence movedText(const UnitOutcome& before) {
  if (before.gradients.isBroken) {
    return {ULP_TR_NOOP("parameters have moved since %1, where gradients hold NaN or infinity"),
            {before.label}};
  }
  return {ULP_TR_NOOP("parameters have moved since %1, where gradients differ by %2"),
          {before.label, amountOf(before.gradients.error)}};
}

/// The steps before on the same rank.
struct StepsBefore {
  GradientError gradients;
  const UnitOutcome* farthest = nullptr;  ///< whose gradients are farthest off
};

StepsBefore stepsBefore(const std::vector<UnitOutcome>& units, const UnitAxes& axes) {
  StepsBefore before;
  for (const UnitOutcome& unit : units) {
    const UnitAxes& its = unit.run.axes ? *unit.run.axes : UnitAxes();
    const auto keyOf = [](const UnitOutcome& of) {
      return std::pair(of.gradients.isBroken, of.gradients.error);
    };
    if (its.step < axes.step && its.rank == axes.rank && its.run == axes.run && its.step) {
      before.gradients.add(unit.gradients);
      before.farthest = before.farthest == nullptr || keyOf(*before.farthest) < keyOf(unit)
                            ? &unit
                            : before.farthest;
    }
  }
  return before;
}

/// Ranks that no longer have a gradient alike train models of their own from here on. Where both
/// sides do, they do not differ in it.
void addUnequal(const UnitComparison& comparison, UnitOutcome& outcome) {
  const auto found = std::ranges::find_if(outcome.replicas, &UnequalReplicas::isOfSummed);
  if (found == outcome.replicas.end() ||
      std::ranges::count_if(outcome.replicas, &UnequalReplicas::isOfSummed) > 1) {
    return;
  }
  const dumps::DumpUnit& unit = found->isBaseline ? *comparison.baseline : *comparison.candidate;
  const auto pair =
      std::ranges::find(comparison.matching.entries,
                        found->entry,
                        found->isBaseline ? &EntryPair::baseline : &EntryPair::candidate);
  const dumps::DumpEntry& entry = unit.entries[found->entry];
  outcome.verdict.culprits.push_back(
      {.kind = CulpritKind::Unequal,
       .sureness = Sureness::High,
       .entry = pair == comparison.matching.entries.end() ? 0 : pair->baseline,
       .name = entry.name,
       .row = dumps::kNone,
       .site = found->site,
       .rowName = found->row,
       .error = std::numeric_limits<double>::quiet_NaN(),
       .reason = {found->isBaseline
                      ? ULP_TR_NOOP("%1 is not equal on all ranks of the baseline: %2")
                      : ULP_TR_NOOP("%1 is not equal on all ranks of the candidate: %2"),
                  {nameInCall(entry.name, found->row), found->difference}},
       .sureBecause = {ULP_TR_NOOP("the ranks have other gradients alike, as a sum over them makes "
                                   "them"),
                       {}}});
}

/// What the judges find in `pairs`, which is of `comparison`; its comparisons are taken.
UnitOutcome summarise(UnitComparison& comparison,
                      const PairedCalls& pairs,
                      const std::vector<MissingRow>& missing,
                      UnmatchedReasons reasons,
                      const CulpritLimits& limits,
                      const StepsBefore& before) {
  UnitOutcome outcome{.verdict = findCulprits(pairs, limits, before.gradients, missing),
                      .gradients = gradientErrorOf(pairs, missing),
                      .repeatability = judgeRepeatability(pairs, before.gradients),
                      .collectives = collectivesOf(pairs, limits),
                      .reasons = std::move(reasons)};
  countRows(pairs, outcome);
  outcome.nearZero = findNearZero(pairs, limits);
  const UnitMatching& matching = comparison.matching;
  addUnmatched(*comparison.baseline,
               matching.onlyBaselineEntries,
               matching.onlyBaselineRows,
               matching.baselineReasons,
               outcome.onlyBaseline,
               outcome.reasons.baseline);
  addUnmatched(*comparison.candidate,
               matching.onlyCandidateEntries,
               matching.onlyCandidateRows,
               matching.candidateReasons,
               outcome.onlyCandidate,
               outcome.reasons.candidate);
  for (const bool isBaseline : {true, false}) {
    if (auto unequal = unequalReplicas(isBaseline ? *comparison.baseline : *comparison.candidate,
                                       isBaseline)) {
      outcome.replicas.push_back(std::move(*unequal));
    }
  }
  addUnequal(comparison, outcome);
  outcome.problems = std::move(comparison.problems);
  outcome.notes = comparison.baseline->notes;
  outcome.notes.insert(
      outcome.notes.end(), comparison.candidate->notes.begin(), comparison.candidate->notes.end());
  outcome.notes.insert(outcome.notes.end(), matching.notes.begin(), matching.notes.end());
  if (outcome.verdict.hasMoved) {
    outcome.notes.push_back(movedText(*before.farthest));
  }
  outcome.run = runWithoutLoss(report::RunStatus::Finished);
  for (const MissingRow& row : missing) {
    if (row.isOfBaseline && row.pass == Pass::ParameterGradient) {
      outcome.run.missingGradients.push_back(siteOf(*comparison.baseline, row.entry, row.row).name);
    }
  }
  for (std::size_t i = 0; i < comparison.comparedRows.size(); ++i) {
    const std::size_t number = comparison.comparedRows[i];
    const RowDifference& row = comparison.rows[number];
    if (pairs.isLeft(number)) {
      continue;
    }
    if (!row.isEqual) {
      outcome.differing.push_back({outcome.run.comparisons.size(), row.error, row.isBroken()});
    }
    outcome.run.comparisons.push_back(std::move(comparison.comparisons[i]));
  }
  return outcome;
}

/// Says which units of the dumps an outcome is of.
void place(UnitOutcome& outcome, const UnitAxes& baseline, const UnitAxes& candidate) {
  outcome.label = labelOf(baseline, candidate);
  if (UnitAxes axes = placeOf(baseline, candidate); !axes.isEmpty()) {
    outcome.run.axes = std::move(axes);
  }
}

struct PairOfDumps {
  const Dump& baseline;
  const Dump& candidate;
  const std::vector<UnitOutcome>& done;  ///< units that were compared before

  /// Tools hook into different gradients.
  [[nodiscard]] bool areOfOneTool() const { return baseline.importer == candidate.importer; }
};

/// Without those of which it is known why they have no partner.
std::vector<MissingRow> unexplained(std::vector<MissingRow> missing,
                                    const UnitComparison& compared,
                                    const UnmatchedReasons& reasons) {
  std::erase_if(missing, [&](const MissingRow& of) {
    const UnitMatching& matching = compared.matching;
    const auto& entries = of.isOfBaseline ? matching.baselineReasons : matching.candidateReasons;
    const auto& rows = of.isOfBaseline ? reasons.baseline : reasons.candidate;
    const auto& unit = of.isOfBaseline ? *compared.baseline : *compared.candidate;
    return entries.contains(of.entry) || rows.contains(unit.rows[of.row].name);
  });
  return missing;
}

/// Opens and compares one pair of units.
Result<UnitOutcome> compareOne(const PairOfDumps& dumps,
                               UnitPair pair,
                               const DumpCompareOptions& options,
                               const CulpritLimits& limits,
                               const std::stop_token& stop,
                               const dumps::Progress& progress) {
  auto sides = ULP_TRY(openUnitPair(
      dumps.baseline, dumps.candidate, pair, options.mapping, options.readsElements, stop));
  const UnitAxes left = sides.baseline->axes;
  const UnitAxes right = sides.candidate->axes;
  auto compared = ULP_TRY(
      compareUnits(std::move(sides.baseline), std::move(sides.candidate), options, stop, progress));
  const PairedCalls pairs(compared);
  const StepsBefore before = stepsBefore(dumps.done, placeOf(left, right));
  auto tokens =
      options.readsElements ? judgeTokens(compared, {}, options.threads, stop) : TokenOutcomes();
  auto origin =
      tokens ? traceToken(pairs, tokens->tokens, limits, before.gradients, options.threads, stop)
             : tl::unexpected<Error>(tokens.error());
  if (!origin) {
    // Stopped when all rows were done.
    if (options.rowsSoFar) {
      options.rowsSoFar(std::move(compared.comparisons));
    }
    return tl::unexpected<Error>(std::move(origin.error()));
  }
  const auto missing = dumps.areOfOneTool()
                           ? unexplained(missingRows(pairs), compared, sides.reasons)
                           : std::vector<MissingRow>();
  UnitOutcome outcome =
      summarise(compared, pairs, missing, std::move(sides.reasons), limits, before);
  outcome.tokens = std::move(tokens->tokens);
  outcome.tokenOrigin = std::move(*origin);
  outcome.problems.insert(outcome.problems.end(), tokens->problems.begin(), tokens->problems.end());
  place(outcome, left, right);
  return outcome;
}

/// The comparison before any unit: names, notes, and what has no partner.
DumpComparison begun(const Dump& baseline, const Dump& candidate, const UnitPairing& pairing) {
  DumpComparison result{.baselineName = dumpNameOf(baseline.path),
                        .candidateName = dumpNameOf(candidate.path),
                        .baselineFormat = baseline.format,
                        .candidateFormat = candidate.format,
                        .notes = baseline.notes};
  result.notes.insert(result.notes.end(), candidate.notes.begin(), candidate.notes.end());
  for (const std::size_t unit : pairing.onlyBaseline) {
    result.unpairedUnits.push_back(
        {ULP_TR_NOOP("baseline: %1"), {describe(baseline.units[unit].axes)}});
  }
  for (const std::size_t unit : pairing.onlyCandidate) {
    result.unpairedUnits.push_back(
        {ULP_TR_NOOP("candidate: %1"), {describe(candidate.units[unit].axes)}});
  }
  return result;
}

/// Hands out the comparison so far while a pair of units is compared, if anybody asks for it.
class UnitNews {
 public:
  UnitNews(DumpComparison& result,
           DumpCompareOptions& options,
           const Dump& baseline,
           const Dump& candidate,
           UnitPair pair,
           const std::stop_token& stop)
      : m_result(result), m_options(options), m_stop(stop) {
    if (options.soFar) {
      options.rowsSoFar = [this,
                           &left = baseline.units[pair.baseline].axes,
                           &right = candidate.units[pair.candidate].axes](auto rows) {
        handOut(left, right, std::move(rows));
      };
    }
  }
  ~UnitNews() { m_options.rowsSoFar = nullptr; }
  UnitNews(const UnitNews&) = delete;
  UnitNews& operator=(const UnitNews&) = delete;

  void unitDone() const {
    if (m_options.soFar) {
      m_options.soFar(m_result);
    }
  }
  /// What is finished, with the rows that are of the unit that is not.
  void unitStopped() {
    if (m_running) {
      m_result.units.push_back(*std::exchange(m_running, std::nullopt));
    }
    if (m_options.stopped && !m_result.units.empty()) {
      m_options.stopped(m_result);
    }
  }

 private:
  void handOut(const UnitAxes& baseline,
               const UnitAxes& candidate,
               std::vector<report::Comparison> rows) {
    UnitOutcome running;
    running.pairedRows = rows.size();
    running.run = runWithoutLoss(report::RunStatus::Running);
    running.run.comparisons = std::move(rows);
    place(running, baseline, candidate);
    m_result.units.push_back(std::move(running));
    if (!m_stop.stop_requested()) {
      m_options.soFar(m_result);
    }
    m_running = std::move(m_result.units.back());
    m_result.units.pop_back();
  }

  DumpComparison& m_result;
  DumpCompareOptions& m_options;
  const std::stop_token& m_stop;
  std::optional<UnitOutcome> m_running;  ///< the unit at hand, as far as it was handed out
};

/// Columns in which any row of any unit has a number.
std::vector<std::size_t> columnsOf(const DumpComparison& comparison, std::size_t columns) {
  std::vector<std::size_t> used;
  for (std::size_t column = 0; column < columns; ++column) {
    const bool isUsed = std::ranges::any_of(comparison.units, [&](const UnitOutcome& unit) {
      return std::ranges::any_of(unit.run.comparisons, [&](const report::Comparison& row) {
        return !std::isnan(row.metrics[column]);
      });
    });
    if (isUsed) {
      used.push_back(column);
    }
  }
  return used;
}

int layersOf(const report::Report& report) {
  int layers = 0;
  for (const report::Run& run : report.runs) {
    for (const report::Comparison& row : run.comparisons) {
      layers = std::max(layers, row.site.layer + 1);
    }
  }
  return layers;
}

}  // namespace

bool UnitOutcome::isIdentical() const {
  const bool isHeldAlike = std::ranges::all_of(
      replicas, [](const UnequalReplicas& unequal) { return unequal.isExpected(); });
  return pairedRows > 0 && equalRows == pairedRows && onlyBaseline.empty() &&
         onlyCandidate.empty() && problems.empty() && isHeldAlike && rowsByStatistics == 0;
}

bool DumpComparison::hasUnread() const {
  return std::ranges::any_of(units, [](const UnitOutcome& unit) { return !unit.unread.empty(); });
}

bool DumpComparison::isIdentical() const {
  return !units.empty() && unpairedUnits.empty() && failures.empty() &&
         std::ranges::all_of(units, [](const UnitOutcome& unit) { return unit.isIdentical(); });
}

std::string dumpNameOf(const std::filesystem::path& path) {
  const std::filesystem::path clean = path.has_filename() ? path : path.parent_path();
  return clean.filename().string();
}

std::string runNameOf(const std::string& label,
                      const std::string& baselineName,
                      const std::string& candidateName) {
  const std::string& name = label.empty() ? candidateName : label;
  return name == baselineName ? name + " (candidate)" : name;
}

Result<DumpComparison> compareDumps(const Dump& baseline,
                                    const Dump& candidate,
                                    DumpCompareOptions options,
                                    const CulpritLimits& limits,
                                    const std::stop_token& stop,
                                    const dumps::Progress& progress) {
  const UnitPairing pairing = pairUnits(baseline, candidate);
  DumpComparison result = begun(baseline, candidate, pairing);
  options.checksums = {baseline.checksumKind, candidate.checksumKind};
  for (std::size_t i = 0; i < pairing.pairs.size(); ++i) {
    const auto unitProgress = [&](std::uint64_t done, std::uint64_t total) {
      constexpr std::uint64_t kScale = 10000;
      if (progress && total > 0) {
        progress(i * kScale + done * kScale / total, pairing.pairs.size() * kScale);
      }
    };
    const UnitPair pair = pairing.pairs[i];
    UnitNews news(result, options, baseline, candidate, pair, stop);
    auto outcome =
        compareOne({baseline, candidate, result.units}, pair, options, limits, stop, unitProgress);
    if (outcome) {
      result.units.push_back(std::move(*outcome));
      news.unitDone();
    } else if (outcome.error().endsWork()) {
      news.unitStopped();
      return tl::unexpected<Error>(std::move(outcome.error()));
    } else {
      result.notes.push_back(outcome.error().message());
      result.failures.push_back(std::move(outcome.error()));
    }
  }
  if (result.units.empty()) {
    return !result.failures.empty()
               ? Result<DumpComparison>(tl::unexpected<Error>(std::move(result.failures.front())))
               : fail(ErrorCode::InvalidArgument,
                      fmt::format("{} and {} have no step, rank or token in common",
                                  baseline.path.string(),
                                  candidate.path.string()));
  }
  followRanks(result.units);
  result.earliest = earliestCulprit(result.units);
  return result;
}

report::Report toReport(DumpComparison comparison, std::optional<report::DumpOrigin> origin) {
  report::Report report;
  report.dumps = std::move(origin);
  const numerics::MetricRegistry metrics = numerics::builtinMetrics();
  const std::vector<std::size_t> columns = columnsOf(comparison, metrics.all().size());
  report.metrics = listOf(
      columns, [&](std::size_t column) { return report::MetricColumn{metrics.all()[column].id}; });
  report.model.name =
      fmt::format("{} against {}", comparison.candidateName, comparison.baselineName);
  report.provenance.input = fmt::format("{} ({}); {} ({})",
                                        comparison.baselineName,
                                        comparison.baselineFormat,
                                        comparison.candidateName,
                                        comparison.candidateFormat);
  report.reference = comparison.baselineName;
  report.runs.push_back(runWithoutLoss(report::RunStatus::Finished, report.reference));
  std::vector<report::Finding> findings;
  for (std::size_t index = 0; index < comparison.units.size(); ++index) {
    UnitOutcome& unit = comparison.units[index];
    std::string name = runNameOf(unit.label, comparison.baselineName, comparison.candidateName);
    const std::vector<report::Finding> found = findingsOf(unit, name);
    // What to look at first comes first.
    findings.insert(comparison.earliest == index ? findings.begin() : findings.end(),
                    found.begin(),
                    found.end());
    report::Run run = std::move(unit.run);
    run.name = std::move(name);
    for (report::Comparison& row : run.comparisons) {
      row.metrics = listOf(columns, [&](std::size_t column) { return row.metrics[column]; });
    }
    report.runs.push_back(std::move(run));
  }
  report.model.layers = layersOf(report);
  setFindings(report, findings);
  return report;
}

}  // namespace ulp::analysis
