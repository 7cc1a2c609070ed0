#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/report/exporters/exporter.h"
#include "core/report/report.h"

namespace ulp::views {

/// A whole report with charts, summaries, configuration, provenance and the worst tensors, as one
/// HTML file that needs nothing from outside, or as a PDF for printing. What is left out of long
/// tables is said, with the file that holds it. May run on any thread. Errors: InvalidArgument for
/// another format, or for runs and metrics that the report does not hold.
[[nodiscard]] Result<std::string> reportPages(const report::LoadedReport& loaded,
                                              std::string_view format,
                                              const report::ExportOptions& options);

}  // namespace ulp::views
