#include "core/base/list_of.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/ranks/merged_ranks.h"

namespace ulp::analysis {
namespace {

/// What `ShardRule::row` is searched in: "output.0", "parameter.weight".
std::string shardRowName(const dumps::DumpRow& row) {
  std::string name(toString(row.role));
  return row.index.empty() ? name : name + "." + row.index;
}

}  // namespace

Result<ShardMatcher> ShardMatcher::make(const std::vector<ShardRule>& rules) {
  ShardMatcher matcher;
  const auto matches = ULP_TRY(compileExpressions(listOf(rules, &ShardRule::match)));
  const auto rows = ULP_TRY(compileExpressions(listOf(rules, &ShardRule::row)));
  for (std::size_t i = 0; i < rules.size(); ++i) {
    matcher.m_rules.push_back({rules[i], matches[i], rows[i]});
  }
  return matcher;
}

const ShardRule* ShardMatcher::find(const dumps::DumpEntry& entry,
                                    const dumps::DumpRow& row,
                                    ShardAxis axis,
                                    KnownShards& known) const {
  const std::string what = shardRowName(row);
  known.rules.resize(m_rules.size());
  const auto isFound = [&known](const std::string& text, const RegularExpression& rule) {
    return known.error.valueOf([&] { return rule.isFoundIn(text); }, false);
  };
  const auto fits = [&isFound](const std::string& text,
                               const RegularExpression& rule,
                               std::unordered_map<std::string, bool>& answers) {
    const auto [answer, isNew] = answers.try_emplace(text, false);
    if (isNew) {
      answer->second = isFound(text, rule);
    }
    return answer->second;
  };
  for (std::size_t i = 0; i < m_rules.size(); ++i) {
    const auto& [rule, match, ofRow] = m_rules[i];
    KnownShards::OfRule& answers = known.rules[i];
    const bool isOfKind =
        rule.axis == axis && (rule.row.empty() || fits(what, ofRow, answers.rows));
    if (isOfKind && (rule.match.empty() || fits(entry.module, match, answers.modules) ||
                     isFound(row.name, match))) {
      return &rule;
    }
  }
  return nullptr;
}

ShardRule ShardMatcher::ruleFor(const dumps::DumpEntry& entry,
                                const dumps::DumpRow& row,
                                ShardAxis axis,
                                KnownShards& known) const {
  if (const ShardRule* const rule = find(entry, row, axis, known)) {
    return *rule;
  }
  return axis == ShardAxis::Tensor || isOfModel(row) || isParameter(entry, row) || row.shape.empty()
             ? ShardRule{.kind = ShardKind::Replicated, .axis = axis}
             : ShardRule{.kind = ShardKind::Concat, .axis = axis};
}

}  // namespace ulp::analysis
