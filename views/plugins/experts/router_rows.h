#pragma once

#include <vector>

#include <QtCore/QString>

#include "core/report/model/expert_choice.h"
#include "core/report/tables/data_table.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// What a router of a variant chose beside the reference.
struct RouterRow {
  QString run;
  QString router;
  report::RouterChoice choice;
};

using RouterModel = RowTableModel<RouterRow>;

/// The routers of a variant; of all of them where it is -1.
[[nodiscard]] std::vector<RouterRow> makeRouterRows(const ReportDocument& document,
                                                    int variant,
                                                    const QStringList& chosen = {});
/// `hasRun`: rows are of several variants.
[[nodiscard]] std::vector<Column<RouterRow>> routerColumns(bool hasRun);
/// One sentence on a variant's routers.
[[nodiscard]] QString routerHeadline(const QString& run, const std::vector<RouterRow>& rows);

}  // namespace ulp::views
