#include "core/analysis/dumps/merged_ranks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/format_number.h"
#include "core/dumps/derived_unit.h"

namespace ulp::analysis {
namespace {

using dumps::DerivedUnit;
using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;
using dumps::Statistics;
using dumps::TensorRecipe;

/// Names in a note.
constexpr std::size_t kNamesShown = 8;

bool isSame(const std::optional<double>& a, const std::optional<double>& b) {
  return a == b || (a && b && std::isnan(*a) && std::isnan(*b));
}

/// "norm 2 instead of 1", of the first number that differs.
std::string differenceText(const Statistics& is, const Statistics& should) {
  struct Number {
    const char* name;
    std::optional<double> Statistics::*value;
  };
  for (const Number& number : {Number{"norm", &Statistics::norm},
                               Number{"max", &Statistics::max},
                               Number{"min", &Statistics::min},
                               Number{"mean", &Statistics::mean}}) {
    const auto& left = is.*number.value;
    const auto& right = should.*number.value;
    if (!isSame(left, right)) {
      return fmt::format("{} {} instead of {}",
                         number.name,
                         left ? formatExact(*left) : "missing",
                         right ? formatExact(*right) : "missing");
    }
  }
  return "statistics differ";
}

/// What a note tells: how many, and the first of them. Ranks that hold shards without a rule have
/// millions.
class Noted {
 public:
  /// `text` makes the name where it will be shown.
  template <class Text>
  void add(const Text& text) {
    if (m_shown.size() < kNamesShown) {
      m_shown.push_back(text());
    }
    ++m_count;
  }
  [[nodiscard]] std::optional<std::string> note(const char* what) const {
    if (m_count == 0) {
      return std::nullopt;
    }
    const std::size_t more = m_count - m_shown.size();
    return fmt::format("{} {}: {}{}",
                       m_count,
                       what,
                       fmt::join(m_shown, "; "),
                       more > 0 ? fmt::format(" and {} more", more) : "");
  }

 private:
  std::size_t m_count = 0;
  std::vector<std::string> m_shown;
};

/// One row on every rank.
struct RankRows {
  std::vector<DumpUnitPtr> units;
  std::vector<std::size_t> rows;

  [[nodiscard]] const DumpRow& row(std::size_t rank) const { return units[rank]->rows[rows[rank]]; }
  [[nodiscard]] TensorRecipe recipe(std::size_t rank) const {
    return dumps::rowRecipe(units[rank], rows[rank]);
  }
  [[nodiscard]] std::vector<TensorRecipe> recipes() const {
    std::vector<TensorRecipe> all;
    for (std::size_t rank = 0; rank < rows.size(); ++rank) {
      all.push_back(recipe(rank));
    }
    return all;
  }
};

class Merger {
 public:
  Merger(const std::vector<DumpUnitPtr>& units, const ShardMatcher& matcher, ShardAxis axis)
      : m_units(units),
        m_matcher(matcher),
        m_axis(axis),
        m_result(std::make_shared<DerivedUnit>(units.front()->axes)),
        m_places(units.size()),
        m_isUsed(units.size()) {
    for (std::size_t rank = 0; rank < units.size(); ++rank) {
      m_isUsed[rank].resize(units[rank]->entries.size());
      const auto names = uniqueNames(*units[rank]);
      for (std::size_t i = 0; i < names.size(); ++i) {
        m_places[rank].emplace(names[i], i);
      }
      m_result->notes.insert(
          m_result->notes.end(), units[rank]->notes.begin(), units[rank]->notes.end());
    }
    m_result->stacks = units.front()->stacks;
  }

  [[nodiscard]] DumpUnitPtr merge() && {
    const auto names = uniqueNames(*m_units.front());
    for (std::size_t i = 0; i < names.size(); ++i) {
      mergeEntry(i, names[i]);
    }
    for (std::size_t rank = 1; rank < m_units.size(); ++rank) {
      addRest(rank);
    }
    addNote(m_differing,
            "tensors differ between ranks that should hold the same; if they are shards, a rule "
            "of 'shards' says so");
    addNote(m_lacking, "tensors are not there on every rank, and stay as the first rank has them");
    addNote(m_impossible, "tensors cannot be put together, and stay as the first rank has them");
    return std::move(m_result);
  }

 private:
  [[nodiscard]] static std::vector<std::string> uniqueNames(const DumpUnit& unit) {
    std::unordered_map<std::string, std::size_t> seen;
    std::vector<std::string> names;
    for (const DumpEntry& entry : unit.entries) {
      const std::size_t before = seen[entry.name]++;
      names.push_back(before == 0 ? entry.name : fmt::format("{}#{}", entry.name, before));
    }
    return names;
  }

