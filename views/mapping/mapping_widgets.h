#pragma once

#include <QtCore/QString>

#include "views/framework/widgets/layouts.h"

class QAbstractItemModel;
class QPushButton;
class QTableView;

/// What the parts of the editor of a mapping are made of.
namespace ulp::views {

class ThemeManager;

inline constexpr int kMappingGap = 8;
/// A row or column without margins.
inline const BoxShape kMappingBox{.margins = QMargins(), .spacing = kMappingGap};
/// In em; names of modules are long.
inline constexpr int kWidestNameColumn = 24;

/// Makes a table of whole rows, one of which can be chosen.
[[nodiscard]] QTableView* makeMappingTable(QAbstractItemModel* model,
                                           const QString& name,
                                           const ThemeManager& themes);
/// Makes a button that Return does not press: Return is for the lists and fields.
[[nodiscard]] QPushButton* makeMappingButton(const QString& text, const QString& toolTip);

}  // namespace ulp::views
