#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/analysis/mapping/site_mapping.h"
#include "core/base/text/sentence.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// The same call in two dumps.
struct EntryPair {
  std::size_t baseline = 0;  ///< in DumpUnit::entries
  std::size_t candidate = 0;
};

/// The same tensor in two dumps.
struct RowPair {
  std::size_t baseline = 0;  ///< in DumpUnit::rows
  std::size_t candidate = 0;
  std::size_t entry = 0;  ///< in UnitMatching::entries
};

/// How the contents of two units correspond. Nothing is dropped: every entry and row of either side
/// is in a pair or listed once.
struct UnitMatching {
  std::vector<EntryPair> entries;  ///< in the baseline's order of execution
  std::vector<RowPair> rows;       ///< of these entries, in the baseline's order
  std::vector<std::size_t> onlyBaselineEntries;
  std::vector<std::size_t> onlyCandidateEntries;
  /// Rows of paired entries that the other side lacks.
  std::vector<std::size_t> onlyBaselineRows;
  std::vector<std::size_t> onlyCandidateRows;
  /// Why an entry has no partner, by its number, where that is known.
  std::map<std::size_t, std::string> baselineReasons;
  std::map<std::size_t, std::string> candidateReasons;
  /// By what rules entries were paired, where it was not by what they are called.
  std::vector<Sentence> notes;
};

/// Pairs calls that stand in the same place: modules by path, class aside, and call; calls of an
/// API by the module call that encloses them, pass, operation and how many of the same came before
/// it there, so that one call more or less shifts nothing outside its module; tensors by name, and
/// where either side is one tensor alone without it; where one side has tensors alone, rows by the
/// names that an export of the other side gives them; tensors of a PyTorch model that msit dumped
/// and those of an ATB one by the rules of msit (pairByStructure()). What is left is paired by what
/// it is in the words of DESIGN section 1 (siteOf()), which different tools share. Where a side
/// runs calls again (activation checkpointing), calls are counted rather than taken by the tool's
/// numbers, those that run again apart. `mapping` rewrites the candidate's module paths and names
/// first; rows that it names (`data`) are paired before all others; `fuzzy` pairs calls in order,
/// whatever their number. Rows are paired by role and index.
/// Errors: those of SiteMapping::map(); Cancelled, by a stop of the caller's work.
[[nodiscard]] Result<UnitMatching> matchUnits(const dumps::DumpUnit& baseline,
                                              const dumps::DumpUnit& candidate,
                                              const SiteMapping& mapping = {});

}  // namespace ulp::analysis
