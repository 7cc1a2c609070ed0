#include "core/comparing/align/fused_groups.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/shape.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/match/row_lookup.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::Role;

/// Calls that stand for several, by the last segments of their names, and those of the parts.
struct Fusion {
  std::string_view fused;
  std::span<const std::string_view> parts;
};
constexpr std::array<std::string_view, 7> kQueryKeyValueParts{"q_proj k_proj v_proj",
                                                              "q k v",
                                                              "query key value",
                                                              "wq wk wv",
                                                              "to_q to_k to_v",
                                                              "linear_q linear_k linear_v",
                                                              "q_lin k_lin v_lin"};
constexpr std::array<std::string_view, 4> kKeyValueParts{
    "k_proj v_proj", "key value", "k v", "wk wv"};
constexpr std::array<std::string_view, 3> kGateUpParts{"gate_proj up_proj", "w1 w3", "gate up"};
constexpr std::array<Fusion, 3> kFusions{
    {{"qkv_proj query_key_value linear_qkv Wqkv wqkv c_attn W_pack qkv qkv_linear in_proj",
      kQueryKeyValueParts},
     {"key_value kv_proj linear_kv kv", kKeyValueParts},
     {"gate_up_proj gate_and_up linear_fc1 w13 layer_1 dense_h_to_4h gate_up", kGateUpParts}}};

/// Where the last segment `name` begins.
std::size_t placeOfSegment(std::string_view path, std::string_view name) {
  for (std::size_t place = path.rfind(name); place != std::string_view::npos && !name.empty();
       place = place == 0 ? std::string_view::npos : path.rfind(name, place - 1)) {
    const std::size_t end = place + name.size();
    if ((place == 0 || path[place - 1] == '.') && (end == path.size() || path[end] == '.')) {
      return place;
    }
  }
  return std::string_view::npos;
}

void addFusion(const Fusion& fusion, const std::string& path, std::vector<FusedParts>& found) {
  for (const std::string_view name : wordsIn(fusion.fused)) {
    const std::size_t place = placeOfSegment(path, name);
    if (place == std::string_view::npos) {
      continue;
    }
    for (const std::string_view parts : fusion.parts) {
      found.push_back({.paths = listOf(wordsIn(parts), [&](std::string_view part) {
                         return std::string(path).replace(place, name.size(), part);
                       })});
    }
  }
}

class Classifier {
 public:
  Classifier(const EditedSide& fused,
             const EditedSide& split,
             const FusedGroup& group,
             FusedNames& names)
      : m_fused(fused),
        m_split(split),
        m_group(group),
        m_names(names),
        m_parts(
            listOf(group.parts,
                   [&](std::size_t part) { return RowLookup(*split.unit, split.entry(part)); })),
        m_isTransposedByClass(
            areTransposedByClass(fused.entry(group.fused), split.entry(group.parts.front()))),
        m_hasClass(hasClass(fused.entry(group.fused)) ||
                   hasClass(split.entry(group.parts.front()))) {}

  [[nodiscard]] FusedRow classify(std::size_t index) {
    const DumpRow& row = m_fused.row(index);
    FusedRow result{.row = index};
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
      const std::size_t partner = m_parts[part].find(row);
      if (partner == dumps::kNone) {
        const DumpEntry& lacking = m_split.entry(m_group.parts[part]);
        result.partners.clear();
        result.reason = fmt::format("{} has nothing of the kind", lacking.name);
        return result;
      }
      result.partners.push_back(partner);
    }
    const auto all = [&](const auto& has) {
      return has(row) && std::ranges::all_of(result.partners, [&](std::size_t partner) {
               return has(m_split.row(partner));
             });
    };
    result.hasElements = all([](const DumpRow& each) { return each.hasElements; });
    result.hasStatistics = all([](const DumpRow& each) { return !each.statistics.isEmpty(); });
    judge(row, result);
    return result;
  }

 private:
  using Shapes = std::vector<std::vector<std::int64_t>>;

  void judge(const DumpRow& row, FusedRow& result) const {
    const Shapes shapes = m_split.shapesOf(result.partners);
    const bool isSame = std::ranges::all_of(
        shapes, [&](const auto& shape) { return isSqueezedSame(shape, row.shape); });
    const bool isRead = row.role == Role::Input;
    if (!isTensor(row) || (isRead && isSame)) {
      result.how = FusedRow::How::Shared;
      return;
    }
    if (row.role == Role::InputGradient && isSame) {
      result.how = FusedRow::How::Sum;
      return;
    }
    // What the classes of the modules say of square weights goes before what shapes permit.
    if (m_isTransposedByClass && cutTransposed(row, shapes, result)) {
      return;
    }
    if (cutAsTheyAre(row, shapes, result)) {
      FusedRow turned = result;
      if (!m_hasClass && cutTransposed(row, shapes, turned)) {
        result.turned = std::move(turned.cut);
      }
      return;
    }
    if (cutTransposed(row, shapes, result)) {
      return;
    }
    result.reason = notMadeOf(row.shape, "", shapes);
  }

  [[nodiscard]] bool cutAsTheyAre(const DumpRow& row,
                                  const Shapes& shapes,
                                  FusedRow& result) const {
    const bool isOfActivations = row.role == Role::Output || row.role == Role::OutputGradient;
    auto cut = findCut(row.shape, shapes, m_group.names.dim, !isOfActivations);
    if (cut) {
      result.how = FusedRow::How::Cut;
      result.cut = std::move(*cut);
    }
    return cut.has_value();
  }

  /// A weight that the parts hold the other way round.
  [[nodiscard]] bool cutTransposed(const DumpRow& row, Shapes shapes, FusedRow& result) const {
    const auto isMatrix = [](const auto& shape) { return shape.size() == 2; };
    const std::array<const std::string*, 4> names{&m_fused.entry(m_group.fused).module,
                                                  &row.name,
                                                  &m_split.entry(m_group.parts.front()).module,
                                                  &m_split.row(result.partners.front()).name};
    if (!isOfModel(row) || !isMatrix(row.shape) || !std::ranges::all_of(shapes, isMatrix) ||
        !m_names.findsTransposed(names)) {
      return false;
    }
    for (auto& shape : shapes) {
      std::swap(shape.front(), shape.back());
    }
    auto cut = findCut(row.shape, shapes, m_group.names.dim, false);
    if (cut) {
      result.how = FusedRow::How::Cut;
      result.cut = std::move(*cut);
      result.isTransposed = true;
    }
    return cut.has_value();
  }

  const EditedSide& m_fused;
  const EditedSide& m_split;
  const FusedGroup& m_group;
  FusedNames& m_names;
  std::vector<RowLookup> m_parts;  ///< of the group
  bool m_isTransposedByClass;
  bool m_hasClass;
};

