#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/list_of.h"
#include "core/comparing/align/edited_sides.h"
#include "core/comparing/match/row_lookup.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::DumpUnit;
using dumps::Role;

/// The modules of one expert that a tensor of all of them may be made of.
constexpr std::array<std::string_view, 4> kGateUp{
    "gate_proj up_proj", "w1 w3", "linear_fc1", "gate_up_proj"};
constexpr std::array<std::string_view, 3> kDown{"down_proj", "w2", "linear_fc2"};

/// A tensor of all experts, by its names below `experts`.
struct Stacked {
  std::string_view names;
  std::span<const std::string_view> parts;
  std::string_view tensor;  ///< of the modules of one expert
};
constexpr std::array<Stacked, 4> kStacked{{{"gate_up_proj w13_weight w13", kGateUp, "weight"},
                                           {"gate_up_proj_bias w13_bias", kGateUp, "bias"},
                                           {"down_proj w2_weight w2", kDown, "weight"},
                                           {"down_proj_bias w2_bias", kDown, "bias"}}};
constexpr std::string_view kExperts = "experts";

/// More than any model has; shapes of damaged dumps may say anything.
constexpr std::int64_t kMostExperts = 65536;

/// A row of all experts: the path of their list, and which tensor it is.
struct StackedRow {
  std::size_t entry = 0;
  std::size_t row = 0;
  std::string list;  ///< "model.layers.0.mlp.experts", in the words of its own side
  const Stacked* what = nullptr;
};

const Stacked* stackedOf(std::string_view name) {
  const auto* const found = std::ranges::find_if(
      kStacked, [&](const Stacked& each) { return isWordOf(name, each.names); });
  return found == kStacked.end() ? nullptr : found;
}

bool endsInExperts(std::string_view path) {
  return path == kExperts || path.ends_with(".experts");
}

/// Nothing: the row is of something else.
std::optional<StackedRow> stackedRow(const DumpUnit& unit, std::size_t index, std::size_t r) {
  const DumpEntry& entry = unit.entries[index];
  const DumpRow& row = unit.rows[r];
  std::string list = entry.module;
  std::string name = row.index;
  if (entry.isNamed()) {
    const std::size_t dot = entry.name.rfind('.');
    list = entry.name.substr(0, dot);
    name = dot == std::string::npos ? "" : entry.name.substr(dot + 1);
  }
  const Stacked* const what = isOfModel(row) && endsInExperts(list) ? stackedOf(name) : nullptr;
  return what != nullptr && row.shape.size() > 1 && row.shape.front() > 0 &&
                 row.shape.front() <= kMostExperts
             ? std::optional(StackedRow{index, r, std::move(list), what})
             : std::nullopt;
}

std::vector<StackedRow> stackedRows(const DumpUnit& unit) {
  std::vector<StackedRow> found;
  for (std::size_t i = 0; i < unit.entries.size(); ++i) {
    const DumpEntry& entry = unit.entries[i];
    for (const std::size_t r : entry.rows()) {
      if (auto row = stackedRow(unit, i, r)) {
        found.push_back(std::move(*row));
      }
    }
  }
  return found;
}

/// How one expert's matrix falls into parts.
struct ExpertCut {
  FusedCut cut;
  bool isTransposed = false;
  std::optional<FusedCut> turned{};  ///< shapes permit transposed matrices as well as `cut`
};

/// Rows of the first expert that the other side has, one for each part; empty: none.
struct Partners {
  std::int64_t expert = 0;
  std::vector<std::size_t> rows{};
};

using Names = std::vector<std::string_view>;

class StackedDirection {
 public:
  StackedDirection(EditedSide& stacked,
                   EditedSide& single,
                   const std::vector<StackedRow>& rows,
                   const DumpRules& rules)
      : m_stacked(stacked), m_single(single), m_rows(rows), m_rules(rules) {}

