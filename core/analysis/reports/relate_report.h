#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "core/base/result.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// How the errors of a run are put in relation to those of a baseline run. All of them are errors
/// against the reference; none needs tensors.
enum class Relation : std::uint8_t {
  Difference,  ///< e(run) - e(baseline)
  Ratio,       ///< e(run) / e(baseline); 1 where both are 0
};

/// The report with every metric of every run replaced by its relation to `baseline`, which becomes
/// the reference. Rows that the baseline lacks have undefined values (NaN), and so have ULP of
/// another format than the baseline's (report::ulpFormatOf()); worst elements belong
/// to another pair and are left out; ref_scale, which says nothing of the run, stays; counts,
/// shapes and non-finite counts stay those of the run. The former reference, which has no errors,
/// is left out, and so are runs of a noise floor. Errors: InvalidArgument when the report has no
/// such run or the run has no comparisons; Cancelled.
[[nodiscard]] Result<report::Report> relateReport(const report::Report& report,
                                                  std::string_view baseline,
                                                  Relation relation,
                                                  const std::stop_token& stop = {});

}  // namespace ulp::analysis
