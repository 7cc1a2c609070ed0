#pragma once

#include <vector>

#include "views/charts/histogram/histogram.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/view/view_registry.h"
#include "views/plugins/log_probabilities/gap_rows.h"
#include "views/plugins/log_probabilities/loss_rows.h"
#include "views/plugins/log_probabilities/token_rows.h"

namespace ulp::views {

/// Ids of the exhibits, which are also the object names of their widgets.
[[nodiscard]] QString gapsId();
[[nodiscard]] QString differencesId();
[[nodiscard]] QString tokensId();
[[nodiscard]] QString lossesId();

/// δ of the runs at the places `runs` of data.runs that have a gap; `current` is set apart.
[[nodiscard]] charts::HistogramData differenceHistogramOf(const GapData& data,
                                                          const std::vector<std::size_t>& runs,
                                                          std::optional<std::size_t> current,
                                                          bool isLogarithmic);
/// Places of the runs that can be compared.
[[nodiscard]] std::vector<std::size_t> comparedRuns(const GapData& data);

/// All of them hold what they show.
[[nodiscard]] Exhibit gapsExhibit(const GapData& data, std::vector<GapRow> rows, double epsilon);
[[nodiscard]] Exhibit differencesExhibit(const GapData& data,
                                         charts::HistogramData histogram,
                                         const charts::HistogramExtent& seen);
[[nodiscard]] Exhibit tokensExhibit(const GapDataPtr& data, std::size_t run, TokenRows rows);
[[nodiscard]] Exhibit lossesExhibit(const QString& baseline, std::vector<LossRow> rows);

/// Draws an exhibit without a window: of the chosen runs, worst tokens first. Reads the files of
/// the run folder. Errors: NotFound where the report has none; those of readGaps().
[[nodiscard]] Result<Exhibit> drawLogProbabilities(const DrawRequest& request);

}  // namespace ulp::views
