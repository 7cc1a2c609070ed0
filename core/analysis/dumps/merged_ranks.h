#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/dumps/shard_matcher.h"
#include "core/dumps/dump.h"

namespace ulp::analysis {

/// The units of ranks that hold shards of the same tensors (ShardAxis::Tensor), or the same and saw
/// other data (Data), as one unit: the first one's calls with whole tensors. Calls and rows meet by
/// name, role and index. What ranks should hold alike is checked: by checksums or statistics here,
/// by elements when they are read; what differs, what a rank lacks and what cannot be put together
/// is in the notes, with rank and row. `units` must not be empty; one is returned as it is.
[[nodiscard]] dumps::DumpUnitPtr mergeRanks(const std::vector<dumps::DumpUnitPtr>& units,
                                            const ShardMatcher& matcher,
                                            ShardAxis axis);

/// The stages of a pipeline as one unit, forward in their order, backward in the opposite one.
/// `layers` (one for each stage, or empty) is added to the numbers of layers in names. Calls of
/// functions are numbered through. A module that several stages call is one call: with what the
/// first stage read and what the last one made (backward: the other way round). One stage keeps its
/// order. `axes` are those of the result.
[[nodiscard]] dumps::DumpUnitPtr joinStages(const std::vector<dumps::DumpUnitPtr>& stages,
                                            const std::vector<std::int64_t>& layers,
                                            UnitAxes axes);

}  // namespace ulp::analysis
