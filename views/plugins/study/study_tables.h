#pragma once

#include <vector>

#include "core/report/tables/data_table.h"
#include "core/study/editing/study_edit.h"
#include "core/study/reading/study.h"
#include "core/study/schema/schema.h"
#include "views/framework/tables/row_table_model.h"
#include "views/plugins/study/study_forecast.h"
#include "views/plugins/study/text/study_check.h"

/// Words and tables of the study view, apart from its widgets.
namespace ulp::views {

[[nodiscard]] std::vector<Column<StudyProblem>> problemColumns();
/// Every key and run, as it leaves the program.
[[nodiscard]] report::DataTable effectiveDataTable(const study::EffectiveTable& table);
/// "input.seed: Seed of random tokens: …"
[[nodiscard]] QString keyHelp(const study::Key& key);
/// "change of variant bf16", "change of input.seed"
[[nodiscard]] QString stepText(const study::KeyOwner& owner, const QString& key);
[[nodiscard]] QString ownerText(const study::KeyOwner& owner);
/// Whether it can run, and where its results go.
[[nodiscard]] QString stateText(const StudyCheck& check, bool isReadOnly);

/// The same with what it will cost, or why that is not known or it cannot run.
[[nodiscard]] QString forecastText(const StudyCheck& check, const StudyForecast& forecast);

}  // namespace ulp::views
