#pragma once

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "core/analysis/rules/judged_report.h"
#include "core/report/contents/export_selection.h"
#include "core/report/model/report.h"

namespace ulp::cli {

/// Asks what `--rules` names of the rows that `options` choose; none where `rules` is empty.
/// Errors: those of readRules() and analysis::judgeChosen().
[[nodiscard]] Result<std::optional<analysis::JudgedReport>> judgeRows(
    const std::string& rules,
    const report::LoadedReport& loaded,
    const report::ExportOptions& options);

/// RuleFailed where a row fails, else BadInput where one that had to be decided was not. Says why a
/// row could not be read.
[[nodiscard]] ExitCode exitCodeOf(const std::optional<analysis::JudgedReport>& judged,
                                  const CommandContext& context);

}  // namespace ulp::cli
