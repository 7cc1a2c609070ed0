#include "core/comparing/origin/repeatability.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/execution_order.h"
#include "core/comparing/origin/nondeterministic_operations.h"
#include "core/dumps/model/enclosing_calls.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;

/// Something else than a difference of formats.
bool differs(const UnitComparison& units, std::size_t row) {
  const RowDifference& difference = units.rows[row];
  if (difference.basis == Basis::Values) {
    const RowPair& pair = units.matching.rows[row];
    const auto left = argumentNumber(units.baseline->rows[pair.baseline]);
    const auto right = argumentNumber(units.candidate->rows[pair.candidate]);
    return left && right && *left != *right && !(std::isnan(*left) && std::isnan(*right));
  }
  return difference.basis >= Basis::Checksums && !difference.isEqual;
}

class RepeatJudge {
 public:
  explicit RepeatJudge(const UnitComparison& units)
      : m_units(units), m_rowsOf(rowsOfPairs(units)), m_order(pairsInOrder(units)) {}

  [[nodiscard]] Repeatability run() && {
    Repeatability result;
    const auto place = firstPlace();
    if (!place) {
      return result;
    }
    result.first = describe(*place);
    result.isRepeat = looksRepeated(result.first->equalBefore);
    if (result.isRepeat && result.first->kind != CulpritKind::Source) {
      result.suspects = suspectsUpTo(place->first);
    }
    return result;
  }

 private:
  /// Position in m_order, and the row that differs.
  using Place = std::pair<std::size_t, std::size_t>;

  [[nodiscard]] const DumpEntry& entryOf(std::size_t pair) const {
    return m_units.baseline->entries[m_units.matching.entries[pair].baseline];
  }
  [[nodiscard]] const DumpRow& rowOf(std::size_t row) const {
    return m_units.baseline->rows[m_units.matching.rows[row].baseline];
  }

