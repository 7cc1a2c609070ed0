#include "core/comparing/ranks/merged_ranks.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/text/format_number.h"
#include "core/base/text/sentence.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/match/row_lookup.h"
#include "core/comparing/ranks/loss_shares.h"
#include "core/comparing/ranks/noted_tensors.h"
#include "core/comparing/ranks/placed_shards.h"
#include "core/comparing/ranks/renumbered_units.h"
#include "core/dumps/model/tensor_recipe.h"

namespace ulp::analysis {
namespace {

using dumps::DerivedUnit;
using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::DumpUnitPtr;
using dumps::ReplicaCheck;
using dumps::Statistics;
using dumps::TensorRecipe;

std::string shapeText(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

/// "norm 2 instead of 1", of the first number that differs.
Sentence differenceText(const Statistics& is, const Statistics& should) {
  struct Number {
    const char* pattern;
    std::optional<double> Statistics::*value;
  };
  for (const Number& number : {Number{ULP_TR_NOOP("norm %1 instead of %2"), &Statistics::norm},
                               Number{ULP_TR_NOOP("max %1 instead of %2"), &Statistics::max},
                               Number{ULP_TR_NOOP("min %1 instead of %2"), &Statistics::min},
                               Number{ULP_TR_NOOP("mean %1 instead of %2"), &Statistics::mean}}) {
    const auto& left = is.*number.value;
    const auto& right = should.*number.value;
    if (!dumps::isSame(left, right)) {
      const auto textOf = [](const std::optional<double>& value) {
        return value ? Sentence(formatExact(*value)) : Sentence{ULP_TR_NOOP("missing"), {}};
      };
      return {number.pattern, {textOf(left), textOf(right)}};
    }
  }
  return {ULP_TR_NOOP("statistics differ"), {}};
}

/// A row of one rank, or what several hold alike.
struct RankRow {
  DumpUnitPtr unit;
  std::size_t index = 0;
  TensorRecipe recipe;
  std::size_t owner = 0;  ///< the rank's place among those that divide the experts

  [[nodiscard]] const DumpRow& row() const { return unit->rows[index]; }
  [[nodiscard]] std::string place() const { return describe(unit->axes); }
};
using RankRows = std::vector<RankRow>;

std::vector<TensorRecipe> recipesOf(const RankRows& all) {
  return listOf(all, &RankRow::recipe);
}

/// Why the second row is not what the first one is; empty: as far as was recorded, it is.
Sentence reasonOf(const DumpRow& first, const DumpRow& other) {
  const bool hasChecksums = !first.checksum.empty() && !other.checksum.empty();
  if (other.shape != first.shape) {
    return {ULP_TR_NOOP("%1 instead of %2"), {shapeText(other.shape), shapeText(first.shape)}};
  }
  if (hasChecksums) {
    return other.checksum == first.checksum ? Sentence()
                                            : Sentence{ULP_TR_NOOP("its checksum"), {}};
  }
  return isSame(other.statistics, first.statistics)
             ? Sentence()
             : differenceText(other.statistics, first.statistics);
}

/// What was found of the parts of a row; null: they are recorded rows, not replicas.
std::shared_ptr<ReplicaCheck> checkOfParts(const RankRows& all, bool mayDiffer = false) {
  std::shared_ptr<ReplicaCheck> check;
  for (const RankRow& each : all) {
    include(check, each.row().replicas, mayDiffer);
  }
  return check;
}

/// Whether healthy ranks may differ in what counts as replicated: gradients that are summed up
/// after they were recorded (`areSummed`: before), functions inside of parallel layers hold a
/// rank's part, and data-parallel ranks have losses and saved tensors of their own data.
bool mayDifferIn(const DumpEntry& entry, const DumpRow& row, ShardAxis axis, bool areSummed) {
  const bool isOfData =
      row.role == dumps::Role::Value || (row.shape.empty() && row.role != dumps::Role::Parameter);
  return (row.role == dumps::Role::ParameterGradient && !areSummed) ||
         entry.kind == dumps::EntryKind::Api || (axis == ShardAxis::Data && isOfData);
}

/// All ranks hold the same: one row for them, and whether they do.
RankRow asOne(const RankRows& all, bool mayDiffer, std::shared_ptr<ReplicaCheck>& check) {
  const DumpRow& first = all.front().row();
  check = checkOfParts(all, mayDiffer);
  check = check ? check : std::make_shared<ReplicaCheck>(mayDiffer);
  bool isProven = !first.checksum.empty();
  std::vector<Sentence> reasons;
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const DumpRow& other = all[rank].row();
    const Sentence reason = reasonOf(first, other);
    if (!reason.isEmpty()) {
      reasons.push_back({ULP_TR_NOOP("%1: %2"), {all[rank].place(), reason}});
    }
    isProven = isProven && reason.isEmpty() && other.checksum == first.checksum;
  }
  if (reasons.size() == 1) {
    check->differs(reasons.front());
  } else if (!reasons.empty()) {
    check->differs({reasons.size() == 2 ? ULP_TR_NOOP("%1 (and %2 more rank)")
                                        : ULP_TR_NOOP("%1 (and %2 more ranks)"),
                    {reasons.front(), std::to_string(reasons.size() - 1)}});
  }
  RankRow one = all.front();
  one.recipe = isProven ? all.front().recipe : dumps::sameOf(recipesOf(all), check);
  return one;
}

/// A call on the ranks that have it.
struct RankCall {
  std::vector<std::size_t> entries;  ///< of each rank; kNone: it lacks the call
  std::vector<std::size_t> before;   ///< calls that stand before it, and that earlier ranks lack
  std::size_t result = dumps::kNone;

