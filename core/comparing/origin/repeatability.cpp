#include "core/comparing/origin/repeatability.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/origin/nondeterministic_operations.h"
#include "core/dumps/model/enclosing_calls.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;

/// Something else than a difference of formats.
bool differs(const PairedCalls& pairs, std::size_t row) {
  const RowDifference& difference = pairs.difference(row);
  if (difference.basis == Basis::Values) {
    const auto left = argumentNumber(pairs.row(row));
    const auto right = argumentNumber(pairs.candidateRow(row));
    return left && right && *left != *right && !(std::isnan(*left) && std::isnan(*right));
  }
  return difference.basis >= Basis::Checksums && !difference.isEqual;
}

class RepeatJudge {
 public:
  explicit RepeatJudge(const PairedCalls& pairs)
      : m_pairs(pairs), m_units(pairs.units()), m_order(pairs.order()) {}

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

  /// What a call read comes before what it made.
  [[nodiscard]] std::optional<std::size_t> differingRow(std::size_t pair) const {
    for (const bool isRead : {true, false}) {
      for (const std::size_t row : m_pairs.rows(pair)) {
        if (m_pairs.isRead(row) == isRead && differs(m_pairs, row)) {
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
      const std::size_t outer = m_pairs.entryIndex(m_order[place.first]);
      const auto row = isInside(m_order[i], outer) ? differingRow(m_order[i]) : std::nullopt;
      if (row && !m_pairs.isRead(place.second)) {
        place = {i, *row};
      }
    }
    return place;
  }

  [[nodiscard]] bool isInside(std::size_t pair, std::size_t outer) const {
    return dumps::anyEnclosing(*m_units.baseline,
                               m_pairs.entryIndex(pair),
                               [outer](std::size_t call) { return call == outer; });
  }

  [[nodiscard]] FirstDifference describe(const Place& place) const {
    const std::size_t pair = m_order[place.first];
    FirstDifference first{.entry = m_pairs.entryIndex(pair),
                          .name = m_pairs.entry(pair).name,
                          .rowName = m_pairs.row(place.second).name,
                          .site = siteOfPair(m_units, place.second),
                          .error = m_pairs.difference(place.second).error};
    for (std::size_t i = 0; i <= place.first; ++i) {
      for (const std::size_t row : m_pairs.rows(m_order[i])) {
        const bool isTensor = m_pairs.difference(row).basis >= Basis::Checksums;
        first.equalBefore += isTensor && m_pairs.difference(row).isEqual ? 1 : 0;
      }
    }
    first.kind = kindOf(place);
    return first;
  }

  [[nodiscard]] CulpritKind kindOf(const Place& place) const {
    const DumpEntry& entry = m_pairs.entry(m_order[place.first]);
    const DumpRow& row = m_pairs.row(place.second);
    if (!dumps::isRead(row.role)) {
      return CulpritKind::Operation;
    }
    if (isParameter(entry, row) || m_pairs.difference(place.second).basis == Basis::Values) {
      return CulpritKind::Source;
    }
    return isMadeBefore(place) || entry.pass != Pass::Forward ? CulpritKind::Gap
                                                              : CulpritKind::Source;
  }

  /// Something before put out what the call reads; where nothing tells who did, anything may have.
  [[nodiscard]] bool isMadeBefore(const Place& place) const {
    const std::string fingerprint = fingerprintOf(m_pairs.row(place.second));
    for (std::size_t i = 0; i < place.first; ++i) {
      for (const std::size_t row : m_pairs.rows(m_order[i])) {
        const bool isMade = !m_pairs.isRead(row);
        if (isMade && (fingerprint.empty() || fingerprintOf(m_pairs.row(row)) == fingerprint)) {
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
           std::ranges::none_of(m_units.rows, [](const RowDifference& row) {
             return row.isShapeDifferent || row.isDTypeDifferent;
           });
  }

  [[nodiscard]] std::vector<Suspect> suspectsUpTo(std::size_t last) const {
    std::map<std::string_view, Suspect> byTitle;
    for (std::size_t i = 0; i <= last; ++i) {
      const std::size_t pair = m_order[i];
      const auto* known = nondeterministic(m_pairs.entry(pair).operation, m_pairs.entry(pair).pass);
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
        suspect.name = m_pairs.entry(pair).name;
        suspect.distance = last - i;
      }
      suspect.isCleared = suspect.isCleared && isCleared;
    }
    std::vector<Suspect> suspects;
    suspects.reserve(byTitle.size());
    for (auto& [title, suspect] : byTitle) {
      suspects.push_back(std::move(suspect));
    }
    std::ranges::stable_sort(suspects, [](const Suspect& a, const Suspect& b) {
      return std::pair(a.isCleared, a.distance) < std::pair(b.isCleared, b.distance);
    });
    return suspects;
  }

  /// Everything that the call put out was compared. What differs comes later, so it is equal.
  [[nodiscard]] bool isClear(std::size_t pair) const {
    bool hasMade = false;
    for (const std::size_t row : m_pairs.rows(pair)) {
      if (!m_pairs.isRead(row)) {
        const RowDifference& difference = m_pairs.difference(row);
        const bool isNothing = difference.basis == Basis::Nothing && difference.isEqual;
        if (!isNothing && (difference.basis < Basis::Checksums || !difference.isEqual)) {
          return false;
        }
        hasMade = hasMade || !isNothing;
      }
    }
    return hasMade;
  }

  const PairedCalls& m_pairs;
  const UnitComparison& m_units;
  const std::vector<std::size_t>& m_order;  ///< pairs of entries as they ran
};

}  // namespace

Repeatability judgeRepeatability(const PairedCalls& pairs) {
  return RepeatJudge(pairs).run();
}

}  // namespace ulp::analysis
