#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/comparing/align/fused_groups.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::NewEntry;
using dumps::TensorRecipe;
using How = FusedRow::How;

/// Fused tensors of a name from which the number of their groups is found.
constexpr std::size_t kMostWitnesses = 3;

/// What the entry would have to be called for the baseline's words to be `wanted`; nothing where
/// the mapping does not lead there.
std::optional<std::string> ownWords(EditedSide& side,
                                    std::size_t entry,
                                    const NameDifference& difference,
                                    const std::string& wanted) {
  const DumpEntry& scope = scopeOf(*side.unit, side.entry(entry));
  const std::string own = replaced(pathOrName(scope), difference);
  if (side.keys.mapped(scope, own) == wanted) {
    return own;
  }
  return side.keys.mapped(scope, wanted) == wanted ? std::optional(wanted) : std::nullopt;
}

void rename(DumpEntry& entry, const std::string& path, const std::string& name) {
  entry.name = entry.isNamed() ? path : name;
  entry.module = path;
}

/// The groups of one direction: what `fused` holds together `split` holds in parts.
class FusedDirection {
 public:
  FusedDirection(EditedSide& fused, EditedSide& split, FusedNames& names)
      : m_fused(fused), m_split(split), m_groups(findFused(fused, split, names)) {}

  [[nodiscard]] bool canCut() const {
    return std::ranges::any_of(m_groups, [](const FusedGroup& group) {
      return std::ranges::any_of(
          group.rows, [](const FusedRow& row) { return row.how == How::Cut && row.hasElements; });
    });
  }

  void apply(bool cuts) {
    if (cuts) {
      findWays();
    }
    for (FusedGroup& group : m_groups) {
      for (const FusedRow& row : group.rows) {
        if (row.how == How::None) {
          explain(row, row.reason);
        }
      }
      cuts ? cut(group) : join(group);
    }
    if (m_transposed > 0) {
      m_fused.edit.note(
          {ULP_TR_NOOP("%1 parts of fused weights are compared transposed, as the other side "
                       "holds them; 'transposed' of the mapping can say otherwise"),
           {std::to_string(m_transposed)}});
    }
  }

 private:
  void explain(const FusedRow& row, const std::string& reason) {
    explainBoth(m_fused, row.row, m_split, row.partners, reason);
  }

  void explainWords(const FusedGroup& group, const std::string& wanted) {
    for (const FusedRow& row : group.rows) {
      explain(row, fmt::format("the mapping leads to no '{}'; add a rule for it", wanted));
    }
  }

  /// Which way round parts lie that fit both ways, from elements of the first tensors of the name.
  /// Statistics do not depend on it.
  void findWays() {
    std::map<std::string, std::optional<bool>> ways;
    for (FusedGroup& group : m_groups) {
      for (FusedRow& row : group.rows) {
        if (row.how != How::Cut || !row.turned || !row.hasElements) {
          continue;
        }
        const auto [way, isNew] = ways.try_emplace(group.fusedLabel());
        if (isNew) {
          way->second = findWay(group.fusedLabel());
        }
        if (way->second) {
          row = turnedIf(*way->second, std::move(row));
        } else {
          row.how = How::None;
          row.reason =
              "its parts fit both ways round, and no elements can be read to tell which; a rule "
              "of 'transposed' can say it";
        }
      }
    }
  }

  /// The way round in which they agree better; nothing: no elements could be read.
  [[nodiscard]] std::optional<bool> findWay(const std::string& label) const {
    double asTheyAre = 0;
    double turned = 0;
    std::size_t witnesses = 0;
    for (const FusedGroup& group : m_groups) {
      for (const FusedRow& row : group.rows) {
        const bool isWitness = row.turned && row.hasElements && witnesses < kMostWitnesses &&
                               group.fusedLabel() == label;
        const auto first = isWitness ? leastError(row, false) : std::nullopt;
        const auto second = first ? leastError(row, true) : std::nullopt;
        if (second) {
          asTheyAre += *first;
          turned += *second;
          ++witnesses;
        }
      }
    }
    return witnesses == 0 ? std::nullopt : std::optional(turned < asTheyAre);
  }