  [[nodiscard]] std::size_t firstRank() const {
    const auto has = std::ranges::find_if(entries, [](auto e) { return e != dumps::kNone; });
    return static_cast<std::size_t>(has - entries.begin());
  }
};

/// The rows of a call on one rank while they are put together with those of others.
struct RankSearch {
  std::vector<bool> isUsed{};
  std::optional<RowLookup> lookup{};  ///< made where rows stand in another order
};

class Merger {
 public:
  Merger(const std::vector<DumpUnitPtr>& units,
         const ShardMatcher& matcher,
         ShardAxis axis,
         const std::vector<std::size_t>& owners,
         double gradientDivisor)
      : m_units(units),
        m_matcher(matcher),
        m_axis(axis),
        m_divisor(gradientDivisor),
        m_areSummed(gradientDivisor > 0 && areGradientsSummed(units)),
        m_owners(owners),
        m_hasExperts(std::ranges::adjacent_find(owners, std::not_equal_to<>()) != owners.end()),
        m_result(std::make_shared<DerivedUnit>(units.front()->axes)),
        m_callOf(units.size()) {
    for (std::size_t rank = 0; rank < units.size(); ++rank) {
      addRank(rank);
      m_result->notes.insert(
          m_result->notes.end(), units[rank]->notes.begin(), units[rank]->notes.end());
    }
    m_result->stacks = units.front()->stacks;
    m_result->structure = units.front()->structure;
  }

  [[nodiscard]] Result<DumpUnitPtr> merge() && {
    for (const std::size_t call : m_order) {
      mergeCall(call);
    }
    ULP_TRY(m_known.error.check());
    findParents();
    addNote(m_lacking,
            ULP_TR_NOOP("%1 tensors are not there on every rank, and stay as the first rank has "
                        "them: %2"));
    addNote(m_impossible,
            ULP_TR_NOOP("%1 tensors cannot be put together, and stay as the first rank has them: "
                        "%2"));
    addNote(
        m_leftOut,
        ULP_TR_NOOP("%1 tensors cannot be put together by what their ranks say of them, and are "
                    "left out: %2"));
    return std::move(m_result);
  }

