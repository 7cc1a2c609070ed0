#pragma once

#include <QtCore/QStringList>

#include "core/base/result.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/view/view_registry.h"

namespace ulp::views {

/// What drawHeatmap() draws: variants, modules of the first variant, its samples, and steps and
/// ranks of a comparison of dumps, each cell the worst of its units.
[[nodiscard]] QStringList heatmapSubjects();

/// Called on any thread. Errors: NotFound where the report has no such rows or columns.
[[nodiscard]] Result<Exhibit> drawHeatmap(const DrawRequest& request);

}  // namespace ulp::views