  /// What a call read comes before what it made.
  [[nodiscard]] std::optional<std::size_t> differingRow(std::size_t pair) const {
    for (const bool isRead : {true, false}) {
      for (const std::size_t row : m_rowsOf[pair]) {
        if (dumps::isRead(rowOf(row).role) == isRead && differs(m_units, row)) {
          return row;
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Place> firstPlace() const {
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      if (const auto row = differingRow(m_order[i])) {
        return innermost({i, *row});
      }
    }
    return std::nullopt;
  }

  /// Some tools list a module before the calls inside it, which made what it puts out.
  [[nodiscard]] Place innermost(Place place) const {
    for (std::size_t i = place.first + 1; i < m_order.size(); ++i) {
      const std::size_t outer = m_units.matching.entries[m_order[place.first]].baseline;
      const auto row = isInside(m_order[i], outer) ? differingRow(m_order[i]) : std::nullopt;
      if (row && !dumps::isRead(rowOf(place.second).role)) {
        place = {i, *row};
      }
    }
    return place;
  }

  [[nodiscard]] bool isInside(std::size_t pair, std::size_t outer) const {
    return dumps::anyEnclosing(*m_units.baseline,
                               m_units.matching.entries[pair].baseline,
                               [outer](std::size_t call) { return call == outer; });
  }

  [[nodiscard]] FirstDifference describe(const Place& place) const {
    const std::size_t pair = m_order[place.first];
    FirstDifference first{.entry = m_units.matching.entries[pair].baseline,
                          .name = entryOf(pair).name,
                          .rowName = rowOf(place.second).name,
                          .site = siteOfPair(m_units, place.second),
                          .error = m_units.rows[place.second].error};
    for (std::size_t i = 0; i <= place.first; ++i) {
      for (const std::size_t row : m_rowsOf[m_order[i]]) {
        const bool isTensor = m_units.rows[row].basis >= Basis::Checksums;
        first.equalBefore += isTensor && m_units.rows[row].isEqual ? 1 : 0;
      }
    }
    first.kind = kindOf(place);
    return first;
  }

  [[nodiscard]] CulpritKind kindOf(const Place& place) const {
    const DumpEntry& entry = entryOf(m_order[place.first]);
    const DumpRow& row = rowOf(place.second);
    if (!dumps::isRead(row.role)) {
      return CulpritKind::Operation;
    }
    if (isParameter(entry, row) || m_units.rows[place.second].basis == Basis::Values) {
      return CulpritKind::Source;
    }
    return isMadeBefore(place) || entry.pass != Pass::Forward ? CulpritKind::Gap
                                                              : CulpritKind::Source;
  }

  /// Something before put out what the call reads; where nothing tells who did, anything may have.
  [[nodiscard]] bool isMadeBefore(const Place& place) const {
    const std::string fingerprint = fingerprintOf(rowOf(place.second));
    for (std::size_t i = 0; i < place.first; ++i) {
      for (const std::size_t row : m_rowsOf[m_order[i]]) {
        const bool isMade = !dumps::isRead(rowOf(row).role);
        if (isMade && (fingerprint.empty() || fingerprintOf(rowOf(row)) == fingerprint)) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool looksRepeated(std::size_t equalBefore) const {
    const UnitMatching& matching = m_units.matching;
    const bool isSameProgram =
        matching.onlyBaselineEntries.empty() && matching.onlyCandidateEntries.empty() &&
        matching.onlyBaselineRows.empty() && matching.onlyCandidateRows.empty();
    return equalBefore > 0 && isSameProgram &&
           std::none_of(m_units.rows.begin(), m_units.rows.end(), [](const RowDifference& row) {
             return row.isShapeDifferent || row.isDTypeDifferent;
           });
  }

  [[nodiscard]] std::vector<Suspect> suspectsUpTo(std::size_t last) const {
    std::map<std::string_view, Suspect> byTitle;
    for (std::size_t i = 0; i <= last; ++i) {
      const std::size_t pair = m_order[i];
      const auto* known = nondeterministic(entryOf(pair).operation, entryOf(pair).pass);
      if (known == nullptr) {
        continue;
      }
      const bool isCleared = i < last && isClear(pair);
      const auto [place, isNew] = byTitle.try_emplace(known->title,
                                                      Suspect{.name = {},
                                                              .title = std::string(known->title),
                                                              .when = std::string(known->when),
                                                              .remedy = std::string(known->remedy),
                                                              .isCleared = true});
      Suspect& suspect = place->second;
      suspect.calls += 1;
      // A call that is cleared is no reason to look away from an earlier one that is not.
      if (isNew || !isCleared || suspect.isCleared) {
        suspect.name = entryOf(pair).name;
        suspect.distance = last - i;
      }
      suspect.isCleared = suspect.isCleared && isCleared;
    }
    std::vector<Suspect> suspects;
    suspects.reserve(byTitle.size());
    for (auto& [title, suspect] : byTitle) {
      suspects.push_back(std::move(suspect));
    }
    std::stable_sort(suspects.begin(), suspects.end(), [](const Suspect& a, const Suspect& b) {
      return std::pair(a.isCleared, a.distance) < std::pair(b.isCleared, b.distance);
    });
    return suspects;
  }

  /// Everything that the call put out was compared. What differs comes later, so it is equal.
  [[nodiscard]] bool isClear(std::size_t pair) const {
    bool hasMade = false;
    for (const std::size_t row : m_rowsOf[pair]) {
      if (!dumps::isRead(rowOf(row).role)) {
        const RowDifference& difference = m_units.rows[row];
        const bool isNothing = difference.basis == Basis::Nothing && difference.isEqual;
        if (!isNothing && (difference.basis < Basis::Checksums || !difference.isEqual)) {
          return false;
        }
        hasMade = hasMade || !isNothing;
      }
    }
    return hasMade;
  }

  const UnitComparison& m_units;
  std::vector<std::vector<std::size_t>> m_rowsOf;  ///< of each pair of entries: in units.rows
  std::vector<std::size_t> m_order;                ///< pairs of entries as they ran
};

}  // namespace

Repeatability judgeRepeatability(const UnitComparison& units) {
  return RepeatJudge(units).run();
}

}  // namespace ulp::analysis
