#pragma once

#include <vector>

#include <QtCore/QString>

#include "core/report/model/effective_config.h"
#include "core/report/tables/data_table.h"
#include "views/framework/document/report_document.h"
#include "views/framework/tables/row_table_model.h"

namespace ulp::views {

/// A value of a run for one key.
struct ConfigCell {
  QString value;   ///< empty: the run does not say
  QString origin;  ///< who set it, in the user's language; empty: the report does not say
  bool isDefault = false;
  bool differs = false;  ///< from the first run, the reference

  [[nodiscard]] bool isMissing() const { return value.isEmpty() && origin.isEmpty(); }
};

/// A key over all runs.
struct ConfigRow {
  QString key;
  QString help;  ///< of the schema; empty: unknown to this build
  std::vector<ConfigCell> cells;
  bool differs = false;  ///< not all runs agree
};

using ConfigModel = RowTableModel<ConfigRow>;

/// The effective configuration of a report, key by key, runs side by side.
struct ConfigTable {
  std::vector<QString> runs;  ///< reference first
  std::vector<ConfigRow> rows;
};

/// Errors: CorruptData where the report's configuration cannot be read.
[[nodiscard]] Result<ConfigTable> makeConfigTable(const ReportDocument& document);

/// Rows whose key or some value contains `text` (letter case ignored) and, if asked for, in which
/// runs differ.
[[nodiscard]] std::vector<ConfigRow> filterConfig(const ConfigTable& table,
                                                  const QString& text,
                                                  bool differencesOnly);

[[nodiscard]] std::vector<Column<ConfigRow>> configColumns(const ConfigTable& table);
[[nodiscard]] report::DataTable configData(const QString& title,
                                           const ConfigTable& table,
                                           const std::vector<ConfigRow>& rows);

}  // namespace ulp::views
