#include "app/cli/sources/rules_file.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/files/atomic_file.h"

namespace ulp::cli {

Result<std::optional<analysis::VerdictRules>> readRules(const std::string& name) {
  if (name.empty()) {
    return std::nullopt;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) {
    return analysis::VerdictRules::preset(name);
  }
  const auto text = ULP_TRY(readTextFile(name));
  return analysis::VerdictRules::parse(text, name);
}

std::string rulesHelp() {
  return fmt::format("What must hold, else exit code 1: {} or a file (docs/rules.md)",
                     fmt::join(analysis::VerdictRules::presetNames(), ", "));
}

}  // namespace ulp::cli
