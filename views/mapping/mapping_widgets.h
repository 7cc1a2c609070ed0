#pragma once

#include <QtCore/QString>

class QAbstractItemModel;
class QHBoxLayout;
class QPushButton;
class QTableView;
class QVBoxLayout;
class QWidget;

/// What the parts of the editor of a mapping are made of.
namespace ulp::views {

class ThemeManager;

inline constexpr int kMappingGap = 8;
/// In em; names of modules are long.
inline constexpr int kWidestNameColumn = 24;

/// Makes a table of whole rows, one of which can be chosen.
[[nodiscard]] QTableView* makeMappingTable(QAbstractItemModel* model,
                                           const QString& name,
                                           const ThemeManager& themes);
/// Makes a row, or the column of a widget, without margins.
[[nodiscard]] QHBoxLayout* makeMappingRow();
[[nodiscard]] QVBoxLayout* makeMappingColumn(QWidget* parent, int spacing);
/// Makes a button that Return does not press: Return is for the lists and fields.
[[nodiscard]] QPushButton* makeMappingButton(const QString& text, const QString& toolTip);

}  // namespace ulp::views
