#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/first_error.h"
#include "core/base/stop_pace.h"
#include "core/base/text/regular_expression.h"
#include "core/comparing/align/edited_sides.h"
#include "core/comparing/align/exchanged_elements.h"
#include "core/comparing/match/row_lookup.h"

namespace ulp::analysis {
namespace {

using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;
using dumps::Role;
using Extents = std::vector<std::int64_t>;

/// Two neighbouring dimensions as long as these, of the baseline.
using Neighbours = std::pair<std::int64_t, std::int64_t>;

/// What may have tokens: parameters have none.
bool isActivation(const DumpRow& row) {
  return row.role != Role::Parameter && row.role != Role::ParameterGradient;
}

bool isLong(std::int64_t extent) {
  return extent > 1;
}

/// The only place at which exchanging neighbours makes one shape of the other. The last dimension
/// holds what belongs to a token, unless there are two alone.
std::optional<std::size_t> exchangedAt(const Extents& baseline, const Extents& candidate) {
  const auto [left, right] = std::ranges::mismatch(baseline, candidate);
  const auto dim = static_cast<std::size_t>(left - baseline.begin());
  const std::size_t end = baseline.size() == 2 ? 2 : baseline.size() - 1;
  if (baseline.size() != candidate.size() || baseline.size() < 2 || dim + 1 >= end ||
      !isLong(*left) || !isLong(*right) || left[0] != right[1] || left[1] != right[0] ||
      !std::equal(left + 2, baseline.end(), right + 2)) {
    return std::nullopt;
  }
  return dim;
}

/// The first two neighbours, the last dimension aside, that are equally long.
std::optional<std::size_t> equalNeighbours(const Extents& shape) {
  for (std::size_t dim = 0; dim + 2 < shape.size(); ++dim) {
    if (isLong(shape[dim]) && shape[dim] == shape[dim + 1]) {
      return dim;
    }
  }
  return std::nullopt;
}

Neighbours neighboursAt(const Extents& shape, std::size_t dim) {
  return {shape[dim], shape[dim + 1]};
}

/// Cheap, and enough for nearly every pair of units: keys of all entries are not.
Result<bool> mayBeExchanged(const DumpUnit& baseline, const DumpUnit& candidate) {
  std::set<Extents> shapes;
  ULP_TRY(eachRow(candidate, [&](std::size_t /*entry*/, std::size_t r) {
    const DumpRow& row = candidate.rows[r];
    if (isActivation(row) && row.shape.size() > 2) {
      shapes.insert(row.shape);
    }
  }));
  bool isPossible = false;
  ULP_TRY(eachRow(baseline, [&](std::size_t /*entry*/, std::size_t r) {
    const DumpRow& row = baseline.rows[r];
    Extents shape = row.shape;
    for (std::size_t dim = 0; !isPossible && isActivation(row) && dim + 2 < shape.size(); ++dim) {
      std::swap(shape[dim], shape[dim + 1]);
      isPossible = isLong(shape[dim]) && isLong(shape[dim + 1]) && shapes.contains(shape);
      std::swap(shape[dim], shape[dim + 1]);
    }
  }));
  return isPossible;
}

/// A row of the candidate beside that of the baseline which stands in the same place.
struct PlacedRow {
  std::size_t baseline;
  std::size_t candidate;
  std::size_t dim;  ///< of the two that are exchanged, the first
  Told told = Told::NoMatter;
};

class Exchanger {
 public:
  Exchanger(const UnitSides& units, const AlignmentRules& rules)
      : m_baseline(*units.baseline),
        m_candidate(units.candidate),
        m_mapping(rules.mapping),
        m_readsElements(rules.readsElements),
        m_edit(units.candidate),
        m_isDone(units.candidate->rows.size()) {}

  [[nodiscard]] Result<DumpUnitPtr> make() && {
    ULP_TRY(byRules());
    if (m_mapping.dumps().findsExchanged) {
      ULP_TRY(byPartners());
    }
    addNotes();
    return std::move(m_edit).build();
  }

 private:
  Result<> byRules() {
    const auto rules = ULP_TRY(compileExpressions(m_mapping.dumps().exchanged));
    FirstError error;
    const auto isMeant = [&](const std::string& name) {
      return error.valueOf([&] { return isAnyFoundIn(rules, name); }, false);
    };
    ULP_TRY(eachRow(*m_candidate, [&](std::size_t entry, std::size_t r) {
      const DumpRow& row = m_candidate->rows[r];
      if (isActivation(row) && row.shape.size() > 1 &&
          (isMeant(m_candidate->entries[entry].module) || isMeant(row.name))) {
        exchangeOnce(r, 0);
      }
    }));
    return error.check();
  }

  Result<> byPartners() {
    const bool mayBe = ULP_TRY(mayBeExchanged(m_baseline, *m_candidate));
    if (!mayBe) {
      return {};
    }
    const PairedKeys keys = pairedKeys(m_baseline, *m_candidate, m_mapping);
    ULP_TRY(keys.check());
    std::vector<PlacedRow> equallyLong;
    StopPace pace;
    for (std::size_t i = 0; i < m_baseline.entries.size(); ++i) {
      if (pace.isStopped()) {
        return stopped();
      }
      const std::size_t partner = keys.candidate.find(keys.baseline.all()[i].text());
      if (partner != dumps::kNone) {
        addRows(m_baseline.entries[i], m_candidate->entries[partner], equallyLong);
      }
    }
    ULP_TRY(ask(equallyLong));
    return follow();
  }