  [[nodiscard]] static FusedRow turnedIf(bool isTransposed, FusedRow row) {
    row.isTransposed = isTransposed;
    if (isTransposed) {
      row.cut = *row.turned;
    }
    return row;
  }

  /// In the best of the layouts that the sizes permit.
  [[nodiscard]] std::optional<double> leastError(FusedRow row, bool isTransposed) const {
    row = turnedIf(isTransposed, std::move(row));
    const std::vector<std::int64_t> possible = possibleGroups(row.cut);
    std::vector<double> errors(possible.size());
    return addErrors(row, possible, errors) ? std::optional(*std::ranges::min_element(errors))
                                            : std::nullopt;
  }

  [[nodiscard]] static bool hasCut(const std::vector<const FusedRow*>& rows) {
    return std::ranges::any_of(rows, [](const FusedRow* row) { return row->how == How::Cut; });
  }

  /// The fused call in as many calls as it has parts.
  void cut(const FusedGroup& group) {
    std::vector<const FusedRow*> moved;
    std::vector<const FusedRow*> sums;
    for (const FusedRow& row : group.rows) {
      const bool isElements = row.how == How::Cut || row.how == How::Sum;
      if (isElements && !row.hasElements) {
        explain(row, "no elements were recorded from which its parts could be told");
      } else if (row.how == How::Sum) {
        sums.push_back(&row);
      } else if (row.how != How::None) {
        moved.push_back(&row);
      }
    }
    if (hasCut(moved)) {
      putParts(group, moved);
    }
    const bool isWhole =
        std::ranges::none_of(group.rows, [](const auto& row) { return row.how == How::None; });
    if (isWhole && !sums.empty()) {
      putWhole(group, sums, TensorRecipe::Kind::Sum);
    }
  }

  void putParts(const FusedGroup& group, const std::vector<const FusedRow*>& moved) {
    std::vector<std::string> own;
    for (std::size_t part = 0; part < group.parts.size(); ++part) {
      const std::string& wanted = group.names.paths[part];
      auto words = ownWords(m_fused, group.fused, group.difference(part), wanted);
      if (!words) {
        explainWords(group, wanted);
        return;
      }
      own.push_back(std::move(*words));
    }
    for (std::size_t part = 0; part < group.parts.size(); ++part) {
      const std::string suffix = fmt::format("[{}]", group.label(part));
      NewEntry entry{.head = m_fused.entry(group.fused), .of = {group.fused}, .piece = part};
      rename(entry.head, own[part], entry.head.name + suffix);
      for (const FusedRow* row : moved) {
        entry.rows.push_back(pieceOf(group, *row, part, suffix));
      }
      m_fused.edit.putBefore(group.fused, std::move(entry));
    }
    for (const FusedRow* row : moved) {
      m_fused.edit.remove(row->row);
    }
  }

  [[nodiscard]] MadeRow pieceOf(const FusedGroup& group,
                                const FusedRow& row,
                                std::size_t part,
                                const std::string& suffix) {
    MadeRow piece = rowAsItIs(m_fused.unit, row.row);
    piece.first.name += suffix;
    if (row.how == How::Cut) {
      slice(
          piece, row.cut.dim, row.cut.sizes[part], runsOf(row.cut, part, groupsOf(group, row.cut)));
      if (row.isTransposed) {
        transpose(piece);
        ++m_transposed;
      }
    }
    return piece;
  }

  /// The parts in one call.
  void join(const FusedGroup& group) {
    std::vector<const FusedRow*> moved;
    for (const FusedRow& row : group.rows) {
      if (row.how == How::Sum) {
        explain(row, "what leaves the parts adds up, which statistics do not tell");
      } else if (row.how == How::Cut && !row.hasStatistics) {
        explain(row, "neither elements nor statistics were recorded of it and its parts");
      } else if (row.how != How::None) {
        moved.push_back(&row);
      }
    }
    if (hasCut(moved)) {
      putWhole(group, moved, TensorRecipe::Kind::Row);
    }
  }

