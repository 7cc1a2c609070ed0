#pragma once

#include <optional>
#include <string>

#include "core/analysis/rules/verdict_rules.h"

namespace ulp::cli {

/// Reads what `--rules` names: a file, or rules that ship; none where `name` is empty. Errors:
/// those of VerdictRules::parse() and preset(), and of reading the file.
[[nodiscard]] Result<std::optional<analysis::VerdictRules>> readRules(const std::string& name);
/// "What must hold, else exit code 1: …", for the help.
[[nodiscard]] std::string rulesHelp();

}  // namespace ulp::cli