  void mergeEntry(std::size_t index, const std::string& name) {
    std::vector<std::size_t> entries{index};
    for (std::size_t rank = 1; rank < m_units.size(); ++rank) {
      const auto found = m_places[rank].find(name);
      entries.push_back(found == m_places[rank].end() ? dumps::kNone : found->second);
      if (entries.back() != dumps::kNone) {
        m_isUsed[rank][entries.back()] = true;
      }
    }
    const DumpEntry& first = m_units.front()->entries[index];
    // Every entry of the first rank is kept in its place, so that enclosing calls stay the same.
    m_result->addEntry(first);
    for (std::size_t r = 0; r < first.rowCount; ++r) {
      mergeRow(entries, first.firstRow + r, r);
    }
  }

  /// Of the same role and index, at the same place if it is there.
  [[nodiscard]] std::size_t partner(std::size_t rank,
                                    std::size_t entryIndex,
                                    const DumpRow& row,
                                    std::size_t place) const {
    if (entryIndex == dumps::kNone) {
      return dumps::kNone;
    }
    const DumpUnit& unit = *m_units[rank];
    const DumpEntry& entry = unit.entries[entryIndex];
    const auto fits = [&](std::size_t r) {
      return unit.rows[r].role == row.role && unit.rows[r].index == row.index;
    };
    if (place < entry.rowCount && fits(entry.firstRow + place)) {
      return entry.firstRow + place;
    }
    for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
      if (fits(r)) {
        return r;
      }
    }
    return dumps::kNone;
  }

  void mergeRow(const std::vector<std::size_t>& entries, std::size_t index, std::size_t place) {
    const DumpRow& row = m_units.front()->rows[index];
    RankRows all{.units = m_units, .rows = {index}};
    for (std::size_t rank = 1; rank < m_units.size(); ++rank) {
      const std::size_t other = partner(rank, entries[rank], row, place);
      if (other == dumps::kNone) {
        m_lacking.add(
            [&] { return fmt::format("{} ({})", row.name, describe(m_units[rank]->axes)); });
        m_result->addRowOf(m_units.front(), index);
        return;
      }
      all.rows.push_back(other);
    }
    if (!isTensor(row)) {
      m_result->addRowOf(m_units.front(), index);
      return;
    }
    const DumpEntry& entry = m_units.front()->entries[entries.front()];
    const ShardRule rule = m_matcher.ruleFor(entry, row, m_axis, m_known);
    if (rule.kind == ShardKind::Replicated) {
      addReplicated(all);
    } else if (rule.kind == ShardKind::Concat) {
      addConcatenated(all, rule);
    } else {
      DumpRow sum = row;
      sum.statistics = {};
      sum.checksum.clear();
      m_result->addRow(std::move(sum),
                       dumps::recipeOf(rule.kind == ShardKind::Sum ? TensorRecipe::Kind::Sum
                                                                   : TensorRecipe::Kind::Mean,
                                       all.recipes()));
    }
  }

  void addReplicated(const RankRows& all) {
    const DumpRow& first = all.row(0);
    bool isProven = !first.checksum.empty();
    for (std::size_t rank = 1; rank < all.rows.size(); ++rank) {
      const DumpRow& other = all.row(rank);
      const bool hasChecksums = !first.checksum.empty() && !other.checksum.empty();
      std::string reason;
      if (other.shape != first.shape) {
        reason = fmt::format(
            "[{}] instead of [{}]", fmt::join(other.shape, ", "), fmt::join(first.shape, ", "));
      } else if (hasChecksums) {
        reason = other.checksum == first.checksum ? "" : "its checksum";
      } else if (!isSame(other.statistics, first.statistics)) {
        reason = differenceText(other.statistics, first.statistics);
      }
      isProven = isProven && hasChecksums && reason.empty();
      if (!reason.empty()) {
        m_differing.add([&] {
          return fmt::format("{}: {}: {}", describe(all.units[rank]->axes), other.name, reason);
        });
      }
    }
    DumpRow row = first;
    m_result->addRow(
        std::move(row),
        isProven ? all.recipe(0) : dumps::recipeOf(TensorRecipe::Kind::Same, all.recipes()));
  }

