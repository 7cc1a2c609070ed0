#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/first_error.h"
#include "core/base/stop_pace.h"
#include "core/base/text/regular_expression.h"
#include "core/comparing/align/edited_sides.h"
#include "core/comparing/match/row_lookup.h"
#include "core/numerics/tensor_view.h"

namespace ulp::analysis {
namespace {

using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;
using dumps::Role;
using Extents = std::vector<std::int64_t>;

/// Two neighbouring dimensions as long as these, of the baseline.
using Neighbours = std::pair<std::int64_t, std::int64_t>;

/// Dimensions before and behind those that are exchanged: layers, heads and elements of a token.
constexpr std::size_t kOuterSamples = 4;
constexpr std::size_t kInnerSamples = 256;
/// Pairs of places that are looked at.
constexpr std::size_t kPairSamples = 32;
/// At least half of the difference is gone: of its square, this much.
constexpr double kMuchBetter = 4;

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

/// What two tensors with equal neighbours tell of their order.
enum class Told : std::uint8_t {
  NoMatter,  ///< it changes nothing that is compared
  Nothing,
  AsTheyAre,
  Exchanged
};

/// Places that are spread evenly over `count`, at most `most` of them, and the first.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t step = count / most + (count % most == 0 ? 0 : 1);
  for (std::size_t at = 0; at < count; at += std::max<std::size_t>(step, 1)) {
    places.push_back(at);
  }
  return places;
}

/// Two tensors of the same shape, of which the candidate's may have places (i, j) as (j, i).
class LayoutQuestion {
 public:
  LayoutQuestion(const numerics::TensorView& baseline,
                 const numerics::TensorView& candidate,
                 std::size_t dim)
      : m_baseline(baseline),
        m_candidate(candidate),
        m_side(static_cast<std::size_t>(baseline.shape[dim])) {
    for (std::size_t i = dim + 2; i < baseline.shape.size(); ++i) {
      m_inner *= static_cast<std::size_t>(baseline.shape[i]);
    }
  }

  [[nodiscard]] Told answer() {
    const std::size_t square = m_side * m_side * m_inner;
    const std::size_t outer = square == 0 ? 0 : m_baseline.count() / square;
    for (const std::size_t o : spread(outer, kOuterSamples)) {
      // Above the diagonal, which an exchange leaves alone.
      for (const std::size_t pair : spread(m_side * (m_side - 1) / 2, kPairSamples)) {
        const auto [i, j] = pairOf(pair);
        addPair(o * square + (i * m_side + j) * m_inner, o * square + (j * m_side + i) * m_inner);
      }
    }
    if (m_asTheyAre == 0 && m_exchanged == 0) {
      return Told::NoMatter;
    }
    if (m_exchanged * kMuchBetter < m_asTheyAre) {
      return Told::Exchanged;
    }
    return m_asTheyAre * kMuchBetter < m_exchanged ? Told::AsTheyAre : Told::Nothing;
  }

 private:
  using Samples = std::array<double, kInnerSamples>;

  /// Numbers all pairs i < j, row by row.
  [[nodiscard]] std::pair<std::size_t, std::size_t> pairOf(std::size_t number) const {
    std::size_t i = 0;
    for (std::size_t width = m_side - 1; number >= width; --width) {
      number -= width;
      ++i;
    }
    return {i, i + 1 + number};
  }

  void addPair(std::size_t upper, std::size_t lower) {
    const std::size_t count = std::min(m_inner, kInnerSamples);
    Samples baseline;
    Samples candidateUpper;
    Samples candidateLower;
    read(m_baseline, upper, std::span(baseline).first(count));
    read(m_candidate, upper, std::span(candidateUpper).first(count));
    read(m_candidate, lower, std::span(candidateLower).first(count));
    for (std::size_t k = 0; k < count; ++k) {
      const double asTheyAre = baseline[k] - candidateUpper[k];
      const double exchanged = baseline[k] - candidateLower[k];
      if (std::isfinite(asTheyAre) && std::isfinite(exchanged)) {
        m_asTheyAre += asTheyAre * asTheyAre;
        m_exchanged += exchanged * exchanged;
      }
    }
  }

  static void read(const numerics::TensorView& tensor, std::size_t first, std::span<double> to) {
    numerics::readElements(tensor, static_cast<std::int64_t>(first), 1, to);
  }

  const numerics::TensorView& m_baseline;
  const numerics::TensorView& m_candidate;
  std::size_t m_side;
  std::size_t m_inner = 1;
  double m_asTheyAre = 0;
  double m_exchanged = 0;
};

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

  /// Files that cannot be read, or are not as long as recorded, tell nothing: the comparison says
  /// what is wrong with them.
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
    const auto left = m_baseline.read(row.baseline);
    const auto right = m_candidate->read(row.candidate);
    if (!left || !right || left->view.shape != own.shape || right->view.shape != own.shape) {
      return Told::NoMatter;
    }
    const Told told = LayoutQuestion(left->view, right->view, row.dim).answer();
    const bool areIntact = tensors::checkIntact(*left) && tensors::checkIntact(*right);
    return areIntact ? told : Told::NoMatter;
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
