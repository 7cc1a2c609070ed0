#pragma once

#include <span>

#include "core/base/result.h"
#include "core/report/model/report.h"
#include "core/report/tables/text_table.h"

namespace ulp::report {

/// The effective configuration of runs: one row for each value of a setting, with what set it and
/// the runs that have it. Without rows when the report does not say. Errors: CorruptData when what
/// it says cannot be read.
[[nodiscard]] Result<TextTable> configurationTable(const Report& report,
                                                   std::span<const Run* const> runs);

}  // namespace ulp::report
