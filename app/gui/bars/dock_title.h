#pragma once

#include <vector>

#include <QtWidgets/QWidget>

class QDockWidget;
class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace ulp::views {
struct ToolButtonFace;
class View;
class ViewHost;
class ViewportLink;
}  // namespace ulp::views

namespace ulp::app {

/// Title bar of a dock: the view's name, unless a tab carries it, and the view's own controls. It
/// sets the dock no least width: buttons that have no room are in a menu at its end.
class DockTitle : public QWidget {
  Q_OBJECT

 public:
  DockTitle(const QString& title, QDockWidget* dock);

  void addControlsOf(views::View& view);
  /// Gives the title a button that locks the view.
  void addLock(views::ViewHost& host);
  /// Gives the title a button that links the view's zoom with that of others of its kind.
  void addLink(views::ViewHost& host, views::ViewportLink& link);
  void setNameShown(bool shown);

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void add(QToolButton* button);
  /// Shows as many buttons as there is room for, the first ones first.
  void fitButtons();
  void fillMore(QMenu& menu) const;
  void addExhibitMenu(const views::View& view);
  QToolButton* addButton(const QString& id, const views::ToolButtonFace& face);

  QLabel* m_name;
  QHBoxLayout* m_layout;
  std::vector<QToolButton*> m_buttons;  ///< behind the controls, in their order
  QToolButton* m_more;                  ///< offers those that are hidden
};

}  // namespace ulp::app
