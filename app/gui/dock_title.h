#pragma once

#include <QtWidgets/QWidget>

class QDockWidget;
class QHBoxLayout;
class QLabel;

namespace ulp::views {
class View;
class ViewHost;
}  // namespace ulp::views

namespace ulp::app {

/// Title bar of a dock: the view's name, unless a tab carries it, and the view's own controls.
class DockTitle : public QWidget {
  Q_OBJECT

 public:
  DockTitle(const QString& title, QDockWidget* dock);

  void addControlsOf(const views::View& view);
  /// Gives the title a button that locks the view.
  void addLock(views::ViewHost& host);
  void setNameShown(bool shown);

 private:
  void addExhibitMenu(const views::View& view);

  QLabel* m_name;
  QHBoxLayout* m_layout;
};

}  // namespace ulp::app