 private:
  /// What the same call is called on every rank. Calls of functions are numbered through, which
  /// calls of experts shift.
  [[nodiscard]] std::string nameOf(const DumpEntry& entry) const {
    return m_hasExperts && entry.kind == dumps::EntryKind::Api && !entry.module.empty()
               ? fmt::format("{}|{}|{}", entry.module, entry.operation, toString(entry.pass))
               : entry.name;
  }

  /// Calls that no rank before it has stand where they stand among those that one has.
  void addRank(std::size_t rank) {
    std::unordered_map<std::string, std::size_t> seen;
    std::vector<std::size_t> news;
    const std::size_t known = m_calls.size();
    for (std::size_t i = 0; i < m_units[rank]->entries.size(); ++i) {
      std::string name = nameOf(m_units[rank]->entries[i]);
      name += fmt::format("#{}", seen[name]++);
      const auto [place, isNew] = m_places.try_emplace(std::move(name), m_calls.size());
      const std::size_t call = place->second;
      if (isNew) {
        m_calls.push_back({std::vector<std::size_t>(m_units.size(), dumps::kNone), {}});
        news.push_back(call);
      } else if (call < known) {
        auto& before = m_calls[call].before;
        before.insert(before.end(), news.begin(), news.end());
        news.clear();
      }
      m_calls[call].entries[rank] = i;
      m_callOf[rank].push_back(call);
    }
    m_last.insert(m_last.end(), news.begin(), news.end());
    if (rank + 1 == m_units.size()) {
      for (const std::size_t call : m_last) {
        putInOrder(call);
      }
    }
  }

  /// As deep as there are ranks.
  void putInOrder(std::size_t call) {  // NOLINT(misc-no-recursion)
    for (const std::size_t earlier : m_calls[call].before) {
      putInOrder(earlier);
    }
    m_order.push_back(call);
  }

  void mergeCall(std::size_t index) {
    RankCall& call = m_calls[index];
    const std::size_t first = call.firstRank();
    const DumpUnit& unit = *m_units[first];
    DumpEntry entry = unit.entries[call.entries[first]];
    if (first > 0) {
      entry.stack = dumps::kNone;
    }
    call.result = m_result->addEntry(std::move(entry));
    std::vector<RankSearch> ranks(m_units.size());
    for (std::size_t rank = first; rank < m_units.size(); ++rank) {
      if (call.entries[rank] == dumps::kNone) {
        continue;
      }
      const DumpEntry& its = m_units[rank]->entries[call.entries[rank]];
      ranks[rank].isUsed.resize(its.rowCount);
      for (std::size_t place = 0; place < its.rowCount; ++place) {
        if (!ranks[rank].isUsed[place]) {
          mergeRow(call, rank, place, ranks);
        }
      }
    }
  }

  void findParents() {
    for (const RankCall& call : m_calls) {
      const std::size_t rank = call.firstRank();
      const std::size_t parent = m_units[rank]->entries[call.entries[rank]].parent;
      m_result->entries[call.result].parent =
          parent == dumps::kNone ? dumps::kNone : m_calls[m_callOf[rank][parent]].result;
    }
  }

  /// Of the same role and index, at the same place if it is there.
  [[nodiscard]] std::size_t partner(std::size_t rank,
                                    std::size_t entryIndex,
                                    const DumpRow& row,
                                    std::size_t place,
                                    std::optional<RowLookup>& lookup) const {
    if (entryIndex == dumps::kNone) {
      return dumps::kNone;
    }
    const DumpUnit& unit = *m_units[rank];
    const DumpEntry& entry = unit.entries[entryIndex];
    if (place < entry.rowCount) {
      const DumpRow& there = unit.rows[entry.firstRow + place];
      if (there.role == row.role && there.index == row.index) {
        return entry.firstRow + place;
      }
    }
    if (!lookup) {
      lookup.emplace(unit, entry);
    }
    return lookup->sameIndex(row);
  }

