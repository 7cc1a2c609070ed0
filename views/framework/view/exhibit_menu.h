#pragma once

#include <functional>
#include <optional>

#include <QtCore/QObject>

#include "views/framework/exports/exhibit_export.h"
#include "views/framework/view/view.h"

class QAction;
class QMenu;
class QTableView;

namespace ulp::views {

/// Copy, export and "show as table" for everything that a view shows: in the context menus of its
/// charts and tables, in the menu of its dock, and with Ctrl+Shift+C. A widget whose object name is
/// the id of an exhibit stands for that one.
class ExhibitMenu : public QObject {
  Q_OBJECT

 public:
  /// A child of the view, which must have its widgets.
  ExhibitMenu(View& view, const ViewContext& context);

  /// The commands for the exhibit that `at` stands for; where that is not clear, a submenu each.
  void fill(QMenu& menu, const QWidget* at = nullptr);

  void copy(const Exhibit& exhibit);
  void askToExport(const Exhibit& exhibit);
  void showTable(const Exhibit& exhibit);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  using Command = void (ExhibitMenu::*)(const Exhibit&);

  QAction* addCommand(QWidget& owner,
                      const QString& text,
                      const char* name,
                      Command command,
                      const std::function<std::optional<Exhibit>()>& exhibit);
  void addCommands(QMenu& menu, const Exhibit& exhibit);
  void addTableActions(QTableView& table);
  void copyFocused();
  [[nodiscard]] std::optional<Exhibit> exhibitAt(const QWidget* at) const;
  [[nodiscard]] QString provenance() const;

  View& m_view;
  ViewContext m_context;
};

}  // namespace ulp::views