  void apply() {
    for (const StackedRow& row : m_rows) {
      split(row);
    }
    if (m_count > 0) {
      m_stacked.edit.note({ULP_TR_NOOP("%1 tensors of all experts are compared expert by expert"),
                           {std::to_string(m_count)}});
    }
  }

 private:
  void split(const StackedRow& stacked) {
    for (const std::string_view parts : stacked.what->parts) {
      const Names names = listOf(wordsIn(parts), std::identity());
      const Partners partners = partnersOf(stacked, names);
      if (partners.rows.empty()) {
        continue;
      }
      const DumpRow& row = m_stacked.row(stacked.row);
      const auto explain = [&](const std::string& reason) {
        explainBoth(m_stacked, stacked.row, m_single, partners.rows, reason);
      };
      auto cut = cutOf(row, partners.rows);
      if (!cut) {
        explain(notMadeOf(
            std::span(row.shape).subspan(1), " of an expert", m_single.shapesOf(partners.rows)));
      } else if (!row.hasElements) {
        explain("no elements were recorded from which those of one expert could be told");
      } else if (const auto way = wayOf(stacked, *cut, partners); !way) {
        explain("square: which way round cannot be told");
      } else {
        if (*way && cut->turned) {
          cut->cut = *cut->turned;
        }
        cut->isTransposed = *way;
        putExperts(stacked, names, *cut);
      }
      return;
    }
  }

  /// In the words of the baseline.
  [[nodiscard]] static std::string pathOf(const std::string& list,
                                          const StackedRow& stacked,
                                          const DumpEntry& entry,
                                          std::int64_t expert,
                                          std::string_view part) {
    return fmt::format("{}.{}.{}{}",
                       list,
                       expert,
                       part,
                       entry.isNamed() ? "." + std::string(stacked.what->tensor) : "");
  }

  /// The list of experts in the words of the baseline.
  [[nodiscard]] std::string mappedList(const StackedRow& stacked) const {
    const std::string& path = m_stacked.keys.all()[stacked.entry].path;
    return m_stacked.entry(stacked.entry).isNamed() ? path.substr(0, path.rfind('.')) : path;
  }

  [[nodiscard]] Partners partnersOf(const StackedRow& stacked, const Names& names) const {
    const DumpEntry& entry = m_stacked.entry(stacked.entry);
    const EntryKey& key = m_stacked.keys.all()[stacked.entry];
    const std::int64_t experts = m_stacked.row(stacked.row).shape.front();
    for (std::int64_t expert = 0; expert < experts; ++expert) {
      std::vector<std::size_t> rows;
      for (const std::string_view part : names) {
        const std::size_t other = m_single.keys.find(
            key.textAt(pathOf(mappedList(stacked), stacked, entry, expert, part)));
        const std::size_t row = other == dumps::kNone ? dumps::kNone : rowOf(stacked, other);
        if (row != dumps::kNone) {
          rows.push_back(row);
        }
      }
      if (rows.size() == names.size()) {
        return {expert, std::move(rows)};
      }
    }
    return {};
  }

  [[nodiscard]] std::size_t rowOf(const StackedRow& stacked, std::size_t entry) const {
    const DumpEntry& its = m_single.entry(entry);
    const Role role = m_stacked.row(stacked.row).role;
    if (its.isNamed()) {
      return rowWhere(its, [&](std::size_t r) { return m_single.row(r).role == role; });
    }
    auto& lookup = m_lookups.try_emplace(entry, *m_single.unit, its).first->second;
    return lookup.sameIndex({.role = role, .index = std::string(stacked.what->tensor)});
  }