  void mergeRow(const RankCall& call,
                std::size_t first,
                std::size_t place,
                std::vector<RankSearch>& ranks) {
    const DumpEntry& entry = m_units[first]->entries[call.entries[first]];
    const std::size_t index = entry.firstRow + place;
    const DumpRow& row = m_units[first]->rows[index];
    RankRows all;
    std::vector<std::size_t> lacking;
    for (std::size_t rank = 0; rank < m_units.size(); ++rank) {
      // Ranks before the first one that has it do not have it.
      const std::size_t its =
          rank < first    ? dumps::kNone
          : rank == first ? index
                          : partner(rank, call.entries[rank], row, place, ranks[rank].lookup);
      if (its == dumps::kNone) {
        lacking.push_back(rank);
        continue;
      }
      const std::size_t from = m_units[rank]->entries[call.entries[rank]].firstRow;
      ranks[rank].isUsed.resize(m_units[rank]->entries[call.entries[rank]].rowCount);
      ranks[rank].isUsed[its - from] = true;
      all.push_back({m_units[rank],
                     its,
                     dumps::rowRecipe(m_units[rank], its),
                     m_owners.empty() ? 0 : m_owners[rank]});
    }
    const bool isExpert = m_hasExperts && isOfOneExpert(expertNameOf(entry, row));
    if (!lacking.empty() && !isExpert) {
      noteLacking(all, lacking);
      m_result->addRowOf(m_units[first], index);
    } else if (all.size() == 1 || !isTensor(row)) {
      m_result->addRowOf(m_units[first], index);
    } else {
      addMerged(entry, all);
    }
  }

  void noteLacking(const RankRows& all, const std::vector<std::size_t>& lacking) {
    m_lacking.add([&] {
      return all.size() == 1 && m_units.size() > 1 && lacking.front() == 0
                 ? Sentence{ULP_TR_NOOP("%1 (%2 alone has it)"),
                            {all.front().row().name, all.front().place()}}
                 : Sentence{ULP_TR_NOOP("%1 (%2)"),
                            {all.front().row().name, describe(m_units[lacking.front()]->axes)}};
    });
  }

  void addMerged(const DumpEntry& entry, const RankRows& all) {
    const DumpRow& row = all.front().row();
    const auto placed = listOf(all, [](const RankRow& each) {
      return PlacedShard{each.row(), each.recipe};
    });
    if (arePlacedShards(placed)) {
      addPlaced(all, placed);
      return;
    }
    if (m_hasExperts) {
      if (const ShardRule* rule = m_matcher.find(entry, row, ShardAxis::Expert, m_known)) {
        std::shared_ptr<ReplicaCheck> check = checkOfParts(all);
        const RankRows owners = ownersOf(all, mayDifferIn(entry, row, m_axis, m_areSummed), check);
        addConcatenated(owners, *rule, std::move(check));
        return;
      }
    }
    const ShardRule rule = arePlacedReplicas(placed)
                               ? ShardRule{.kind = ShardKind::Replicated}
                               : m_matcher.ruleFor(entry, row, m_axis, m_known);
    if (m_divisor > 0 && addShareOfLoss(entry, rule, all)) {
      return;
    }
    if (rule.kind == ShardKind::Replicated) {
      addReplicated(all, mayDifferIn(entry, row, m_axis, m_areSummed));
    } else if (rule.kind == ShardKind::Concat) {
      addConcatenated(all, rule, checkOfParts(all));
    } else {
      addSummed(all,
                dumps::recipeOf(rule.kind == ShardKind::Sum ? TensorRecipe::Kind::Sum
                                                            : TensorRecipe::Kind::Mean,
                                recipesOf(all)));
    }
  }

  void addSummed(const RankRows& all, TensorRecipe recipe, const Statistics& statistics = {}) {
    DumpRow sum = all.front().row();
    sum.statistics = statistics;
    sum.checksum.clear();
    sum.replicas = checkOfParts(all);
    m_result->addRow(std::move(sum), std::move(recipe));
  }

