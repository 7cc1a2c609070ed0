#pragma once

#include <regex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/mapping/dump_rules.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// What the expressions of a matcher found in module paths and kinds of rows, which a dump has few
/// of beside its rows. For one thread, and always the same matcher.
struct KnownShards {
  struct OfRule {
    std::unordered_map<std::string, bool> modules;
    std::unordered_map<std::string, bool> rows;  ///< by shardRowName()
  };
  std::vector<OfRule> rules;
};

/// Finds the rule that says how the ranks hold a row.
class ShardMatcher {
 public:
  /// The expressions of the rules are valid (SiteMapping::parse() has seen them).
  explicit ShardMatcher(const std::vector<ShardRule>& rules);

  /// The first rule that fits, else: among tensor-parallel ranks replicated; among data-parallel
  /// ones parameters, their gradients and numbers replicated, everything else put together along
  /// the first dimension.
  [[nodiscard]] ShardRule ruleFor(const dumps::DumpEntry& entry,
                                  const dumps::DumpRow& row,
                                  ShardAxis axis,
                                  KnownShards& known) const;
  /// The first rule over these ranks that fits; null: none does.
  [[nodiscard]] const ShardRule* find(const dumps::DumpEntry& entry,
                                      const dumps::DumpRow& row,
                                      ShardAxis axis,
                                      KnownShards& known) const;

 private:
  struct Compiled {
    ShardRule rule;
    std::regex match;
    std::regex row;
  };

  std::vector<Compiled> m_rules;
};

}  // namespace ulp::analysis
