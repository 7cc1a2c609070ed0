#include "core/comparing/align/transposed_weights.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/comparing/match/entry_keys.h"
#include "core/comparing/match/recomputed_calls.h"
#include "core/dumps/model/unit_edit.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;
using dumps::EntryKind;
using dumps::Role;

/// transformers' module of GPT-2, y = x W + b, and what is made of it (`QuantConv1D`,
/// `GPT2FusedLinearConv1D_Row`).
bool isConv1D(const DumpEntry& entry) {
  return entry.operation.find("Conv1D") != std::string::npos;
}

bool isWeight(const DumpRow& row) {
  const bool isOfModel =
      row.role == Role::Parameter || row.role == Role::ParameterGradient || row.role == Role::Value;
  return isOfModel && row.shape.size() == 2;
}

/// A vector is the same either way.
bool isMatrix(const DumpRow& row) {
  return row.shape[0] > 1 && row.shape[1] > 1;
}

bool isSquare(const DumpRow& row) {
  return row.shape[0] == row.shape[1];
}

/// What the key of an entry has as its path where nothing is renamed.
std::string_view pathOf(const DumpUnit& unit, const DumpEntry& entry) {
  if (entry.isNamed()) {
    return entry.name;
  }
  const bool isEnclosed = entry.kind == EntryKind::Api && entry.parent != dumps::kNone;
  return isEnclosed ? unit.entries[entry.parent].module : entry.module;
}

/// Path, rows and columns.
using Oblong = std::tuple<std::string_view, std::int64_t, std::int64_t>;

/// Matrices that are not square, turned with `isTurned`; without `hasPaths` wherever they stand.
std::set<Oblong> oblongs(const DumpUnit& unit, bool isTurned, bool hasPaths) {
  std::set<Oblong> found;
  for (const DumpEntry& entry : unit.entries) {
    for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
      const DumpRow& row = unit.rows[r];
      if (isWeight(row) && isMatrix(row) && !isSquare(row)) {
        found.emplace(hasPaths ? pathOf(unit, entry) : std::string_view(),
                      row.shape[isTurned ? 1 : 0],
                      row.shape[isTurned ? 0 : 1]);
      }
    }
  }
  return found;
}

bool mentionsConv1D(const DumpUnit& unit) {
  return std::any_of(unit.entries.begin(), unit.entries.end(), isConv1D);
}

/// Cheap, and enough for nearly every pair of units: keys of all entries are not.
bool mayLieTheOtherWayRound(const DumpUnit& baseline, const DumpUnit& candidate, bool isRenamed) {
  if (mentionsConv1D(baseline) || mentionsConv1D(candidate)) {
    return true;
  }
  const std::set<Oblong> turned = oblongs(baseline, true, !isRenamed);
  const std::set<Oblong> others = oblongs(candidate, false, !isRenamed);
  return std::any_of(
      turned.begin(), turned.end(), [&](const Oblong& each) { return others.contains(each); });
}

bool hasWeight(const DumpUnit& unit, const DumpEntry& entry) {
  for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
    if (isWeight(unit.rows[r])) {
      return true;
    }
  }
  return false;
}

class Transposer {
 public:
  Transposer(const DumpUnitPtr& baseline, const DumpUnitPtr& candidate, const SiteMapping& mapping)
      : m_baseline(baseline), m_candidate(candidate), m_mapping(mapping), m_edit(candidate) {
    for (const std::string& rule : mapping.dumps().transposed) {
      m_rules.emplace_back(rule, std::regex::ECMAScript);
    }
    m_isDone.resize(candidate->rows.size());
  }

  [[nodiscard]] DumpUnitPtr make() && {
    for (const DumpEntry& entry : m_candidate->entries) {
      byRules(entry);
    }
    if (m_mapping.dumps().findsTransposed) {
      byPartners();
    }
    if (m_count > 0) {
      m_edit.note(
          fmt::format("{} weights are compared transposed, as the other side holds them: "
                      "{}{}; 'transposed' of the mapping can say otherwise",
                      m_count,
                      m_first,
                      m_count > 1 ? fmt::format(" and {} more", m_count - 1) : ""));
    }
    return std::move(m_edit).build();
  }

