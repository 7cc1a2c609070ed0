#include "core/comparing/align/fused_groups.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <regex>
#include <span>
#include <utility>

#include "core/base/shape.h"
#include "core/comparing/match/row_identity.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::Role;

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 10> kQueryKeyValue{"qkv_proj",
                                                          "query_key_value",
                                                          "linear_qkv",
                                                          "Wqkv",
                                                          "wqkv",
                                                          "c_attn",
                                                          "W_pack",
                                                          "qkv",
                                                          "qkv_linear",
                                                          "in_proj"};
constexpr std::array<std::string_view, 4> kKeyValue{"key_value", "kv_proj", "linear_kv", "kv"};
constexpr std::array<std::string_view, 7> kGateUpNames{
    "gate_up_proj", "gate_and_up", "linear_fc1", "w13", "layer_1", "dense_h_to_4h", "gate_up"};

struct PartNames {
  std::array<std::string_view, 3> names;

  /// Two where the last one is empty.
  [[nodiscard]] std::size_t count() const { return names[2].empty() ? 2 : 3; }
};
constexpr std::array<PartNames, 7> kQueryKeyValueParts{{{{"q_proj", "k_proj", "v_proj"}},
                                                        {{"q", "k", "v"}},
                                                        {{"query", "key", "value"}},
                                                        {{"wq", "wk", "wv"}},
                                                        {{"to_q", "to_k", "to_v"}},
                                                        {{"linear_q", "linear_k", "linear_v"}},
                                                        {{"q_lin", "k_lin", "v_lin"}}}};
constexpr std::array<PartNames, 4> kKeyValueParts{
    {{{"k_proj", "v_proj", ""}}, {{"key", "value", ""}}, {{"k", "v", ""}}, {{"wk", "wv", ""}}}};
constexpr std::array<PartNames, 3> kGateUpPartNames{
    {{{"gate_proj", "up_proj", ""}}, {{"w1", "w3", ""}}, {{"gate", "up", ""}}}};

struct Fusion {
  Names fused;
  std::span<const PartNames> parts;
};
constexpr std::array<Fusion, 3> kFusions{{{kQueryKeyValue, kQueryKeyValueParts},
                                          {kKeyValue, kKeyValueParts},
                                          {kGateUpNames, kGateUpPartNames}}};

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
  for (const std::string_view name : fusion.fused) {
    const std::size_t place = placeOfSegment(path, name);
    if (place == std::string_view::npos) {
      continue;
    }
    for (const PartNames& parts : fusion.parts) {
      FusedParts candidate;
      for (std::size_t i = 0; i < parts.count(); ++i) {
        candidate.paths.push_back(path);
        candidate.paths.back().replace(place, name.size(), parts.names.at(i));
      }
      found.push_back(std::move(candidate));
    }
  }
}

/// The row of `entry` that is what `row` is: by role and index, as entries are paired.
std::size_t sameRow(const EditedSide& side, const DumpEntry& entry, const DumpRow& row) {
  std::size_t first = dumps::kNone;
  for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
    const DumpRow& other = side.row(r);
    if (other.role != row.role) {
      continue;
    }
    if (other.index == row.index) {
      return r;
    }
    if (first == dumps::kNone && isFirstOfRole(other.index) && isFirstOfRole(row.index)) {
      first = r;
    }
  }
  return first;
}

class Classifier {
 public:
  Classifier(const EditedSide& fused,
             const EditedSide& split,
             const FusedGroup& group,
             const FusedNames& names)
      : m_fused(fused),
        m_split(split),
        m_group(group),
        m_names(names),
        m_isTransposedByClass(
            areTransposedByClass(fused.entry(group.fused), split.entry(group.parts.front()))),
        m_hasClass(hasClass(fused.entry(group.fused)) ||
                   hasClass(split.entry(group.parts.front()))) {}

  [[nodiscard]] FusedRow classify(std::size_t index) const {
    const DumpRow& row = m_fused.row(index);
    FusedRow result{.row = index};
    for (const std::size_t part : m_group.parts) {
      const std::size_t partner = sameRow(m_split, m_split.entry(part), row);
      if (partner == dumps::kNone) {
        result.partners.clear();
        result.reason = fmt::format("{} has nothing of the kind", m_split.entry(part).name);
        return result;
      }
      result.partners.push_back(partner);
    }
    const auto all = [&](const auto& has) {
      return has(row) &&
             std::all_of(result.partners.begin(), result.partners.end(), [&](std::size_t partner) {
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
    if (!isOfModel(row) || !isMatrix(row.shape) ||
        !std::all_of(shapes.begin(), shapes.end(), isMatrix) || !m_names.findsTransposed(names)) {
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
  const FusedNames& m_names;
  bool m_isTransposedByClass;
  bool m_hasClass;
};

/// The group where the split side has all of these parts, and the fused side none.
std::optional<FusedGroup> groupOf(const EditedSide& fused,
                                  const EditedSide& split,
                                  std::size_t index,
                                  FusedParts parts,
                                  const FusedNames& names) {
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
  const DumpEntry& entry = fused.entry(index);
  const Classifier classifier(fused, split, group, names);
  for (std::size_t r = entry.firstRow; r < entry.firstRow + entry.rowCount; ++r) {
    group.rows.push_back(classifier.classify(r));
  }
  return group;
}

}  // namespace

struct FusedNames::Compiled {
  std::vector<std::regex> rules;
  std::vector<std::regex> transposed;
};

FusedNames::FusedNames(const DumpRules& rules)
    : m_knowsNames(rules.splitsKnown),
      m_findsTransposed(rules.findsTransposed),
      m_rules(rules.fused),
      m_compiled(std::make_unique<Compiled>()) {
  for (const FusedRule& rule : m_rules) {
    m_compiled->rules.emplace_back(rule.match, std::regex::ECMAScript);
  }
  for (const std::string& match : rules.transposed) {
    m_compiled->transposed.emplace_back(match, std::regex::ECMAScript);
  }
}

FusedNames::~FusedNames() = default;

bool FusedNames::findsTransposed(std::span<const std::string* const> names) const {
  return m_findsTransposed &&
         std::none_of(
             m_compiled->transposed.begin(), m_compiled->transposed.end(), [&](const auto& rule) {
               return std::any_of(names.begin(), names.end(), [&](const std::string* name) {
                 return std::regex_search(*name, rule);
               });
             });
}

std::vector<FusedParts> FusedNames::partsOf(const std::string& path) const {
  std::vector<FusedParts> found;
  for (std::size_t i = 0; i < m_rules.size(); ++i) {
    if (!std::regex_search(path, m_compiled->rules[i])) {
      continue;
    }
    FusedParts parts{
        .layout = m_rules[i].layout, .groups = m_rules[i].groups, .dim = m_rules[i].dim};
    for (const std::string& part : m_rules[i].parts) {
      parts.paths.push_back(std::regex_replace(path, m_compiled->rules[i], part));
    }
    found.push_back(std::move(parts));
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
                                  const FusedNames& names) {
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
