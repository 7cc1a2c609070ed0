#include <algorithm>

#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>

#include "app/gui/dock_title.h"
#include "app/gui/main_window.h"

namespace ulp::app {
namespace {

constexpr QChar kNumberSign = QLatin1Char('#');
constexpr int kMostTabs = 32;  ///< of one view that a session can bring back

/// "depth" of "depth#2".
QString viewOf(const QString& id) {
  return id.section(kNumberSign, 0, 0);
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
                     addTab(viewOf(place->descriptor.id));
                   }
                 }});
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

void MainWindow::addTab(const QString& id) {
  const auto original =
      std::ranges::find_if(m_places, [&](const Place& place) { return place.descriptor.id == id; });
  if (original == m_places.end()) {
    return;
  }
  views::ViewDescriptor descriptor = original->descriptor;
  int number = 2;
  while (host(id + kNumberSign + QString::number(number)) != nullptr) {
    ++number;
  }
  descriptor.id = id + kNumberSign + QString::number(number);
  descriptor.title = tr("%1 %2").arg(descriptor.title).arg(number);
  descriptor.shortcut = {};
  QDockWidget* neighbour = original->dock;
  const QJsonObject look = original->host->saveState();
  makeDock(descriptor);
  Place& added = m_places.back();
  added.host->restoreState(look);
  tabifyDockWidget(neighbour, added.dock);
  raiseView(descriptor.id);
}

QStringList MainWindow::addedTabs() const {
  QStringList added;
  for (const Place& place : m_places) {
    if (place.descriptor.id.contains(kNumberSign) && !place.dock->isHidden()) {
      added << place.descriptor.id;
    }
  }
  return added;
}

void MainWindow::showTabs(const QStringList& tabs) {
  for (const QString& id : tabs) {
    const int number = id.section(kNumberSign, 1).toInt();
    const bool canBeMade =
        m_session.registry().find(viewOf(id)) != nullptr && number > 1 && number <= kMostTabs;
    // Tabs are numbered as they come: those between are made and stay out of sight.
    while (canBeMade && host(id) == nullptr) {
      addTab(viewOf(id));
    }
  }
  for (const Place& place : m_places) {
    if (place.descriptor.id.contains(kNumberSign)) {
      place.dock->setVisible(tabs.contains(place.descriptor.id));
    }
  }
}

void MainWindow::restoreTabs(const QStringList& tabs) {
  showTabs(tabs);
  if (!m_session.workspace().document()) {
    showStartPage();
  }
}

}  // namespace ulp::app
