#include "core/analysis/dumps/shard_matcher.h"

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

ShardRule ShardMatcher::ruleFor(const dumps::DumpEntry& entry,
                                const dumps::DumpRow& row,
                                ShardAxis axis) const {
  const std::string what = shardRowName(row);
  const auto fits =
      [](const std::string& text, const std::string& pattern, const std::regex& rule) {
        return pattern.empty() || std::regex_search(text, rule);
      };
  for (std::size_t i = 0; i < m_rules.size(); ++i) {
    const ShardRule& rule = m_rules[i];
    const Compiled::Rule& compiled = m_compiled->rules[i];
    if (rule.axis == axis && fits(what, rule.row, compiled.row) &&
        (fits(entry.module, rule.match, compiled.match) ||
         fits(row.name, rule.match, compiled.match))) {
      return rule;
    }
  }
  const bool isOfModel = row.role == Role::Parameter || row.role == Role::ParameterGradient ||
                         row.role == Role::Value || row.shape.empty();
  return axis == ShardAxis::Tensor || isOfModel
             ? ShardRule{.kind = ShardKind::Replicated, .axis = axis}
             : ShardRule{.kind = ShardKind::Concat, .axis = axis};
}

std::string shardRowName(const dumps::DumpRow& row) {
  std::string name(toString(row.role));
  return row.index.empty() ? name : name + "." + row.index;
}

}  // namespace ulp::analysis
