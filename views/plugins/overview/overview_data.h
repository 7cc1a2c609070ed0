#pragma once

#include <vector>

#include <QtCore/QString>

#include "core/report/tables/data_table.h"
#include "views/plugins/overview/overview_model.h"

namespace ulp::views {

/// The table as data, as it leaves the program: intervals and noise in columns of their own.
[[nodiscard]] report::DataTable overviewData(const QString& title,
                                             const std::vector<OverviewRow>& rows);

}  // namespace ulp::views
