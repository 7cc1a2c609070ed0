#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/first_error.h"
#include "core/base/text/regular_expression.h"
#include "core/comparing/align/edited_sides.h"
#include "core/comparing/align/exchanged_elements.h"
#include "core/comparing/match/row_lookup.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;

bool isWeight(const DumpRow& row) {
  return isOfModel(row) && row.shape.size() == 2;
}

/// A vector is the same either way.
bool isMatrix(const DumpRow& row) {
  return row.shape[0] > 1 && row.shape[1] > 1;
}

bool isSquare(const DumpRow& row) {
  return row.shape[0] == row.shape[1];
}

/// Path, rows and columns.
using Oblong = std::tuple<std::string_view, std::int64_t, std::int64_t>;

/// Matrices that are not square, turned with `isTurned`; without `hasPaths` wherever they stand.
Result<std::set<Oblong>> oblongs(const DumpUnit& unit, bool isTurned, bool hasPaths) {
  std::set<Oblong> found;
  ULP_TRY(eachRow(unit, [&](std::size_t entry, std::size_t r) {
    const DumpRow& row = unit.rows[r];
    if (isWeight(row) && isMatrix(row) && !isSquare(row)) {
      const std::string_view path = pathOf(unit, unit.entries[entry]);
      found.emplace(hasPaths ? path : "", row.shape[isTurned ? 1 : 0], row.shape[isTurned ? 0 : 1]);
    }
  }));
  return found;
}

bool mentionsConv1D(const DumpUnit& unit) {
  return std::ranges::any_of(unit.entries, isConv1D);
}

/// Cheap, and enough for nearly every pair of units: keys of all entries are not.
Result<bool> mayLieTheOtherWayRound(const DumpUnit& baseline,
                                    const DumpUnit& candidate,
                                    bool isRenamed) {
  if (mentionsConv1D(baseline) || mentionsConv1D(candidate)) {
    return true;
  }
  const auto turned = ULP_TRY(oblongs(baseline, true, !isRenamed));
  const auto others = ULP_TRY(oblongs(candidate, false, !isRenamed));
  return std::ranges::any_of(turned, [&](const Oblong& each) { return others.contains(each); });
}

class Transposer {
 public:
  Transposer(const DumpUnitPtr& baseline, const DumpUnitPtr& candidate, const AlignmentRules& rules)
      : m_baseline(baseline),
        m_candidate(candidate),
        m_mapping(rules.mapping),
        m_readsElements(rules.readsElements),
        m_edit(candidate),
        m_isDone(candidate->rows.size()) {}

  [[nodiscard]] Result<DumpUnitPtr> make() && {
    ULP_TRY(byRules());
    if (m_mapping.dumps().findsTransposed) {
      ULP_TRY(byPartners());
    }
    if (m_count > 0) {
      m_edit.note(
          {ULP_TR_NOOP("%1 weights are compared transposed, as the other side holds them: %2; "
                       "'transposed' of the mapping can say otherwise"),
           {std::to_string(m_count), andMore(m_first, m_count - 1)}});
    }
    return std::move(m_edit).build();
  }

 private:
  Result<> byRules() {
    const auto rules = ULP_TRY(compileExpressions(m_mapping.dumps().transposed));
    FirstError error;
    const auto isMeant = [&](const std::string& name) {
      return error.valueOf([&] { return isAnyFoundIn(rules, name); }, false);
    };
    ULP_TRY(eachRow(*m_candidate, [&](std::size_t entry, std::size_t r) {
      const DumpRow& row = m_candidate->rows[r];
      if (isWeight(row) && (isMeant(m_candidate->entries[entry].module) || isMeant(row.name))) {
        turnOnce(r);
      }
    }));
    return error.check();
  }

  Result<> byPartners() {
    const bool mayLie =
        ULP_TRY(mayLieTheOtherWayRound(*m_baseline, *m_candidate, renames(m_mapping)));
    if (!mayLie) {
      return {};
    }
    const PairedKeys keys = pairedKeys(*m_baseline, *m_candidate, m_mapping);
    ULP_TRY(keys.check());
    std::vector<WeightPair> pairs;
    for (std::size_t i = 0; i < m_baseline->entries.size(); ++i) {
      const DumpEntry& entry = m_baseline->entries[i];
      const bool hasWeight = std::ranges::any_of(
          entry.rows(), [&](std::size_t r) { return isWeight(m_baseline->rows[r]); });
      const std::size_t partner =
          hasWeight ? keys.candidate.find(keys.baseline.all()[i].text()) : dumps::kNone;
      if (partner != dumps::kNone) {
        addWeights(entry, m_candidate->entries[partner], pairs);
      }
    }
    turn(pairs);
    return {};
  }

