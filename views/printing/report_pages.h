#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <QtCore/QSizeF>

#include "core/base/result.h"
#include "core/report/formats/format.h"
#include "core/report/model/report.h"
#include "views/framework/exports/exhibit.h"

namespace ulp::views {

/// A whole report with its verdict, charts, summaries, configuration, provenance and the worst
/// tensors, as one HTML file that needs nothing from outside, or as a PDF for printing. What is
/// left out of long tables is said, with the file that holds it. `more`: what the views add
/// (viewExhibits()); `judgement`: what rules say of what `options` choose. May run on any thread,
/// provided that the pictures of `more` may be painted there (recorded()). Errors: InvalidArgument
/// for another format, or for runs and metrics that the report does not hold.
[[nodiscard]] Result<std::string> reportPages(const report::LoadedReport& loaded,
                                              std::string_view format,
                                              const report::ExportOptions& options,
                                              const std::vector<Exhibit>& more = {},
                                              report::DocumentJudgement judgement = {});

/// Size at which a chart stands on a page: as wide as the page.
[[nodiscard]] QSizeF pageChartSize(const Exhibit& exhibit, std::string_view format);

}  // namespace ulp::views