/// The group where the split side has all of these parts, and the fused side none.
std::optional<FusedGroup> groupOf(const EditedSide& fused,
                                  const EditedSide& split,
                                  std::size_t index,
                                  FusedParts parts,
                                  FusedNames& names) {
  const EntryKey& key = fused.keys.all()[index];
  FusedGroup group{.fused = index, .parts = {}, .names = std::move(parts), .path = key.path};
  for (const std::string& path : group.names.paths) {
    const std::string text = key.textAt(path);
    const std::size_t part = split.keys.find(text);
    if (part == dumps::kNone || fused.keys.find(text) != dumps::kNone) {
      return std::nullopt;
    }
    group.parts.push_back(part);
  }
  Classifier classifier(fused, split, group, names);
  group.rows =
      listOf(fused.entry(index).rows(), [&](std::size_t row) { return classifier.classify(row); });
  return group;
}

}  // namespace

Result<FusedNames> FusedNames::make(const DumpRules& rules) {
  FusedNames names;
  names.m_knowsNames = rules.splitsKnown;
  names.m_findsTransposed = rules.findsTransposed;
  names.m_rules = rules.fused;
  names.m_matches = ULP_TRY(compileExpressions(listOf(rules.fused, &FusedRule::match)));
  names.m_transposed = ULP_TRY(compileExpressions(rules.transposed));
  return names;
}

bool FusedNames::findsTransposed(std::span<const std::string* const> names) {
  return m_findsTransposed && std::ranges::none_of(names, [&](const std::string* name) {
           return m_error.valueOf([&] { return isAnyFoundIn(m_transposed, *name); }, false);
         });
}

std::vector<FusedParts> FusedNames::partsOf(const std::string& path) {
  std::vector<FusedParts> found;
  for (std::size_t i = 0; i < m_rules.size(); ++i) {
    const FusedRule& rule = m_rules[i];
    const RegularExpression& match = m_matches[i];
    if (m_error.valueOf([&] { return match.isFoundIn(path); }, false)) {
      found.push_back({.paths = listOf(rule.parts,
                                       [&](const std::string& part) {
                                         return m_error.valueOf(
                                             [&] { return match.replaced(path, part); }, path);
                                       }),
                       .layout = rule.layout,
                       .groups = rule.groups,
                       .dim = rule.dim});
    }
  }
  for (const Fusion& fusion : kFusions) {
    if (m_knowsNames) {
      addFusion(fusion, path, found);
    }
  }
  return found;
}

NameDifference differenceOf(std::string_view from, std::string_view to) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()) && from[i] == to[i]; ++i) {
    begin = from[i] == '.' ? i + 1 : begin;
  }
  std::size_t end = 0;
  const std::size_t most = std::min(from.size(), to.size()) - begin;
  for (std::size_t i = 1; i <= most && from[from.size() - i] == to[to.size() - i]; ++i) {
    end = from[from.size() - i] == '.' ? i : end;
  }
  return {std::string(from.substr(begin, from.size() - begin - end)),
          std::string(to.substr(begin, to.size() - begin - end))};
}

std::string replaced(const std::string& path, const NameDifference& difference) {
  std::string result = path;
  const std::size_t place = placeOfSegment(path, difference.from);
  if (place != std::string::npos) {
    result.replace(place, difference.from.size(), difference.to);
  }
  return result;
}

std::vector<FusedGroup> findFused(const EditedSide& fused,
                                  const EditedSide& split,
                                  FusedNames& names) {
  std::vector<FusedGroup> groups;
  for (std::size_t i = 0; i < fused.unit->entries.size(); ++i) {
    const EntryKey& key = fused.keys.all()[i];
    if (split.keys.find(key.text()) != dumps::kNone) {
      continue;
    }
    for (FusedParts& parts : names.partsOf(key.path)) {
      if (auto group = groupOf(fused, split, i, std::move(parts), names)) {
        groups.push_back(std::move(*group));
        break;
      }
    }
  }
  return groups;
}

}  // namespace ulp::analysis
