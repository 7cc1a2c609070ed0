#pragma once

#include "core/report/model/dump_origin.h"
#include "views/framework/view/view.h"
#include "views/framework/workspace/report_set.h"

namespace ulp::app {

/// The dumps that the open report compares; null: no report is open, or it compares none. Of
/// several reports that are open together the first one counts.
[[nodiscard]] const report::DumpOrigin* comparedDumps(const views::ReportSet& reports);

/// An editor on the screen, of those that editMapping() opened for `parent`, has changes that were
/// neither applied nor saved.
[[nodiscard]] bool hasUnsavedMapping(const QWidget& parent);

/// Opens the editor of the mapping by which these dumps are compared, or brings up the one that is
/// open; does nothing where the report compares none. What it applies is compared again.
void editMapping(const views::ViewContext& context, QWidget* parent);

}  // namespace ulp::app
