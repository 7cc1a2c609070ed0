#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/mapping/dump_rules.h"
#include "core/analysis/mapping/site_mapping.h"
#include "core/base/result.h"

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

}  // namespace ulp::analysis
