#pragma once

#include <optional>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QVariant>

#include "core/report/tables/data_table.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {

/// Cells that the tables of jobs and of runs share, role by role.

/// "35 %", rounded down. `fraction`: 0 … 1.
[[nodiscard]] QString shareText(double fraction);
/// Glyph and word; the glyph in the colour of its severity.
[[nodiscard]] QVariant stateCell(const StateText& state, int role);
/// A bar with its percentage. `fraction`: 0 … 1; negative: there is none.
[[nodiscard]] QVariant progressCell(double fraction, int role);

/// A number that may not be known, as `text` writes it. `value`: Row -> std::optional<double>.
template <class Row, class Value, class Text>
auto numberCell(Value value, Text text) {
  return [value, text](const Row& row, int role) -> QVariant {
    const std::optional<double> number = value(row);
    switch (role) {
      case Qt::DisplayRole:
        return number ? text(*number) : missingText();
      case RawRole:
        return number ? exactText(*number) : QString();
      case DimRole:
        return !number;
      default:
        return {};
    }
  };
}

/// An empty cell where there is nothing.
void addCell(std::vector<report::DataCell>& cells, const QString& text);
void addCell(std::vector<report::DataCell>& cells, const std::optional<double>& number);

}  // namespace ulp::views
