#pragma once

#include <memory>

#include <QtCore/QMimeData>
#include <QtCore/QString>

class QTableView;

namespace ulp::views {

/// The selected cells of a table as tab-separated text (exact values, C locale) and as an HTML
/// table (as shown), both with headers; hidden columns are left out. Null when nothing is selected.
[[nodiscard]] std::unique_ptr<QMimeData> copyOfSelection(const QTableView& table);

/// Gives the table a "Copy" action with the standard key.
void addCopyAction(QTableView& table);

}  // namespace ulp::views