  [[nodiscard]] std::optional<ExpertCut> cutOf(const DumpRow& row,
                                               const std::vector<std::size_t>& partners) const {
    const std::span<const std::int64_t> whole = std::span(row.shape).subspan(1);
    const std::vector<std::vector<std::int64_t>> shapes = m_single.shapesOf(partners);
    auto turned = shapes;
    const bool mayTurn =
        m_rules.findsTransposed &&
        std::ranges::all_of(shapes, [](const auto& shape) { return shape.size() == 2; });
    for (auto& shape : turned) {
      std::ranges::reverse(shape);
    }
    // Outputs stand behind one another: rows of [out, in], columns of [in, out]. Only then the
    // dimensions that sizes permit beside them, which square experts would mislead.
    for (const bool isUsual : {true, false}) {
      const auto first = isUsual ? std::optional<std::int64_t>(0) : std::nullopt;
      const auto last = isUsual ? std::optional<std::int64_t>(-1) : std::nullopt;
      auto asTheyAre = findCut(whole, shapes, first, true);
      auto transposed = mayTurn ? findCut(whole, turned, last, false) : std::nullopt;
      if (asTheyAre) {
        return ExpertCut{std::move(*asTheyAre), false, std::move(transposed)};
      }
      if (transposed) {
        return ExpertCut{std::move(*transposed), true};
      }
    }
    return std::nullopt;
  }

  /// The only way round that shapes permit, else the one that others or elements tell; nothing: it
  /// cannot be told.
  [[nodiscard]] std::optional<bool> wayOf(const StackedRow& stacked,
                                          const ExpertCut& cut,
                                          const Partners& partners) const {
    if (!cut.turned) {
      return cut.isTransposed;
    }
    // What rules have turned on one side need not be all that an expert has.
    if (const auto way = m_rules.transposed.empty() ? wayOfList(stacked.list) : std::nullopt) {
      return way;
    }
    return nearerWay(stacked, cut, partners);
  }

  /// Of the other tensors of the same experts, where shapes tell it.
  [[nodiscard]] std::optional<bool> wayOfList(const std::string& list) const {
    for (const StackedRow& other : m_rows) {
      const DumpRow& row = m_stacked.row(other.row);
      if (other.list != list || row.shape.size() != 3) {
        continue;
      }
      for (const std::string_view parts : other.what->parts) {
        const Partners partners = partnersOf(other, listOf(wordsIn(parts), std::identity()));
        const auto cut = partners.rows.empty() ? std::nullopt : cutOf(row, partners.rows);
        if (cut && !cut->turned) {
          return cut->isTransposed;
        }
      }
    }
    return std::nullopt;
  }

  /// By the elements of one expert.
  [[nodiscard]] std::optional<bool> nearerWay(const StackedRow& stacked,
                                              const ExpertCut& cut,
                                              const Partners& partners) const {
    const auto own = dumps::makeTensor(
        dumps::sliceOf(dumps::rowRecipe(m_stacked.unit, stacked.row), 0, {{partners.expert, 1}}));
    const std::vector<std::int64_t>& all = m_stacked.row(stacked.row).shape;
    if (!own ||
        !std::equal(
            own->view.shape.begin() + 1, own->view.shape.end(), all.begin() + 1, all.end())) {
      return std::nullopt;
    }
    numerics::TensorView whole = own->view;
    whole.shape.erase(whole.shape.begin());
    const auto asTheyAre = errorOf(whole, cut.cut, partners, false);
    const auto turned = errorOf(whole, *cut.turned, partners, true);
    const bool isTold = asTheyAre && turned && tensors::checkIntact(*own);
    return isTold ? std::optional(*turned < *asTheyAre) : std::nullopt;
  }

  /// Nothing: elements of a part cannot be read.
  [[nodiscard]] std::optional<double> errorOf(const numerics::TensorView& whole,
                                              const FusedCut& cut,
                                              const Partners& partners,
                                              bool isTransposed) const {
    const auto parts = readRows(m_single.unit, partners.rows, isTransposed);
    for (std::size_t i = 0; parts && i < parts->size(); ++i) {
      auto shape = m_single.row(partners.rows[i]).shape;
      if (isTransposed) {
        std::ranges::reverse(shape);
      }
      if ((*parts)[i].view.shape != shape) {
        return std::nullopt;
      }
    }
    const std::array<std::int64_t, 1> groups{1};
    const auto errors = parts ? intactErrors(whole, *parts, cut, groups) : std::nullopt;
    return errors ? std::optional(errors->front()) : std::nullopt;
  }

