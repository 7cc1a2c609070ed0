#pragma once

#include <vector>

#include <QtCore/QPointer>
#include <QtCore/QString>
#include <QtGui/QAction>

class QMainWindow;

namespace ulp::views {

class ViewHost;

/// A command of the window or of a view that exists now.
struct CatalogEntry {
  QString id;     ///< stable between starts: the action's objectName, else made from where it is
  QString group;  ///< "File", "View: Theme", "Depth", in the user's language
  QString text;   ///< without mnemonic
  QString scope;  ///< id of the view it belongs to; empty: the whole window
  QPointer<QAction> action;
};

/// Commands of the menus in their order, then what only the window knows, then those of the views
/// that have been made. Separators, sub-menus, commands that are hidden, and the contents of menus
/// that are filled when they open (property kFilledLater) are left out.
[[nodiscard]] std::vector<CatalogEntry> collectActions(const QMainWindow& window);

/// Name of a property of QMenu.
inline constexpr const char* kFilledLater = "ulpFilledLater";

/// "&Open…" -> "Open…".
[[nodiscard]] QString withoutMnemonic(const QString& text);

}  // namespace ulp::views