  void addConcatenated(const RankRows& all, const ShardRule& rule) {
    const DumpRow& first = all.row(0);
    const std::size_t dim = dumps::placeOfDimension(rule.dim, first.shape.size());
    const std::string reason = impossibility(all, rule, dim);
    if (!reason.empty()) {
      m_impossible.add([&] { return fmt::format("{} ({})", first.name, reason); });
      m_result->addRowOf(all.units.front(), all.rows.front());
      return;
    }
    DumpRow whole = first;
    whole.checksum.clear();
    whole.shape[dim] = 0;
    std::vector<Statistics> statistics;
    std::vector<std::uint64_t> counts;
    for (std::size_t rank = 0; rank < all.rows.size(); ++rank) {
      whole.shape[dim] += all.row(rank).shape[dim];
      statistics.push_back(all.row(rank).statistics);
      counts.push_back(dumps::elementCount(all.row(rank).shape));
    }
    whole.statistics = dumps::together(statistics, counts);
    m_result->addRow(
        std::move(whole),
        dumps::recipeOf(
            TensorRecipe::Kind::Concat, piecesOf(all, rule, dim), static_cast<std::int64_t>(dim)));
  }

  [[nodiscard]] static std::string impossibility(const RankRows& all,
                                                 const ShardRule& rule,
                                                 std::size_t dim) {
    if (dim == dumps::kNone) {
      return fmt::format("no dimension {} in [{}]", rule.dim, fmt::join(all.row(0).shape, ", "));
    }
    const std::int64_t unit =
        std::accumulate(rule.parts.begin(), rule.parts.end(), std::int64_t{0});
    for (std::size_t rank = 0; rank < all.rows.size(); ++rank) {
      std::vector<std::int64_t> shape = all.row(rank).shape;
      if (unit > 0 && shape.size() > dim && shape[dim] % unit != 0) {
        return fmt::format("{} is no multiple of the {} of its parts", shape[dim], unit);
      }
      if (shape.size() == all.row(0).shape.size()) {
        shape[dim] = all.row(0).shape[dim];
      }
      if (shape != all.row(0).shape) {
        return fmt::format("{}: [{}] beside [{}]",
                           describe(all.units[rank]->axes),
                           fmt::join(all.row(rank).shape, ", "),
                           fmt::join(all.row(0).shape, ", "));
      }
    }
    return "";
  }

  /// Of ranks that hold a piece of each of several parts, part by part.
  [[nodiscard]] static std::vector<TensorRecipe> piecesOf(const RankRows& all,
                                                          const ShardRule& rule,
                                                          std::size_t dim) {
    if (rule.parts.empty()) {
      return all.recipes();
    }
    const std::int64_t unit =
        std::accumulate(rule.parts.begin(), rule.parts.end(), std::int64_t{0});
    std::vector<TensorRecipe> pieces;
    std::int64_t before = 0;
    for (const std::int64_t part : rule.parts) {
      for (std::size_t rank = 0; rank < all.rows.size(); ++rank) {
        const std::int64_t scale = all.row(rank).shape[dim] / unit;
        pieces.push_back(dumps::sliceOf(
            all.recipe(rank), static_cast<std::int64_t>(dim), {{before * scale, part * scale}}));
      }
      before += part;
    }
    return pieces;
  }

  /// Calls that the first rank does not have.
  void addRest(std::size_t rank) {
    const DumpUnit& unit = *m_units[rank];
    std::unordered_map<std::size_t, std::size_t> places;
    for (std::size_t i = 0; i < unit.entries.size(); ++i) {
      if (m_isUsed[rank][i]) {
        continue;
      }
      DumpEntry entry = unit.entries[i];
      const auto parent = places.find(entry.parent);
      entry.parent = parent == places.end() ? dumps::kNone : parent->second;
      entry.stack = dumps::kNone;
      places[i] = m_result->addEntry(std::move(entry));
      for (std::size_t r = 0; r < unit.entries[i].rowCount; ++r) {
        const std::size_t row = unit.entries[i].firstRow + r;
        m_result->addRowOf(m_units[rank], row);
        m_lacking.add([&] {
          return fmt::format("{} ({} alone has it)", unit.rows[row].name, describe(unit.axes));
        });
      }
    }
  }

  void addNote(const Noted& noted, const char* what) {
    if (auto note = noted.note(what)) {
      m_result->notes.push_back(std::move(*note));
    }
  }

  const std::vector<DumpUnitPtr>& m_units;
  const ShardMatcher& m_matcher;
  KnownShards m_known;
  ShardAxis m_axis;
  std::shared_ptr<DerivedUnit> m_result;
  std::vector<std::unordered_map<std::string, std::size_t>> m_places;  ///< entries of each rank
  std::vector<std::vector<bool>> m_isUsed;
  Noted m_differing;
  Noted m_lacking;
  Noted m_impossible;
};

}  // namespace

DumpUnitPtr mergeRanks(const std::vector<DumpUnitPtr>& units,
                       const ShardMatcher& matcher,
                       ShardAxis axis) {
  return units.size() == 1 ? units.front() : Merger(units, matcher, axis).merge();
}

}  // namespace ulp::analysis
