#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/pictures/pictures.h"
#include "core/report/model/report.h"
#include "views/framework/document/report_document.h"
#include "views/framework/exports/exhibit.h"

namespace ulp::views {

/// What `request.what` names, as an exhibit that stays valid on its own. Errors: InvalidArgument
/// for passes that no chart shows together, and for what the report does not hold.
[[nodiscard]] Result<Exhibit> reportExhibit(const report::LoadedReport& loaded,
                                            const pictures::PictureRequest& request);

/// The depth chart of each metric of the summary, for the pages of a report.
[[nodiscard]] Result<std::vector<Exhibit>> reportCharts(const report::LoadedReport& loaded,
                                                        const report::ExportOptions& options);

/// What the views add to the pages of a report, as far as it has that, of the runs that were asked
/// for. Nothing is drawn yet, so any thread will do. Errors:
/// those of reading the files beside the report.
[[nodiscard]] Result<std::vector<Exhibit>> viewExhibits(const DocumentPtr& document,
                                                        const report::ExportOptions& options);

/// A picture or a page of a report: what the window exports, too.
[[nodiscard]] Result<std::string> drawPicture(const report::LoadedReport& loaded,
                                              const pictures::PictureRequest& request);

}  // namespace ulp::views
