#include <algorithm>

#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>

#include "app/gui/bars/dock_title.h"
#include "app/gui/window/main_window.h"
#include "views/framework/view/viewport_link.h"

namespace ulp::app {
namespace {

constexpr int kMostTabs = 32;  ///< of one view that a session can bring back

/// 2 of "depth#2"; 1 of the first tab.
int numberOf(const QString& id) {
  return id == views::registeredId(id) ? 1 : id.mid(views::registeredId(id).size() + 1).toInt();
}

}  // namespace

void MainWindow::makeTabActions() {
  m_actions.add({.id = QStringLiteral("view.another"),
                 .text = tr("&Another tab of this view"),
                 .toolTip = tr("Open a second tab of the current view, to lock it or to put it "
                               "beside the first one"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)},
                 .handler = [this] {
                   if (const Place* place = currentPlace()) {
                     addTab(views::registeredId(place->descriptor.id));
                   }
                 }});
  m_actions.add({.id = QStringLiteral("view.beside"),
                 .text = tr("Another tab &beside it"),
                 .toolTip = tr("Open a second tab of the current view beside the first one, with "
                               "linked zoom where it has any"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B)},
                 .handler = [this] {
                   if (const Place* place = currentPlace()) {
                     addTabBeside(views::registeredId(place->descriptor.id));
                   }
                 }});
  m_actions.add({.id = QStringLiteral("view.link"),
                 .text = tr("Link &zoom"),
                 .toolTip = tr("Let the current tab and the other linked ones of its view zoom, "
                               "pan and move their cursors together"),
                 .icon = QStringLiteral("link"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)},
                 .handler = [this] { toggleLink(); }});
  m_actions.add({.id = QStringLiteral("view.lock"),
                 .text = tr("&Lock or follow"),
                 .toolTip = tr("Let the current view stay with what it shows, or follow the "
                               "selection again"),
                 .icon = {},
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_L)},
                 .handler = [this] {
                   if (const Place* place = currentPlace()) {
                     place->host->setLocked(!place->host->isLocked());
                   }
                 }});
}

const MainWindow::Place* MainWindow::currentPlace() const {
  const QWidget* focus = QApplication::focusWidget();
  const auto focused = std::ranges::find_if(m_places, [focus](const Place& place) {
    return focus != nullptr && place.dock->isAncestorOf(focus);
  });
  if (focused != m_places.end()) {
    return &*focused;
  }
  const views::ViewDescriptor* report =
      m_session.registry().findPurpose(views::ViewPurpose::Report);
  const auto found = std::ranges::find_if(m_places, [report](const Place& place) {
    return report != nullptr && place.descriptor.id == report->id;
  });
  return found == m_places.end() ? nullptr : &*found;
}

const MainWindow::Place* MainWindow::addTab(const QString& id) {
  const auto original =
      std::ranges::find_if(m_places, [&](const Place& place) { return place.descriptor.id == id; });
  if (original == m_places.end()) {
    return nullptr;
  }
  views::ViewDescriptor descriptor = original->descriptor;
  int number = 2;
  while (host(views::tabId(id, number)) != nullptr) {
    ++number;
  }
  descriptor.id = views::tabId(id, number);
  descriptor.title = tr("%1 %2").arg(descriptor.title).arg(number);
  descriptor.shortcut = {};
  QDockWidget* neighbour = original->dock;
  const QJsonObject look = original->host->saveState();
  makeDock(descriptor);
  Place& added = m_places.back();
  added.host->restoreState(look);
  tabifyDockWidget(neighbour, added.dock);
  raiseView(descriptor.id);
  return &m_places.back();
}

void MainWindow::addTabBeside(const QString& id) {
  const Place* added = addTab(id);
  if (added == nullptr) {
    return;
  }
  views::ViewHost* const first = host(id);
  const auto original =
      std::ranges::find_if(m_places, [&](const Place& place) { return place.host == first; });
  // A dock that shares its place with others cannot be split, but its area can.
  const Qt::DockWidgetArea area = dockWidgetArea(original->dock);
  addDockWidget(area, added->dock, Qt::Horizontal);
  raiseView(id);
  resizeDocks({original->dock, added->dock}, {1, 1}, Qt::Horizontal);
  raiseView(added->descriptor.id);
  m_link->setLinked(*first, true);
  m_link->setLinked(*added->host, true);
}

void MainWindow::toggleLink() {
  if (const Place* place = currentPlace()) {
    m_link->setLinked(*place->host, !m_link->isLinked(*place->host));
  }
}

QStringList MainWindow::addedTabs() const {
  QStringList added;
  for (const Place& place : m_places) {
    if (place.descriptor.id != views::registeredId(place.descriptor.id) &&
        !place.dock->isHidden()) {
      added << place.descriptor.id;
    }
  }
  return added;
}

void MainWindow::showTabs(const QStringList& tabs) {
  for (const QString& id : tabs) {
    const bool canBeMade = m_session.registry().find(views::registeredId(id)) != nullptr &&
                           numberOf(id) > 1 && numberOf(id) <= kMostTabs;
    // Tabs are numbered as they come: those between are made and stay out of sight.
    while (canBeMade && host(id) == nullptr) {
      addTab(views::registeredId(id));
    }
  }
  for (const Place& place : m_places) {
    if (numberOf(place.descriptor.id) > 1) {
      place.dock->setVisible(tabs.contains(place.descriptor.id));
    }
  }
}

void MainWindow::restoreTabs(const QStringList& tabs) {
  showTabs(tabs);
  if (!m_session.workspace().reports.document()) {
    showStartPage();
  }
}

}  // namespace ulp::app