  /// What a rank has of the loss whose gradients parameters get: the sum of all losses, by the
  /// divisor. False: the row is none.
  [[nodiscard]] bool addShareOfLoss(const DumpEntry& entry,
                                    const ShardRule& rule,
                                    const RankRows& all) {
    const DumpRow& row = all.front().row();
    if (rule.kind == ShardKind::Replicated) {
      const bool isAlike = (!row.checksum.empty() || !row.statistics.isEmpty()) &&
                           std::ranges::all_of(all, [&](const RankRow& each) {
                             return reasonOf(row, each.row()).isEmpty();
                           });
      if (!isNumber(row) || isAlike || m_divisor != static_cast<double>(all.size())) {
        return false;
      }
      const auto numbers = listOf(all, [](const RankRow& each) { return each.row().statistics; });
      addSummed(all, dumps::sumOf(recipesOf(all), m_divisor), meanOfNumbers(numbers));
      return true;
    }
    if (rule.kind != ShardKind::Concat || !isGradientOfCall(row)) {
      return false;
    }
    if (entry.kind == dumps::EntryKind::Api && row.role == dumps::Role::InputGradient &&
        isParameterArgument(entry, row.index)) {
      addSummed(all, dumps::sumOf(recipesOf(all), m_divisor));
      return true;
    }
    addConcatenated(all, rule, checkOfParts(all), m_divisor);
    return true;
  }

  void addPlaced(const RankRows& all, const std::vector<PlacedShard>& placed) {
    PlacedWhole whole = wholeOf(placed);
    if (!whole.problem.isEmpty()) {  // A part beside the whole would be a fault that is none.
      m_leftOut.add([&] {
        return Sentence{ULP_TR_NOOP("%1 (%2)"), {all.front().row().name, whole.problem}};
      });
      return;
    }
    m_result->addRow(std::move(whole.whole.row), std::move(whole.whole.recipe));
  }

  void addReplicated(const RankRows& all, bool mayDiffer) {
    std::shared_ptr<ReplicaCheck> check;
    RankRow one = asOne(all, mayDiffer, check);
    DumpRow row = one.row();
    row.replicas = std::move(check);
    m_result->addRow(std::move(row), std::move(one.recipe));
  }

  /// One row for each place in the expert-parallel groups, of ranks that have the same experts.
  [[nodiscard]] static RankRows ownersOf(const RankRows& all,
                                         bool mayDiffer,
                                         std::shared_ptr<ReplicaCheck>& check) {
    std::map<std::size_t, RankRows> byOwner;
    for (const RankRow& each : all) {
      byOwner[each.owner].push_back(each);
    }
    RankRows owners;
    for (const auto& [owner, its] : byOwner) {
      std::shared_ptr<ReplicaCheck> ofOwner;
      owners.push_back(its.size() == 1 ? its.front() : asOne(its, mayDiffer, ofOwner));
      include(check, std::move(ofOwner));
    }
    return owners;
  }

  void addConcatenated(const RankRows& all,
                       const ShardRule& rule,
                       std::shared_ptr<ReplicaCheck> check,
                       double divisor = 1) {
    const DumpRow& first = all.front().row();
    const std::size_t dim = dumps::placeOfDimension(rule.dim, first.shape.size());
    const Sentence reason = impossibility(all, rule, dim);
    if (!reason.isEmpty()) {
      m_impossible.add([&] { return Sentence{ULP_TR_NOOP("%1 (%2)"), {first.name, reason}}; });
      m_result->addRowOf(all.front().unit, all.front().index);
      return;
    }
    DumpRow whole = first;
    whole.checksum.clear();
    whole.placement =
        placementBehind(listOf(all, [](const RankRow& each) { return each.row().placement; }), dim);
    whole.shape[dim] = 0;
    std::vector<Statistics> statistics;
    std::vector<std::uint64_t> counts;
    for (const RankRow& each : all) {
      whole.shape[dim] += each.row().shape[dim];
      statistics.push_back(each.row().statistics);
      counts.push_back(dumps::elementCount(each.row().shape));
    }
    whole.statistics =
        dividedBy(withoutRounding(
                      dumps::together(statistics, counts), first, dumps::elementCount(whole.shape)),
                  divisor);
    whole.replicas = std::move(check);
    std::vector<TensorRecipe> pieces = piecesOf(all, rule, dim);
    for (TensorRecipe& piece : pieces) {
      if (divisor != 1) {
        piece = dumps::sumOf({std::move(piece)}, divisor);
      }
    }
    m_result->addRow(
        std::move(whole),
        dumps::recipeOf(
            TensorRecipe::Kind::Concat, std::move(pieces), static_cast<std::int64_t>(dim)));
  }