  void putExperts(const StackedRow& stacked, const Names& names, const ExpertCut& cut) {
    const DumpEntry& entry = m_stacked.entry(stacked.entry);
    const DumpRow& row = m_stacked.row(stacked.row);
    std::vector<dumps::NewEntry> added;
    for (std::int64_t expert = 0; expert < row.shape.front(); ++expert) {
      for (std::size_t part = 0; part < names.size(); ++part) {
        auto own = ownPath(stacked, expert, names[part]);
        if (!own) {
          m_stacked.explain(stacked.row,
                            "the mapping leads to none of the other side's "
                            "experts; add a rule for them");
          return;
        }
        const std::string suffix = fmt::format("[{}.{}]", expert, names[part]);
        dumps::NewEntry piece{.head = entry, .of = {stacked.entry}, .piece = added.size()};
        piece.head.name = entry.isNamed() ? *own : entry.name + suffix;
        piece.head.module = entry.isNamed() ? entry.module : *own;
        piece.rows.push_back(pieceOf(stacked, cut, expert, part));
        piece.rows.back().first.name += suffix;
        added.push_back(std::move(piece));
      }
    }
    for (dumps::NewEntry& piece : added) {
      m_stacked.edit.putBefore(stacked.entry, std::move(piece));
    }
    m_stacked.edit.remove(stacked.row);
    ++m_count;
  }

  /// What the expert's tensor would have to be called for the baseline's words to be the other
  /// side's; nothing where the mapping does not lead there.
  [[nodiscard]] std::optional<std::string> ownPath(const StackedRow& stacked,
                                                   std::int64_t expert,
                                                   std::string_view part) {
    const DumpEntry& entry = m_stacked.entry(stacked.entry);
    const std::string wanted = pathOf(mappedList(stacked), stacked, entry, expert, part);
    for (const std::string& own : {pathOf(stacked.list, stacked, entry, expert, part), wanted}) {
      if (m_stacked.keys.mapped(entry, own) == wanted) {
        return own;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] MadeRow pieceOf(const StackedRow& stacked,
                                const ExpertCut& cut,
                                std::int64_t expert,
                                std::size_t part) const {
    MadeRow piece = rowAsItIs(m_stacked.unit, stacked.row);
    slice(piece, 0, 1, {{expert, 1}});
    slice(piece, cut.cut.dim + 1, cut.cut.sizes[part], runsOf(cut.cut, part, 1));
    if (piece.first.role != Role::Value) {
      piece.first.index = stacked.what->tensor;
    }
    if (cut.isTransposed) {
      transpose(piece);
    }
    return piece;
  }

  EditedSide& m_stacked;
  EditedSide& m_single;
  const std::vector<StackedRow>& m_rows;
  const DumpRules& m_rules;
  mutable std::unordered_map<std::size_t, RowLookup> m_lookups;  ///< of m_single, by entry
  std::size_t m_count = 0;
};

}  // namespace

Result<> splitExperts(UnitSides& units, const AlignmentRules& rules) {
  const DumpRules& dumps = rules.mapping.dumps();
  const std::vector<StackedRow> ofBaseline = stackedRows(*units.baseline);
  const std::vector<StackedRow> ofCandidate = stackedRows(*units.candidate);
  if (!dumps.splitsKnown || (ofBaseline.empty() && ofCandidate.empty())) {
    return {};
  }
  EditedSides sides(units, rules.mapping);
  ULP_TRY(sides.keys.check());
  StackedDirection(sides.baseline, sides.candidate, ofBaseline, dumps).apply();
  StackedDirection(sides.candidate, sides.baseline, ofCandidate, dumps).apply();
  return std::move(sides).finish(units);
}

}  // namespace ulp::analysis
