#include "core/comparing/ranks/shard_matcher.h"

#include <regex>
#include <utility>

namespace ulp::analysis {

using dumps::Role;

struct ShardMatcher::Compiled {
  struct Rule {
    std::regex match;
    std::regex row;
  };
  std::vector<Rule> rules;
};

ShardMatcher::ShardMatcher(std::vector<ShardRule> rules)
    : m_rules(std::move(rules)), m_compiled(std::make_unique<Compiled>()) {
  for (const ShardRule& rule : m_rules) {
    m_compiled->rules.push_back({std::regex(rule.match, std::regex::ECMAScript),
                                 std::regex(rule.row, std::regex::ECMAScript)});
  }
}

ShardMatcher::~ShardMatcher() = default;

const ShardRule* ShardMatcher::firstThatFits(const dumps::DumpEntry& entry,
                                             const dumps::DumpRow& row,
                                             ShardAxis axis,
                                             KnownShards& known) const {
  const std::string what = shardRowName(row);
  known.rules.resize(m_rules.size());
  const auto fits = [](const std::string& text,
                       const std::regex& rule,
                       std::unordered_map<std::string, bool>& answers) {
    const auto [answer, isNew] = answers.try_emplace(text, false);
    if (isNew) {
      answer->second = std::regex_search(text, rule);
    }
    return answer->second;
  };
  for (std::size_t i = 0; i < m_rules.size(); ++i) {
    const ShardRule& rule = m_rules[i];
    const Compiled::Rule& compiled = m_compiled->rules[i];
    KnownShards::OfRule& answers = known.rules[i];
    const bool isOfKind =
        rule.axis == axis && (rule.row.empty() || fits(what, compiled.row, answers.rows));
    if (isOfKind && (rule.match.empty() || fits(entry.module, compiled.match, answers.modules) ||
                     std::regex_search(row.name, compiled.match))) {
      return &rule;
    }
  }
  return nullptr;
}

ShardRule ShardMatcher::ruleFor(const dumps::DumpEntry& entry,
                                const dumps::DumpRow& row,
                                ShardAxis axis,
                                KnownShards& known) const {
  if (const ShardRule* const rule = firstThatFits(entry, row, axis, known)) {
    return *rule;
  }
  const bool isOfModel = row.role == Role::Parameter || row.role == Role::ParameterGradient ||
                         row.role == Role::Value || row.shape.empty();
  return axis == ShardAxis::Tensor || isOfModel
             ? ShardRule{.kind = ShardKind::Replicated, .axis = axis}
             : ShardRule{.kind = ShardKind::Concat, .axis = axis};
}

std::optional<ShardRule> ShardMatcher::expertRuleFor(const dumps::DumpEntry& entry,
                                                     const dumps::DumpRow& row,
                                                     KnownShards& known) const {
  const ShardRule* const rule = firstThatFits(entry, row, ShardAxis::Expert, known);
  return rule == nullptr ? std::nullopt : std::optional(*rule);
}

std::string shardRowName(const dumps::DumpRow& row) {
  std::string name(toString(row.role));
  return row.index.empty() ? name : name + "." + row.index;
}

}  // namespace ulp::analysis