  [[nodiscard]] static Sentence impossibility(const RankRows& all,
                                              const ShardRule& rule,
                                              std::size_t dim) {
    const DumpRow& first = all.front().row();
    if (dim == dumps::kNone) {
      return {ULP_TR_NOOP("no dimension %1 in %2"),
              {std::to_string(rule.dim), shapeText(first.shape)}};
    }
    const std::int64_t unit =
        std::accumulate(rule.parts.begin(), rule.parts.end(), std::int64_t{0});
    for (const RankRow& each : all) {
      std::vector<std::int64_t> shape = each.row().shape;
      if (unit > 0 && shape.size() > dim && shape[dim] % unit != 0) {
        return {ULP_TR_NOOP("%1 is no multiple of the %2 of its parts"),
                {std::to_string(shape[dim]), std::to_string(unit)}};
      }
      if (shape.size() == first.shape.size()) {
        shape[dim] = first.shape[dim];
      }
      if (shape != first.shape) {
        return {ULP_TR_NOOP("%1: %2 beside %3"),
                {each.place(), shapeText(each.row().shape), shapeText(first.shape)}};
      }
    }
    return {};
  }

  /// Of ranks that hold a piece of each of several parts, part by part.
  [[nodiscard]] static std::vector<TensorRecipe> piecesOf(const RankRows& all,
                                                          const ShardRule& rule,
                                                          std::size_t dim) {
    if (rule.parts.empty()) {
      return recipesOf(all);
    }
    const std::int64_t unit =
        std::accumulate(rule.parts.begin(), rule.parts.end(), std::int64_t{0});
    std::vector<TensorRecipe> pieces;
    std::int64_t before = 0;
    for (const std::int64_t part : rule.parts) {
      for (const RankRow& each : all) {
        const std::int64_t scale = each.row().shape[dim] / unit;
        pieces.push_back(dumps::sliceOf(
            each.recipe, static_cast<std::int64_t>(dim), {{before * scale, part * scale}}));
      }
      before += part;
    }
    return pieces;
  }

  void addNote(const NotedTensors& noted, const char* pattern) {
    if (auto note = noted.note(pattern)) {
      m_result->notes.push_back(std::move(*note));
    }
  }

  const std::vector<DumpUnitPtr>& m_units;
  const ShardMatcher& m_matcher;
  KnownShards m_known;
  ShardAxis m_axis;
  double m_divisor;  ///< of gradients of data-parallel ranks; 0: not known
  bool m_areSummed;
  const std::vector<std::size_t>& m_owners;
  bool m_hasExperts;  ///< the ranks have different ones
  std::shared_ptr<DerivedUnit> m_result;
  std::vector<RankCall> m_calls;
  std::unordered_map<std::string, std::size_t> m_places;  ///< calls by name
  std::vector<std::vector<std::size_t>> m_callOf;         ///< of each rank's entries
  std::vector<std::size_t> m_last;  ///< calls that stand before none that an earlier rank has
  std::vector<std::size_t> m_order;
  NotedTensors m_lacking;
  NotedTensors m_impossible;
  NotedTensors m_leftOut;
};

}  // namespace

Result<DumpUnitPtr> mergeRanks(const std::vector<DumpUnitPtr>& units,
                               const ShardMatcher& matcher,
                               ShardAxis axis,
                               const std::vector<std::size_t>& owners,
                               double gradientDivisor) {
  if (units.size() == 1) {
    return units.front();
  }
  return Merger(units, matcher, axis, owners, gradientDivisor).merge();
}

}  // namespace ulp::analysis