  /// Weights that stand in the same place.
  struct WeightPair {
    const DumpEntry* own;
    const DumpEntry* other;
    std::size_t weight;
    std::size_t row;  ///< of the candidate
  };

  void addWeights(const DumpEntry& own,
                  const DumpEntry& other,
                  std::vector<WeightPair>& pairs) const {
    RowLookup lookup(*m_baseline, own);
    for (const std::size_t r : other.rows()) {
      const DumpRow& row = m_candidate->rows[r];
      const std::size_t same = lookup.sameIndex(row);
      if (same != dumps::kNone && isWeight(row) && isWeight(m_baseline->rows[same]) &&
          isMatrix(row)) {
        pairs.push_back({&own, &other, same, r});
      }
    }
  }

  void turn(const std::vector<WeightPair>& pairs) {
    using Classes = std::pair<std::string_view, std::string_view>;
    // A Conv1D of some framework may hold [out, in]: oblong weights tell it of the square ones.
    std::set<Classes> alike;
    std::set<bool> turnedInLayers;
    std::set<bool> alikeInLayers;
    for (const WeightPair& pair : pairs) {
      const DumpRow& row = m_candidate->rows[pair.row];
      if (isSquare(row)) {
        continue;
      }
      if (m_baseline->rows[pair.weight].shape == row.shape) {
        alike.emplace(pair.own->operation, pair.other->operation);
        alikeInLayers.insert(isInLayer(pair));
      } else if (isReversed(pair)) {
        turnedInLayers.insert(isInLayer(pair));
      }
    }
    for (const WeightPair& pair : pairs) {
      const bool isByClass = areTransposedByClass(*pair.own, *pair.other) &&
                             !alike.contains({pair.own->operation, pair.other->operation});
      const bool mayBeByElements =
          turnedInLayers.contains(isInLayer(pair)) && !alikeInLayers.contains(isInLayer(pair));
      if (isReversed(pair) && (!isSquare(m_candidate->rows[pair.row]) || isByClass ||
                               (mayBeByElements && isTurnedByElements(pair)))) {
        turnOnce(pair.row);
      }
    }
  }

  [[nodiscard]] bool isReversed(const WeightPair& pair) const {
    const DumpRow& own = m_baseline->rows[pair.weight];
    const DumpRow& other = m_candidate->rows[pair.row];
    return own.shape[0] == other.shape[1] && own.shape[1] == other.shape[0];
  }

  /// What embeds tokens and positions lies the same way round where the weights of layers do not.
  [[nodiscard]] bool isInLayer(const WeightPair& pair) const {
    return layerOf(pathOf(*m_baseline, *pair.own)) >= 0;
  }

  /// Of a checkpoint, where no class tells it.
  [[nodiscard]] bool isTurnedByElements(const WeightPair& pair) const {
    return m_readsElements && !hasClass(*pair.own) && !hasClass(*pair.other) &&
           m_baseline->rows[pair.weight].hasElements && m_candidate->rows[pair.row].hasElements &&
           tellExchanged(*m_baseline, pair.weight, *m_candidate, pair.row, 0) == Told::Exchanged;
  }

  void turnOnce(std::size_t index) {
    if (m_isDone[index]) {
      return;
    }
    m_isDone[index] = true;
    MadeRow row = rowAsItIs(m_candidate, index);
    transpose(row);
    m_edit.replace(index, std::move(row.first), std::move(row.second));
    m_first = m_count == 0 ? m_candidate->rows[index].name : m_first;
    ++m_count;
  }

  const DumpUnitPtr& m_baseline;
  const DumpUnitPtr& m_candidate;
  const SiteMapping& m_mapping;
  bool m_readsElements;
  dumps::UnitEdit m_edit;
  std::vector<bool> m_isDone;  ///< rows: what rules have said is not turned back
  std::string m_first;
  std::size_t m_count = 0;
};

}  // namespace

Result<> transposeWeights(UnitSides& units, const AlignmentRules& rules) {
  units.candidate = ULP_TRY(Transposer(units.baseline, units.candidate, rules).make());
  return {};
}

}  // namespace ulp::analysis