  /// Exchanges what shapes tell, and keeps what only elements can tell.
  void addRows(const dumps::DumpEntry& own,
               const dumps::DumpEntry& other,
               std::vector<PlacedRow>& equallyLong) {
    RowLookup lookup(m_baseline, own);
    for (const std::size_t r : other.rows()) {
      const DumpRow& row = m_candidate->rows[r];
      const std::size_t same = isActivation(row) && !m_isDone[r] && row.shape.size() > 2
                                   ? lookup.sameIndex(row)
                                   : dumps::kNone;
      if (same == dumps::kNone) {
        continue;
      }
      const Extents& shape = m_baseline.rows[same].shape;
      if (shape == row.shape) {
        if (const auto dim = equalNeighbours(shape)) {
          equallyLong.push_back({same, r, *dim});
        } else {
          m_kept.insert(neighboursAt(shape, 0));
        }
      } else if (const auto dim = exchangedAt(shape, row.shape)) {
        exchangeOnce(r, *dim);
        if (*dim == 0) {
          m_exchanged.insert(neighboursAt(shape, 0));
        }
      }
    }
  }

  Result<> ask(std::vector<PlacedRow>& rows) {
    StopPace pace(1);
    for (PlacedRow& row : rows) {
      if (pace.isStopped()) {
        return stopped();
      }
      row.told = tell(row);
    }
    // Up to the first that tells it, all follow that one; then each the one before.
    const auto tells = [](const PlacedRow& row) {
      return row.told == Told::AsTheyAre || row.told == Told::Exchanged;
    };
    const auto first = std::ranges::find_if(rows, tells);
    Told before = first == rows.end() ? Told::Nothing : first->told;
    for (const PlacedRow& row : rows) {
      before = tells(row) ? row.told : before;
      if (row.told != Told::NoMatter) {
        settle(row, before);
      }
    }
    return {};
  }

  void settle(const PlacedRow& row, Told told) {
    if (told == Told::Nothing) {
      m_untold.push_back(row.candidate);
      return;
    }
    if (row.dim == 0) {
      (told == Told::Exchanged ? m_exchanged : m_kept)
          .insert(neighboursAt(m_baseline.rows[row.baseline].shape, 0));
    }
    if (told == Told::Exchanged) {
      exchangeOnce(row.candidate, row.dim);
    }
  }

  [[nodiscard]] Told tell(const PlacedRow& row) const {
    const DumpRow& own = m_baseline.rows[row.baseline];
    const DumpRow& other = m_candidate->rows[row.candidate];
    if (!m_readsElements || !own.hasElements || !other.hasElements) {
      // Statistics do not depend on the order, and checksums do.
      const bool haveChecksums = !own.checksum.empty() && !other.checksum.empty();
      return !haveChecksums                   ? Told::NoMatter
             : own.checksum == other.checksum ? Told::AsTheyAre
                                              : Told::Nothing;
    }
    return tellExchanged(m_baseline, row.baseline, *m_candidate, row.candidate, row.dim);
  }

  /// What has no partner of its shape (part of a fused tensor, token ids) lies as all others do.
  Result<> follow() {
    return eachRow(*m_candidate, [&](std::size_t /*entry*/, std::size_t r) {
      const DumpRow& row = m_candidate->rows[r];
      if (!isActivation(row) || row.shape.size() < 2 ||
          (row.role == Role::Value && row.shape.size() == 2)) {
        return;
      }
      const Neighbours extents{row.shape[1], row.shape[0]};
      if (m_exchanged.contains(extents) && !m_kept.contains(extents)) {
        exchangeOnce(r, 0);
      }
    });
  }

  void exchangeOnce(std::size_t index, std::size_t dim) {
    const DumpRow& row = m_candidate->rows[index];
    // Of a checksum alone nothing would be left: that the shapes differ is the better answer.
    if (m_isDone[index] || (!row.hasElements && row.statistics.isEmpty())) {
      return;
    }
    m_isDone[index] = true;
    MadeRow made = rowAsItIs(m_candidate, index);
    transpose(made, dim);
    m_edit.replace(index, std::move(made.first), std::move(made.second));
    m_first = m_count == 0 ? row.name : m_first;
    ++m_count;
  }

  void addNotes() {
    if (m_count > 0) {
      m_edit.note(
          {ULP_TR_NOOP("%1 tensors are compared with two dimensions exchanged ([T, B, …] and [B, "
                       "T, …]), as the other side holds them: %2; 'exchanged' of the mapping can "
                       "say otherwise"),
           {std::to_string(m_count), andMore(m_first, m_count - 1)}});
    }
    if (!m_untold.empty()) {
      const DumpRow& row = m_candidate->rows[m_untold.front()];
      m_edit.note(
          {ULP_TR_NOOP("%1 tensors have two dimensions that are equally long, and nothing tells "
                       "whether both sides hold them in the same order: %2 are compared as they "
                       "are; 'exchanged' of the mapping can say otherwise"),
           {std::to_string(m_untold.size()), andMore(row.name, m_untold.size() - 1)}});
    }
  }

  const DumpUnit& m_baseline;
  const DumpUnitPtr& m_candidate;
  const SiteMapping& m_mapping;
  bool m_readsElements;
  dumps::UnitEdit m_edit;
  std::vector<bool> m_isDone;        ///< rows: what rules have said is not turned back
  std::set<Neighbours> m_exchanged;  ///< first two dimensions of the baseline
  std::set<Neighbours> m_kept;
  std::vector<std::size_t> m_untold;  ///< rows
  std::string m_first;
  std::size_t m_count = 0;
};

}  // namespace

Result<> exchangeDimensions(UnitSides& units, const AlignmentRules& rules) {
  units.candidate = ULP_TRY(Exchanger(units, rules).make());
  return {};
}

}  // namespace ulp::analysis
