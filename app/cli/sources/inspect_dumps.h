#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/sources/inspect_source.h"
#include "core/report/model/report.h"

namespace ulp::cli {

/// The tensors that a report of dumps compares, both sides of each row, by the names that the rows
/// have: those of the baseline are of the run Report::reference, with several units of
/// "reference: unit". The dumps are opened with the first tensor that is read. Errors of reading:
/// NotFound (the dumps do not have it any more, or no elements of it), those of the dumps.
[[nodiscard]] InspectSource inspectReport(const report::Report& report);

/// The tensors of a dump, unit by unit, by the names that a report of it gives them. Errors: those
/// of opening it; that of the first unit where none can be read, else they are `warnings`.
[[nodiscard]] Result<InspectSource> inspectDump(const std::filesystem::path& path,
                                                std::vector<std::string>& warnings);

}  // namespace ulp::cli