  /// `kind` Sum: of elements; Row: of statistics alone.
  void putWhole(const FusedGroup& group,
                const std::vector<const FusedRow*>& moved,
                TensorRecipe::Kind kind) {
    const NameDifference back{group.label(0), group.fusedLabel()};
    const auto own = ownWords(m_split, group.parts.front(), back, group.path);
    if (!own) {
      explainWords(group, group.path);
      return;
    }
    std::string suffix;
    for (std::size_t part = 1; part < group.parts.size(); ++part) {
      suffix += " + " + group.label(part);
    }
    NewEntry entry{
        .head = m_split.entry(group.parts.front()), .of = group.parts, .piece = dumps::kWhole};
    rename(entry.head, *own, entry.head.name + suffix);
    for (const FusedRow* row : moved) {
      entry.rows.push_back(kind == TensorRecipe::Kind::Sum ? sumOf(*row) : wholeOf(*row));
      entry.rows.back().first.name += row->how == How::Shared ? "" : suffix;
      for (const std::size_t partner : row->partners) {
        m_split.edit.remove(partner);
      }
    }
    m_split.edit.putBehind(*std::ranges::max_element(group.parts), std::move(entry));
  }

  /// What was found of the ranks of every part; null: none of them has replicas.
  [[nodiscard]] std::shared_ptr<dumps::ReplicaCheck> checkOfParts(const FusedRow& row) const {
    std::shared_ptr<dumps::ReplicaCheck> check;
    for (const std::size_t partner : row.partners) {
      include(check, m_split.row(partner).replicas);
    }
    return check;
  }

  [[nodiscard]] MadeRow sumOf(const FusedRow& row) const {
    DumpRow sum = m_split.row(row.partners.front());
    sum.replicas = checkOfParts(row);
    sum.statistics = {};
    sum.checksum.clear();
    return {std::move(sum),
            dumps::recipeOf(TensorRecipe::Kind::Sum, listOf(row.partners, [&](std::size_t partner) {
                              return dumps::rowRecipe(m_split.unit, partner);
                            }))};
  }

  [[nodiscard]] MadeRow wholeOf(const FusedRow& row) const {
    DumpRow whole = m_split.row(row.partners.front());
    whole.replicas = checkOfParts(row);
    if (row.how == How::Shared) {
      return {std::move(whole), dumps::rowRecipe(m_split.unit, row.partners.front())};
    }
    std::vector<dumps::Statistics> statistics;
    std::vector<std::uint64_t> counts;
    for (const std::size_t partner : row.partners) {
      statistics.push_back(m_split.row(partner).statistics);
      counts.push_back(dumps::elementCount(m_split.row(partner).shape));
    }
    whole.shape = m_fused.row(row.row).shape;
    whole.statistics = dumps::together(statistics, counts);
    whole.checksum.clear();
    return {std::move(whole), TensorRecipe{}};
  }

  /// The rule's number of groups, else what agrees best in the first tensors of the name.
  [[nodiscard]] std::int64_t groupsOf(const FusedGroup& group, const FusedCut& cut) {
    const std::vector<std::int64_t> possible = possibleGroups(cut);
    const auto orOne = [&](std::int64_t wanted) {
      const bool fits = std::ranges::find(possible, wanted) != possible.end();
      return fits ? wanted : 1;
    };
    if (group.names.layout == FusedLayout::Concat || group.names.groups > 0) {
      return orOne(std::max<std::int64_t>(group.names.groups, 1));
    }
    const auto [known, isNew] = m_groupsByName.try_emplace(group.fusedLabel(), 1);
    if (isNew) {
      known->second = findGroups(group);
    }
    return orOne(known->second);
  }

