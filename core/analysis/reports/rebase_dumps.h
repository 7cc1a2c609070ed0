#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/analysis/reports/join_reports.h"
#include "core/report/model/dump_origin.h"

namespace ulp::analysis {

/// The comparisons by which the dump of `run`, a candidate of one of several comparisons, becomes
/// the baseline of all other dumps that are open: of its own baseline first, then of the others in
/// their order, each once. Mapping files are left out, since their names are those of another
/// baseline. Empty: the sources are not comparisons of two dumps, or the only one has several
/// units, of which none is the baseline of another.
[[nodiscard]] std::vector<report::DumpOrigin> comparisonsAgainst(
    const std::string& run, const JoinedReports& joined, std::span<const ReportSource> sources);

}  // namespace ulp::analysis
