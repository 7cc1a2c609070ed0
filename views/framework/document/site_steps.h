#pragma once

#include "views/framework/document/report_document.h"

namespace ulp::views {

/// Steps from one tensor of a report to another, as indices into its sites; `direction` is 1 or -1.
/// -1: there is none, or `site` is none.

/// The tensor of the same name and pass in the next block that has it.
[[nodiscard]] int stepInKind(const ReportDocument& document, int site, int direction);
/// The module that contains it: the nearest shorter path that the report has in the same pass.
[[nodiscard]] int parentSite(const ReportDocument& document, int site);

}  // namespace ulp::views
