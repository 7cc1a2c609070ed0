#pragma once

#include <functional>
#include <memory>

#include <QtCore/QMimeData>
#include <QtCore/QRect>
#include <QtCore/QSortFilterProxyModel>
#include <QtGui/QFont>
#include <QtGui/QFontMetrics>
#include <QtWidgets/QTableView>

class QLineEdit;

namespace ulp::views {

class ThemeManager;

/// The fixed-width font of numbers in the size of `like`.
[[nodiscard]] QFont fixedFont(const QFont& like);
/// Height of a table row on the 4-pixel grid, at least 24 (WCAG 2.5.8).
[[nodiscard]] int rowHeight(const QFontMetrics& metrics);
/// The look that all tables share: rows without grid, uniform height, copy actions, our delegate.
void setUpTable(QTableView& table, const ThemeManager& themes);
/// Makes such a table of a model; `name` is read aloud.
[[nodiscard]] QTableView* makeTable(QAbstractItemModel* model,
                                    const QString& name,
                                    const ThemeManager& themes,
                                    QWidget* parent = nullptr);
/// Sorts by the heading that is clicked; in the order of the model before, and after a third click.
void sortOnClick(QTableView& table);
/// The same where the rows are sorted elsewhere: `sort` is told which column was chosen, -1 for
/// none. The columns can be moved, too.
void sortElsewhere(QTableView& table, std::function<void(int column, Qt::SortOrder order)> sort);
/// Lets Ctrl+F and / lead from a table to the line that filters it; `text` names that.
void leadToFilter(QTableView& table, QLineEdit& filter, const QString& text);
/// Makes a row the selected one, in the column where the user is; selects none where it is
/// negative.
void selectOnly(QTableView& table, int row);
/// Where a row lies in the viewport; empty where it is not selected.
[[nodiscard]] QRect areaOfSelected(const QTableView& table, int row);
/// Fits the columns to header and to the first few hundred rows, at most `widest` em.
void fitColumns(QTableView& table, int widest = 40);
/// Makes columns wider whose content has grown beyond them, for tables that fill while they are
/// seen.
void widenColumns(QTableView& table, int widest = 40);

/// The selected cells of a table as tab-separated text (exact values, C locale) and as an HTML
/// table (as shown), both with headers; hidden columns are left out. Null when nothing is selected.
[[nodiscard]] std::unique_ptr<QMimeData> copyOfSelection(const QTableView& table);

/// Sorts by SortRole: numbers as numbers, text as text, and NaN or missing values last in both
/// directions.
class NanLastProxy : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit NanLastProxy(QObject* parent = nullptr);

 protected:
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

/// A table that tells screen readers of its current cell and its selection only while it has the
/// focus. Tables follow the selection of the window: Qt's (before 6.6) would say so each time, and
/// the reader would leave the chart or table in which the user moves.
class QuietTableView : public QTableView {
  Q_OBJECT

 public:
  using QTableView::QTableView;

 protected:
  /// Makes no row current: views take that for a choice of the user.
  void focusInEvent(QFocusEvent* event) override;
  /// A current row that was seen stays in sight where the table gets lower.
  void resizeEvent(QResizeEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
};

}  // namespace ulp::views
