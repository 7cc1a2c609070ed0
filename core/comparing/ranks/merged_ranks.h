#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/mapping/dump_rules.h"
#include "core/base/first_error.h"
#include "core/base/text/regular_expression.h"
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
  FirstError error;  ///< of expressions that took too many steps
};

/// Finds the rule that says how the ranks hold a row (shard_matcher.cpp).
class ShardMatcher {
 public:
  /// Errors: InvalidArgument for a rule that is no regular expression.
  [[nodiscard]] static Result<ShardMatcher> make(const std::vector<ShardRule>& rules);

  /// The first rule that fits, else: among tensor-parallel ranks replicated; among data-parallel
  /// ones parameters (also as arguments of functions), their gradients and numbers replicated,
  /// everything else put together along the first dimension.
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
    RegularExpression match;
    RegularExpression row;
  };

  std::vector<Compiled> m_rules;
};

/// The units of ranks that hold shards of the same tensors (ShardAxis::Tensor), or the same and saw
/// other data (Data), as one unit: the first one's calls with whole tensors, and those of the
/// others where they stand between its own. Calls and rows meet by name, role and index. What ranks
/// should hold alike is checked: by checksums or statistics here, by elements when they are read;
/// what differs is in DumpRow::replicas. What a rank lacks and what cannot be put together is in
/// the notes, with rank and row. `units` must not be empty; one is returned as it is.
///
/// `owners`: the place of each rank in its expert-parallel group; empty: there are none. Ranks of
/// different places have different experts, under the numbers of the whole model
/// (withExpertNumbers()): each stands beside the others. What they hold of all experts in one
/// tensor is put together by the rules over experts.
///
/// `gradientDivisor`: of data-parallel ranks, RankLayout::gradientDivisor. Gradients that arrive at
/// calls and leave them are then divided by it as well, those at parameters that functions take are
/// summed up, and numbers that differ, such as losses, are means where gradients are. Errors:
/// Unsupported where an expression of the rules takes too many steps.
[[nodiscard]] Result<dumps::DumpUnitPtr> mergeRanks(const std::vector<dumps::DumpUnitPtr>& units,
                                                    const ShardMatcher& matcher,
                                                    ShardAxis axis,
                                                    const std::vector<std::size_t>& owners,
                                                    double gradientDivisor = 0);

}  // namespace ulp::analysis
