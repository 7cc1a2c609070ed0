#pragma once

#include <string>

#include "app/cli/command.h"
#include "core/base/result.h"
#include "core/base/unit_axes.h"
#include "core/report/model/report.h"

namespace ulp::cli {

/// Opens a report, or reads a dump as the report of one dump (report::isOneDump()): what was
/// recorded, unit by unit. `units` choose what of a dump. Says on standard error what of it could
/// not be read. Errors: those of report::loadReport(), analysis::openSides() and
/// analysis::readContents(); InvalidArgument for units of a report; Cancelled by a signal.
[[nodiscard]] Result<report::LoadedReport> loadReportOrDump(const std::string& source,
                                                            const UnitAxes& units,
                                                            const CommandContext& context);

}  // namespace ulp::cli
