#pragma once

#include <QtWidgets/QWidget>

class QDockWidget;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace ulp::views {
struct ToolButtonFace;
class View;
class ViewHost;
class ViewportLink;
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
  /// Gives the title a button that links the view's zoom with that of others of its kind.
  void addLink(views::ViewHost& host, views::ViewportLink& link);
  void setNameShown(bool shown);

 private:
  void addExhibitMenu(const views::View& view);
  QToolButton* addButton(const QString& id, const views::ToolButtonFace& face);

  QLabel* m_name;
  QHBoxLayout* m_layout;
};

}  // namespace ulp::app
