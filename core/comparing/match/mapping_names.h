#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/analysis/mapping/site_mapping.h"
#include "core/base/result.h"
#include "core/dumps/model/dump.h"

/// Calls of two dumps that have no partner, in the names by which a mapping can give them one.
namespace ulp::analysis {

/// A name with the calls behind it that have no partner: a module with its calls in every pass, a
/// tensor, or one call of an API.
struct OpenName {
  std::string name;       ///< "model.layers.0.mlp", "Functional.linear.13"
  dumps::EntryKind kind;  ///< Module (also for gradients), Tensor (also for saved ones), Api
  std::string module{};   ///< of a call of an API: what encloses it; empty: not known
  std::vector<std::size_t> entries{};  ///< in DumpUnit::entries, in order of execution
};

/// The calls `entries` of a unit by name, in order of execution.
[[nodiscard]] std::vector<OpenName> openNames(const dumps::DumpUnit& unit,
                                              std::span<const std::size_t> entries);

/// A pair of SiteMapping: a name of the candidate, and what it reads as.
struct NamePair {
  std::string candidate;
  std::string baseline;

  friend bool operator==(const NamePair&, const NamePair&) = default;
};

/// The pair by which matchUnits() pairs the two; of calls that their names alone do not tell apart,
/// or of different kinds, that of a tensor of the same role and pass. Nothing where no pair can:
/// they have no pass in common, or no tensors.
[[nodiscard]] std::optional<NamePair> pairOf(const dumps::DumpUnit& baseline,
                                             const OpenName& own,
                                             const dumps::DumpUnit& candidate,
                                             const OpenName& other);

/// A rule that makes of this pair many: where the names end alike, one for what they begin with;
/// else one for every number in them (layers, experts), and for the modules below. `pair.candidate`
/// as the rules before it leave it. Nothing where there is no more to it than the pair.
[[nodiscard]] std::optional<RenameRule> generalised(const NamePair& pair);

/// Names of a unit to which a mapping is applied: modules and tensors, each once, sorted.
[[nodiscard]] std::vector<std::string> mappableNames(const dumps::DumpUnit& unit);

/// What a rule does with the names of a candidate.
struct RuleEffect {
  std::size_t matched = 0;  ///< names that it changes
  std::size_t met = 0;      ///< those of them that read as one of the baseline's in the end
};

/// Of each rule of `mapping`, after those before it; names with a pair do not count. Errors:
/// Cancelled; those of SiteMapping::applied().
[[nodiscard]] Result<std::vector<RuleEffect>> effectsOf(const SiteMapping& mapping,
                                                        std::span<const std::string> candidateNames,
                                                        std::span<const std::string> baselineNames,
                                                        const std::stop_token& stop = {});
/// Of the rule at `index` alone.
[[nodiscard]] Result<RuleEffect> effectOf(const SiteMapping& mapping,
                                          std::size_t index,
                                          std::span<const std::string> candidateNames,
                                          std::span<const std::string> baselineNames,
                                          const std::stop_token& stop = {});

}  // namespace ulp::analysis
