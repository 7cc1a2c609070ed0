#pragma once

#include "core/base/result.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/view/view_registry.h"

namespace ulp::views {

/// What drawLogProbabilities() knows.
[[nodiscard]] QStringList logProbabilitySubjects();
/// What of it whole reports hold.
[[nodiscard]] QStringList printedLogProbabilities();
/// An exhibit of the view without a window: of the chosen runs, worst tokens first. Reads the
/// files of the run folder. Errors: NotFound where the report has none; those of readGaps().
[[nodiscard]] Result<Exhibit> drawLogProbabilities(const DrawRequest& request);

}  // namespace ulp::views
