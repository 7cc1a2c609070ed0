#pragma once

#include <cstdint>
#include <vector>

#include "core/comparing/ranks/shard_matcher.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

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
[[nodiscard]] dumps::DumpUnitPtr mergeRanks(const std::vector<dumps::DumpUnitPtr>& units,
                                            const ShardMatcher& matcher,
                                            ShardAxis axis,
                                            const std::vector<std::size_t>& owners = {});

}  // namespace ulp::analysis
