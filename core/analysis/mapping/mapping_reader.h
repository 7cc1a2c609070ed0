#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/mapping/dump_rules.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/base/result.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::analysis {

/// What a mapping file holds, before its rules are compiled.
struct MappingContent {
  std::vector<RenameRule> rules;
  std::map<std::string, std::string> pairs;
  DumpRules dumps;
};

/// Reads a mapping file of Ulpscope, or one of msprobe (-dm, -cm, -lm), which is told by its
/// content (docs/mapping.md). Errors: InvalidArgument as `origin:line:column: what`.
[[nodiscard]] Result<MappingContent> readMapping(std::string_view yaml, std::string_view origin);

/// Reads `ranks:` of a mapping file into the layouts of either side. Sizes in place of groups stand
/// for ranks that are numbered as Megatron does: tensor fastest, then data, then pipeline. Errors:
/// InvalidArgument as `origin:line:column: what`, also for ranks that are named twice.
[[nodiscard]] Result<> readRanks(const study::YamlNode& node,
                                 std::string_view origin,
                                 DumpRules& rules);

}  // namespace ulp::analysis
