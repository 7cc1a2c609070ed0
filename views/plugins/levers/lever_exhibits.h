#pragma once

#include <memory>

#include "core/analysis/studies/lever_effects.h"
#include "views/framework/document/report_document.h"
#include "views/framework/exports/exhibit.h"
#include "views/plugins/levers/effect_rows.h"
#include "views/plugins/levers/parallel_painter.h"

namespace ulp::views {

using LeverTablePtr = std::shared_ptr<const analysis::LeverTable>;

/// What the metric is called in the report; an empty one for an unknown id.
[[nodiscard]] MetricInfo leverMetric(const ReportDocument& document, const QString& metric);
/// The lines of the variants. Holds what it draws.
[[nodiscard]] Exhibit leverChartExhibit(const DocumentPtr& document,
                                        const LeverTablePtr& levers,
                                        const ParallelData& data,
                                        const AxisBrushes& brushes);
/// What each setting changes, in the order of `rows`.
[[nodiscard]] Exhibit leverEffectsExhibit(bool isRatio,
                                          const MetricInfo& metric,
                                          std::vector<EffectRow> rows);

}  // namespace ulp::views
