#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/report/contents/export_selection.h"
#include "core/report/model/report.h"
#include "core/report/tables/text_table.h"

namespace ulp::report {

/// The effective configuration of runs, or a part of it: one row for each value of a setting, with
/// what set it and the runs that have it, of which `named` are named. Without rows when the report
/// does not say. Errors: CorruptData when what it says cannot be read.
[[nodiscard]] Result<TextTable> configurationTable(const Report& report,
                                                   std::span<const Run* const> runs,
                                                   ConfigurationPart part,
                                                   std::size_t named);

}  // namespace ulp::report
