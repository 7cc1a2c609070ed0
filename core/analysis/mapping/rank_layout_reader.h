#pragma once

#include <string_view>

#include "core/analysis/mapping/dump_rules.h"
#include "core/base/result.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::analysis {

/// Reads `ranks:` of a mapping file into the layouts of either side. Sizes in place of groups stand
/// for ranks that are numbered as Megatron does: tensor fastest, then data, then pipeline. Errors:
/// InvalidArgument as `origin:line:column: what`, also for ranks that are named twice.
[[nodiscard]] Result<> readRanks(const study::YamlNode& node,
                                 std::string_view origin,
                                 DumpRules& rules);

}  // namespace ulp::analysis
