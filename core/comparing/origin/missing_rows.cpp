#include "core/comparing/origin/missing_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/analysis/findings/finding_rule.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/culprit_words.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::Role;

bool isGradient(const DumpRow& row) {
  return dumps::isTensor(row) && row.value.empty() &&
         (row.role == Role::OutputGradient || row.role == Role::InputGradient ||
          row.role == Role::ParameterGradient);
}

/// One side of a comparison, and which of its entries and rows the other one has.
struct Side {
  const DumpUnit& unit;
  std::vector<std::size_t> partners;  ///< of each entry, in the other side's
  std::vector<bool> isRowPaired;
};

struct Sides {
  Side baseline;
  Side candidate;
};

Sides sidesOf(const UnitComparison& units) {
  const auto sideOf = [](const DumpUnit& unit) {
    return Side{.unit = unit,
                .partners = std::vector(unit.entries.size(), dumps::kNone),
                .isRowPaired = std::vector(unit.rows.size(), false)};
  };
  Sides sides{sideOf(*units.baseline), sideOf(*units.candidate)};
  for (const EntryPair& pair : units.matching.entries) {
    sides.baseline.partners[pair.baseline] = pair.candidate;
    sides.candidate.partners[pair.candidate] = pair.baseline;
  }
  for (const RowPair& pair : units.matching.rows) {
    // None in the place of a gradient is none.
    if (isTensorPair(*units.baseline, *units.candidate, pair)) {
      sides.baseline.isRowPaired[pair.baseline] = true;
      sides.candidate.isRowPaired[pair.candidate] = true;
    }
  }
  return sides;
}

std::string callOf(const DumpEntry& entry) {
  return entry.pass == Pass::ParameterGradient ? entry.module : callKey(entry);
}

/// Finds the forward calls that both sides ran with the same class.
class ForwardCalls {
 public:
  ForwardCalls(const Side& side, const DumpUnit& other) {
    for (std::size_t i = 0; i < side.unit.entries.size(); ++i) {
      const DumpEntry& entry = side.unit.entries[i];
      if (entry.pass != Pass::Forward || entry.isNamed()) {
        continue;
      }
      const std::size_t partner = side.partners[i];
      const bool isShared =
          partner != dumps::kNone && other.entries[partner].operation == entry.operation;
      m_areAllShared = m_areAllShared && isShared;
      m_isShared.try_emplace(callKey(entry), isShared);
      if (entry.kind == dumps::EntryKind::Module) {
        m_isShared.try_emplace(entry.module, isShared);
      }
    }
  }

  [[nodiscard]] bool isShared(const DumpEntry& gradients) const {
    const auto found = m_isShared.find(callOf(gradients));
    return found != m_isShared.end() && found->second;
  }
  [[nodiscard]] bool areAllShared() const { return m_areAllShared; }

 private:
  std::unordered_map<std::string, bool> m_isShared;  ///< by call, and by module
  bool m_areAllShared = true;
};

/// How many gradients of a kind a side has, of calls that both sides ran, and how many of them it
/// has alone.
struct Tally {
  std::size_t all = 0;
  std::size_t alone = 0;
};

std::string kindOf(const DumpEntry& entry, const DumpRow& row) {
  return fmt::format("{}|{}|{}", entry.operation, toString(row.role), row.index);
}

/// The gradients that a side has alone, without a place.
std::vector<MissingRow> missingOf(const Side& side, const Side& other, bool isOfBaseline) {
  const ForwardCalls forward(side, other.unit);
  const bool isSameProgram =
      forward.areAllShared() && ForwardCalls(other, side.unit).areAllShared();
  std::unordered_map<std::string, Tally> tallies;
  std::vector<MissingRow> alone;
  bool hasParameterGradients = false;
  for (std::size_t i = 0; i < side.unit.entries.size(); ++i) {
    const DumpEntry& entry = side.unit.entries[i];
    if (entry.pass == Pass::Forward || !forward.isShared(entry)) {
      continue;
    }
    for (const std::size_t row : entry.rows()) {
      if (!isGradient(side.unit.rows[row])) {
        continue;
      }
      Tally& tally = tallies[kindOf(entry, side.unit.rows[row])];
      tally.all += 1;
      if (side.isRowPaired[row]) {
        hasParameterGradients =
            hasParameterGradients || side.unit.rows[row].role == Role::ParameterGradient;
        continue;
      }
      tally.alone += 1;
      alone.push_back({.isOfBaseline = isOfBaseline,
                       .entry = i,
                       .row = row,
                       .pass = entry.pass,
                       .isWholeEntry = side.partners[i] == dumps::kNone});
    }
  }
  std::erase_if(alone, [&](MissingRow& missing) {
    const DumpRow& row = side.unit.rows[missing.row];
    const Tally& tally = tallies[kindOf(side.unit.entries[missing.entry], row)];
    missing.hasOthersOfClass = tally.alone < tally.all;
    // A class of which there is one call tells nothing by itself.
    const bool isOnlyOne = tally.all == 1 && row.role == Role::ParameterGradient &&
                           hasParameterGradients && isSameProgram;
    return !missing.hasOthersOfClass && !isOnlyOne;
  });
  return alone;
}

/// Positions in PairedCalls::order(), of the baseline's entries.
std::unordered_map<std::size_t, std::size_t> positionsOf(const PairedCalls& pairs) {
  std::unordered_map<std::size_t, std::size_t> positions;
  for (std::size_t i = 0; i < pairs.order().size(); ++i) {
    positions.emplace(pairs.entryIndex(pairs.order()[i]), i);
  }
  return positions;
}

