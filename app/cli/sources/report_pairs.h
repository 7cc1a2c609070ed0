#pragma once

#include <stop_token>

#include "core/analysis/rules/report_judgement.h"
#include "core/comparing/verdict/judge_comparison.h"
#include "core/report/model/dump_origin.h"
#include "core/report/model/report.h"

namespace ulp::cli {

/// Makes what reads the elements of a report's rows: kept beside it, or in the dumps that it
/// compares. Files are opened with the first row.
[[nodiscard]] analysis::PairReader pairReaderOf(const report::LoadedReport& loaded);
/// The same of a comparison that is no report yet, which outlives it.
[[nodiscard]] analysis::UnitPairReader pairReaderOf(const analysis::DumpComparison& comparison,
                                                    report::DumpOrigin origin,
                                                    std::stop_token stop);

}  // namespace ulp::cli
