#pragma once

#include <memory>
#include <optional>
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
  explicit ShardMatcher(std::vector<ShardRule> rules);
  ~ShardMatcher();
  ShardMatcher(const ShardMatcher&) = delete;
  ShardMatcher& operator=(const ShardMatcher&) = delete;

  /// The first rule that fits, else: among tensor-parallel ranks replicated; among data-parallel
  /// ones parameters, their gradients and numbers replicated, everything else put together along
  /// the first dimension.
  [[nodiscard]] ShardRule ruleFor(const dumps::DumpEntry& entry,
                                  const dumps::DumpRow& row,
                                  ShardAxis axis,
                                  KnownShards& known) const;
  /// The first rule over the ranks of an expert-parallel group that fits; nothing: none does.
  [[nodiscard]] std::optional<ShardRule> expertRuleFor(const dumps::DumpEntry& entry,
                                                       const dumps::DumpRow& row,
                                                       KnownShards& known) const;

 private:
  [[nodiscard]] const ShardRule* firstThatFits(const dumps::DumpEntry& entry,
                                               const dumps::DumpRow& row,
                                               ShardAxis axis,
                                               KnownShards& known) const;

  struct Compiled;

  std::vector<ShardRule> m_rules;
  std::unique_ptr<Compiled> m_compiled;
};

/// What `ShardRule::row` is searched in: "output.0", "parameter.weight".
[[nodiscard]] std::string shardRowName(const dumps::DumpRow& row);

}  // namespace ulp::analysis