 private:
  void byRules(const DumpEntry& entry) {
    for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
      const DumpRow& row = m_candidate->rows[r];
      const bool isMeant =
          isWeight(row) && std::any_of(m_rules.begin(), m_rules.end(), [&](const auto& rule) {
            return std::regex_search(entry.module, rule) || std::regex_search(row.name, rule);
          });
      if (isMeant) {
        transpose(r);
      }
    }
  }

  void byPartners() {
    const DumpRules& dumps = m_mapping.dumps();
    const bool isRenamed = m_mapping.hasNames() || !dumps.cells.empty() || !dumps.layers.empty();
    if (!mayLieTheOtherWayRound(*m_baseline, *m_candidate, isRenamed)) {
      return;
    }
    const std::vector<bool> again = recomputedCalls(*m_baseline);
    const std::vector<bool> othersAgain = recomputedCalls(*m_candidate);
    const KeyRules rules{.countsCalls = dumps.isFuzzy || !again.empty() || !othersAgain.empty()};
    const EntryKeys own(*m_baseline, nullptr, again, rules);
    const EntryKeys others(*m_candidate, isRenamed ? &m_mapping : nullptr, othersAgain, rules);
    std::vector<WeightPair> pairs;
    for (std::size_t i = 0; i < m_baseline->entries.size(); ++i) {
      const DumpEntry& entry = m_baseline->entries[i];
      const std::size_t partner =
          hasWeight(*m_baseline, entry) ? others.find(own.all()[i].text()) : dumps::kNone;
      if (partner != dumps::kNone) {
        addWeights(entry, m_candidate->entries[partner], pairs);
      }
    }
    turn(pairs);
  }

  /// Weights that stand in the same place.
  struct WeightPair {
    const DumpEntry* own;
    const DumpEntry* other;
    const DumpRow* weight;
    std::size_t row;  ///< of the candidate
  };

  void addWeights(const DumpEntry& own,
                  const DumpEntry& other,
                  std::vector<WeightPair>& pairs) const {
    for (std::size_t r = other.firstRow; r < other.firstRow + other.rowCount; ++r) {
      const DumpRow& row = m_candidate->rows[r];
      const auto begin = m_baseline->rows.begin() + static_cast<std::ptrdiff_t>(own.firstRow);
      const auto end = begin + static_cast<std::ptrdiff_t>(own.rowCount);
      const auto same = std::find_if(begin, end, [&](const DumpRow& each) {
        return each.role == row.role && each.index == row.index;
      });
      if (same != end && isWeight(row) && isWeight(*same) && isMatrix(row)) {
        pairs.push_back({&own, &other, &*same, r});
      }
    }
  }

  void turn(const std::vector<WeightPair>& pairs) {
    using Classes = std::pair<std::string_view, std::string_view>;
    // A Conv1D of some framework may hold [out, in]: oblong weights tell it of the square ones.
    std::set<Classes> alike;
    for (const WeightPair& pair : pairs) {
      if (!isSquare(*pair.weight) && pair.weight->shape == m_candidate->rows[pair.row].shape) {
        alike.emplace(pair.own->operation, pair.other->operation);
      }
    }
    for (const WeightPair& pair : pairs) {
      const DumpRow& row = m_candidate->rows[pair.row];
      const bool isReversed =
          pair.weight->shape[0] == row.shape[1] && pair.weight->shape[1] == row.shape[0];
      const bool isByClass = areTransposedByClass(*pair.own, *pair.other) &&
                             !alike.contains({pair.own->operation, pair.other->operation});
      if (isReversed && (!isSquare(row) || isByClass)) {
        transpose(pair.row);
      }
    }
  }

  void transpose(std::size_t index) {
    if (m_isDone[index]) {
      return;
    }
    m_isDone[index] = true;
    m_edit.replace(index,
                   transposedRow(m_candidate->rows[index]),
                   dumps::transposeOf(dumps::rowRecipe(m_candidate, index)));
    m_first = m_count == 0 ? m_candidate->rows[index].name : m_first;
    ++m_count;
  }

  const DumpUnitPtr& m_baseline;
  const DumpUnitPtr& m_candidate;
  const SiteMapping& m_mapping;
  dumps::UnitEdit m_edit;
  std::vector<std::regex> m_rules;
  std::vector<bool> m_isDone;  ///< rows: what rules have said is not turned back
  std::string m_first;
  std::size_t m_count = 0;
};

}  // namespace

bool hasClass(const DumpEntry& entry) {
  return (entry.kind == EntryKind::Module || entry.kind == EntryKind::Gradient) &&
         !entry.operation.empty();
}

bool areTransposedByClass(const DumpEntry& one, const DumpEntry& other) {
  return hasClass(one) && hasClass(other) && isConv1D(one) != isConv1D(other);
}

DumpRow transposedRow(DumpRow row) {
  std::swap(row.shape[row.shape.size() - 2], row.shape.back());
  row.checksum.clear();
  return row;
}

DumpUnitPtr withWeightsAsIn(const DumpUnitPtr& baseline,
                            const DumpUnitPtr& candidate,
                            const SiteMapping& mapping) {
  return Transposer(baseline, candidate, mapping).make();
}

}  // namespace ulp::analysis
