#pragma once

#include "core/analysis/mapping/dump_rules.h"
#include "core/base/result.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// The dump of several ranks as that of one model, one unit for each step: shards put together,
/// replicas checked, stages of a pipeline one behind the other (docs/mapping.md). The dump itself
/// where `rules` say nothing of shards and ranks, or no step has several ranks. Steps that lack a
/// rank are left out, and a rank that is there twice is taken once, with a note. Errors:
/// InvalidArgument where ranks of the dump have no place in the layout, or no step is complete.
[[nodiscard]] Result<dumps::DumpPtr> mergeShards(dumps::DumpPtr dump,
                                                 const DumpRules& rules,
                                                 bool isBaseline);

}  // namespace ulp::analysis