/// Behind what ran before it on the side that has it.
void place(std::vector<MissingRow>& missing, const PairedCalls& pairs, const Side& side) {
  const auto positions = positionsOf(pairs);
  std::vector<std::size_t> places(side.unit.entries.size());
  std::size_t next = 0;
  for (const std::size_t entry : executionOrder(side.unit)) {
    const std::size_t partner = side.partners[entry];
    const bool isBaseline = &side.unit == pairs.units().baseline.get();
    const auto found =
        partner == dumps::kNone ? positions.end() : positions.find(isBaseline ? entry : partner);
    next = found == positions.end() ? next : found->second + 1;
    places[entry] = next;
  }
  for (MissingRow& row : missing) {
    row.place = places[row.entry];
  }
}

/// A hook may miss the gradient of an activation, as where a call works in place. Where none
/// reached a module at all, its parameters have none either.
bool isCutOff(const std::vector<MissingRow>& missing, const Sides& sides) {
  const auto entryOf = [&](const MissingRow& row) -> const DumpEntry& {
    return (row.isOfBaseline ? sides.baseline : sides.candidate).unit.entries[row.entry];
  };
  return std::ranges::any_of(missing, [&](const MissingRow& own) {
    return isOfParameters(own.pass) && std::ranges::any_of(missing, [&](const MissingRow& other) {
             return other.pass == Pass::Backward && other.isWholeEntry &&
                    other.isOfBaseline == own.isOfBaseline &&
                    entryOf(other).module == entryOf(own).module;
           });
  });
}

/// Behind the last pair with a gradient that is not equal: one that is lost changes what is made of
/// it.
std::size_t endOfDifferences(const PairedCalls& pairs) {
  for (std::size_t i = pairs.order().size(); i-- > 0;) {
    const std::size_t pair = pairs.order()[i];
    const bool differs = std::ranges::any_of(pairs.rows(pair), [&](std::size_t row) {
      return pairs.difference(row).basis >= Basis::Checksums && !pairs.difference(row).isEqual;
    });
    if (differs && pairs.entry(pair).pass != Pass::Forward) {
      return i + 1;
    }
  }
  return 0;
}

}  // namespace

std::vector<MissingRow> missingRows(const PairedCalls& pairs) {
  const Sides sides = sidesOf(pairs.units());
  std::vector<MissingRow> missing = missingOf(sides.baseline, sides.candidate, true);
  place(missing, pairs, sides.baseline);
  std::vector<MissingRow> extra = missingOf(sides.candidate, sides.baseline, false);
  place(extra, pairs, sides.candidate);
  missing.insert(missing.end(), extra.begin(), extra.end());
  const std::size_t end =
      isCutOff(missing, sides) ? std::numeric_limits<std::size_t>::max() : endOfDifferences(pairs);
  std::erase_if(missing, [&](const MissingRow& row) {
    return !isOfParameters(row.pass) && row.place >= end;
  });
  std::ranges::stable_sort(missing, {}, &MissingRow::place);
  return missing;
}

Culprit missingCulprit(const PairedCalls& pairs, const std::vector<MissingRow>& missing) {
  const UnitComparison& units = pairs.units();
  const auto unitOf = [&](const MissingRow& of) -> const DumpUnit& {
    return of.isOfBaseline ? *units.baseline : *units.candidate;
  };
  const MissingRow& first = missing.front();
  const DumpUnit& unit = unitOf(first);
  const DumpEntry& entry = unit.entries[first.entry];
  std::vector<std::string> lacking;
  std::vector<std::string> extra;
  for (const MissingRow& other : missing) {
    const DumpUnit& its = unitOf(other);
    const std::string& name =
        other.isWholeEntry ? its.entries[other.entry].name : its.rows[other.row].name;
    std::vector<std::string>& names = other.isOfBaseline ? lacking : extra;
    const bool isFirst = other.isOfBaseline == first.isOfBaseline && other.entry == first.entry;
    if (!isFirst && std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
  const std::size_t before = first.place == 0 ? 0 : first.place - 1;
  const std::string row = nameInCall(entry.name, unit.rows[first.row].name);
  return {
      .kind = CulpritKind::Missing,
      .sureness = first.hasOthersOfClass ? Sureness::High : Sureness::Medium,
      .entry = first.isOfBaseline      ? first.entry
               : pairs.order().empty() ? 0
                                       : pairs.entryIndex(pairs.order()[before]),
      .name = entry.name,
      .row = dumps::kNone,
      .site = siteOf(unit, first.entry, first.row),
      .rowName = unit.rows[first.row].name,
      .enclosing = dumps::enclosingCalls(unit, first.entry),
      .stack = entry.stack == dumps::kNone ? std::vector<std::string>() : unit.stacks[entry.stack],
      .error = std::numeric_limits<double>::quiet_NaN(),
      .reason = first.isOfBaseline
                    ? Sentence{ULP_TR_NOOP("the candidate ran the same forward call and has no %1"),
                               {row}}
                    : Sentence{ULP_TR_NOOP("the baseline ran the same forward call and has no %1"),
                               {row}},
      .sureBecause =
          first.hasOthersOfClass
              ? Sentence{ULP_TR_NOOP("of other calls of the same class both sides have it"), {}}
              : Sentence{ULP_TR_NOOP("there is no other call of its class to compare with"), {}},
      .structure = lacksText(lacking, extra)};
}

}  // namespace ulp::analysis
