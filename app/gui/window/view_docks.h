#pragma once

#include <optional>
#include <vector>

#include <QtCore/QByteArray>
#include <QtCore/QObject>
#include <QtCore/QStringList>

#include "app/gui/window/action_table.h"
#include "views/framework/view/view_host.h"
#include "views/framework/view/viewport_link.h"

class QDockWidget;
class QMainWindow;
class QMenu;

namespace ulp::app {

class DockTitle;
class Session;

/// The views of a window in their docks: makes them, says where they stand and which are in front,
/// adds further tabs of a view and links their zoom. While nothing is open the start page, the
/// window's central widget, is shown in place of them.
class ViewDocks : public QObject {
  Q_OBJECT

 public:
  struct Place {
    views::ViewDescriptor descriptor;
    QDockWidget* dock = nullptr;
    DockTitle* title = nullptr;
    views::ViewHost* host = nullptr;
  };

  ViewDocks(QMainWindow& window, ActionTable& actions, Session& session);
  ~ViewDocks() override;
  ViewDocks(const ViewDocks&) = delete;
  ViewDocks& operator=(const ViewDocks&) = delete;

  [[nodiscard]] const std::vector<Place>& places() const { return m_places; }
  /// Null: there is no such tab.
  [[nodiscard]] views::ViewHost* host(const QString& id) const;
  [[nodiscard]] views::ViewportLink& link() { return m_link; }

  [[nodiscard]] bool isStartPageShown() const;
  void showStartPage();
  /// Shows the docks in place of the start page, as setFirstState() says.
  void showDocks();
  /// Brings a view up and gives it the focus.
  void raiseView(const QString& id);
  /// Shows the selected place as SelectionContext::goTo() says; where no view that was asked has
  /// it, in the view for errors.
  void showPlace(const std::optional<QString>& rule);
  /// Shows the tab of a view without bringing it to the front.
  void offerView(const QString& id);

  /// Puts the views of a layout in their places, and the others out of sight.
  void arrange(views::ViewLayout layout);
  /// Where everything stands, tabs aside.
  [[nodiscard]] QByteArray state() const;
  /// Puts everything where `state` has it, with exactly `tabs` of the added tabs.
  void restore(const QByteArray& state, const QStringList& tabs);
  /// Says what showDocks() restores the first time; empty: the layout for reading reports.
  void setFirstState(const QByteArray& state) { m_firstState = state; }

  /// Tabs that the user has added and that can be seen.
  [[nodiscard]] QStringList addedTabs() const;
  /// Shows exactly these of the added tabs, and makes those that are missing.
  void showTabs(const QStringList& tabs);

 Q_SIGNALS:
  /// A view was made: its actions exist from now on.
  void viewMade();

 private:
  void makeActions();
  void makeDock(const views::ViewDescriptor& descriptor);
  void addControls(const Place& place, views::View& view);
  void arrangeDocks(views::ViewLayout layout);
  /// Puts the docks where `state` has them; where it says nothing, as the layout for reports does.
  void restoreDocks(const QByteArray& state);
  /// Has the views made that can be seen, once the docks have reached their places.
  void finishArranging();
  void updateTitles();
  [[nodiscard]] const Place* find(const QString& id) const;
  /// Brings up a tab of the view that is not locked, and asks it for the selected place.
  void showPlaceIn(const QString& registeredId);
  void ask(views::ViewHost& host);
  void onPlaceSought(views::ViewHost& host, views::Sight sight);
  /// The place that has the focus, else that of the first view of the report; null: none.
  [[nodiscard]] const Place* currentPlace() const;
  /// Adds another tab of a view behind the first one, so that it can be locked or put beside it.
  /// Null: there is no such view.
  const Place* addTab(const QString& id);
  /// Adds another tab beside the first one, with linked zoom.
  void addTabBeside(const QString& id);

  QMainWindow& m_window;
  ActionTable& m_actions;
  Session& m_session;
  views::ViewportLink m_link;
  std::vector<Place> m_places;
  QByteArray m_firstState;
  bool m_isArranging = false;
  std::vector<views::ViewHost*> m_asked;  ///< for the selected place, and have not answered
};

}  // namespace ulp::app
