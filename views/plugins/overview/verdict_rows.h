#pragma once

#include <vector>

#include <QtCore/QString>

#include "core/analysis/verdict/run_agreement.h"
#include "core/analysis/verdict/run_verdict.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"
#include "views/framework/workspace/finding_navigator.h"

namespace ulp::views {

/// The verdict on a run as the overview shows it.
struct VerdictRow {
  analysis::RunVerdict verdict;
  int style = 0;  ///< of the variant
};

/// What is judged of a document, and by what.
struct VerdictRequest {
  DocumentPtr document;
  FindingNavigator::Findings findings;  ///< null: to be found first
  std::string metric;
  analysis::VerdictLimits limits;
};

/// What the overview says first.
struct Verdicts {
  std::vector<VerdictRow> rows;
  QString headline;  ///< of several reports: whether they are equal, and which runs differ
};

/// Judges the shown variants; takes time with the number of tensors. Errors: those of
/// analysis::allFindings().
[[nodiscard]] Result<Verdicts> makeVerdicts(const VerdictRequest& request,
                                            const std::stop_token& stop = {});

using VerdictModel = RowTableModel<VerdictRow>;

/// A part of the answer in a column: of a run, or what is asked of it.
struct VerdictColumn {
  QString title;
  QString toolTip;
  analysis::VerdictPart analysis::RunVerdict::*part = nullptr;  ///< null: the name of the run
};

/// The columns of which any row knows something; the first one is the run. `areUnits`: runs are
/// units of dumps; `areOfOneDump`: of one, which is compared with none.
[[nodiscard]] std::vector<VerdictColumn> verdictColumns(const std::vector<VerdictRow>& rows,
                                                        bool areUnits,
                                                        bool areOfOneDump = false);
/// The same as the model shows them: a part that leads to a place looks like a link.
[[nodiscard]] std::vector<Column<VerdictRow>> verdictModelColumns(
    const std::vector<VerdictColumn>& columns);

}  // namespace ulp::views
