#pragma once

#include <memory>

#include <QtCore/QMimeData>
#include <QtGui/QFont>
#include <QtGui/QFontMetrics>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace ulp::views {

class ThemeManager;

/// The fixed-width font of numbers in the size of `like`.
[[nodiscard]] QFont fixedFont(const QFont& like);
/// Height of a table row on the 4-pixel grid, at least 24 (WCAG 2.5.8).
[[nodiscard]] int rowHeight(const QFontMetrics& metrics);
/// The look that all tables share: rows without grid, uniform height, copy action, our delegate.
void setUpTable(QTableView& table, const ThemeManager& themes);
/// Makes such a table of a model; `name` is read aloud.
[[nodiscard]] QTableView* makeTable(QAbstractItemModel* model,
                                    const QString& name,
                                    const ThemeManager& themes,
                                    QWidget* parent = nullptr);
/// Sorts by the heading that is clicked; in the order of the model before, and after a third click.
void sortOnClick(QTableView& table);
/// Fits the columns to header and to the first few hundred rows, at most `widest` em.
void fitColumns(QTableView& table, int widest = 40);
/// Makes columns wider whose content has grown beyond them, for tables that fill while they are
/// seen.
void widenColumns(QTableView& table, int widest = 40);

/// The selected cells of a table as tab-separated text (exact values, C locale) and as an HTML
/// table (as shown), both with headers; hidden columns are left out. Null when nothing is selected.
[[nodiscard]] std::unique_ptr<QMimeData> copyOfSelection(const QTableView& table);

/// Gives the table a "Copy" action with the standard key.
void addCopyAction(QTableView& table);

}  // namespace ulp::views
