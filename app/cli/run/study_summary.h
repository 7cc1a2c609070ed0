#pragma once

#include "app/cli/command.h"
#include "core/report/model/report.h"

namespace ulp::cli {

/// Adds what the rules of this version find in a report (worker::RunOptions::conclude).
void concludeReport(report::Report& report);

/// Prints the summary of a study and its verdict to `context.out`. Errors: those of the format.
[[nodiscard]] Result<> printSummary(const report::Report& report, const CommandContext& context);

}  // namespace ulp::cli