  [[nodiscard]] std::int64_t findGroups(const FusedGroup& like) {
    std::vector<std::int64_t> possible;
    std::vector<double> errors;
    std::size_t witnesses = 0;
    for (const FusedGroup& group : m_groups) {
      for (const FusedRow& row : group.rows) {
        const bool isWitness = row.how == How::Cut && row.hasElements &&
                               witnesses < kMostWitnesses &&
                               group.fusedLabel() == like.fusedLabel();
        if (!isWitness) {
          continue;
        }
        if (possible.empty()) {
          possible = possibleGroups(row.cut);
          errors.resize(possible.size());
        }
        witnesses += addErrors(row, possible, errors) ? 1 : 0;
      }
    }
    const std::int64_t groups = errors.empty() ? 1 : bestGroups(possible, errors);
    if (groups > 1) {
      m_fused.edit.note(
          {ULP_TR_NOOP("%1: its parts agree best when taken from %2 groups, of the layouts that "
                       "their sizes permit; a rule of 'fused' can say otherwise"),
           {like.fusedLabel(), std::to_string(groups)}});
    }
    return groups;
  }

  [[nodiscard]] bool addErrors(const FusedRow& row,
                               const std::vector<std::int64_t>& possible,
                               std::vector<double>& errors) const {
    const auto whole = m_fused.unit->read(row.row);
    if (possibleGroups(row.cut) != possible || !whole ||
        whole->view.shape != m_fused.row(row.row).shape) {
      return false;
    }
    const auto parts = readRows(m_split.unit, row.partners, row.isTransposed);
    const auto all = static_cast<std::size_t>(whole->view.shape[row.cut.dim]);
    for (std::size_t part = 0; parts && part < parts->size(); ++part) {
      const auto size = static_cast<std::size_t>(row.cut.sizes[part]);
      if ((*parts)[part].view.count() * all != whole->view.count() * size) {
        return false;
      }
    }
    const auto more = parts ? intactErrors(whole->view, *parts, row.cut, possible) : std::nullopt;
    if (!more || !tensors::checkIntact(*whole)) {
      return false;
    }
    std::transform(errors.begin(), errors.end(), more->begin(), errors.begin(), std::plus<>());
    return true;
  }

  EditedSide& m_fused;
  EditedSide& m_split;
  std::vector<FusedGroup> m_groups;
  std::map<std::string, std::int64_t> m_groupsByName;
  std::size_t m_transposed = 0;  ///< pieces
};

/// Whether anything in the unit may be fused, by its own names: without making a key of each entry.
bool mayBeFused(const dumps::DumpUnit& unit, FusedNames& names) {
  std::unordered_set<std::string_view> seen;
  return std::ranges::any_of(unit.entries, [&](const DumpEntry& entry) {
    const std::string& path = pathOrName(entry);
    return seen.insert(path).second && !names.partsOf(path).empty();
  });
}

}  // namespace

Result<> splitFused(UnitSides& units, const AlignmentRules& rules) {
  const DumpRules& dumps = rules.mapping.dumps();
  if (!dumps.splitsKnown && dumps.fused.empty()) {
    return {};
  }
  auto names = ULP_TRY(FusedNames::make(dumps));
  if (!renames(rules.mapping) && !mayBeFused(*units.baseline, names) &&
      !mayBeFused(*units.candidate, names)) {
    return names.check();
  }
  EditedSides sides(units, rules.mapping);
  ULP_TRY(sides.keys.check());
  FusedDirection fusedBaseline(sides.baseline, sides.candidate, names);
  FusedDirection fusedCandidate(sides.candidate, sides.baseline, names);
  ULP_TRY(names.check());
  const bool cuts = rules.readsElements && (fusedBaseline.canCut() || fusedCandidate.canCut());
  fusedBaseline.apply(cuts);
  fusedCandidate.apply(cuts);
  return std::move(sides).finish(units);
}

}  // namespace ulp::analysis
