#include <algorithm>
#include <array>
#include <regex>
#include <span>
#include <utility>

#include "core/comparing/align/fused_groups.h"

namespace ulp::analysis {
namespace {

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

}  // namespace ulp::analysis
