#include "app/gui/window/view_docks.h"

#include <algorithm>
#include <map>

#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QMainWindow>

#include "app/gui/bars/dock_title.h"
#include "app/gui/session/saved_session.h"
#include "app/gui/session/session.h"
#include "views/framework/document/selection_context.h"

namespace ulp::app {

using views::ViewArea;
using views::ViewDescriptor;
using views::ViewHost;
using views::ViewLayout;
using views::ViewPurpose;

namespace {

/// The least size of a view's dock: it can still be seen and made larger with the mouse.
constexpr QSize kLeastView{120, 72};
/// Characters in a line of the docks at the side: names of metrics and numbers of a variant.
constexpr int kSideColumns = 44;
constexpr int kMostTabs = 32;  ///< of one view that a session can bring back

/// 2 of "depth#2"; 1 of the first tab.
int numberOf(const QString& id) {
  return id == views::registeredId(id) ? 1 : id.mid(views::registeredId(id).size() + 1).toInt();
}

Qt::DockWidgetArea dockAreaOf(ViewArea area) {
  switch (area) {
    case ViewArea::Right:
      return Qt::RightDockWidgetArea;
    case ViewArea::Bottom:
      return Qt::BottomDockWidgetArea;
    case ViewArea::Centre:
      break;
  }
  return Qt::LeftDockWidgetArea;
}

}  // namespace

ViewDocks::ViewDocks(QMainWindow& window, ActionTable& actions, Session& session)
    : m_window(window), m_actions(actions), m_session(session) {
  makeActions();
  for (const ViewDescriptor& descriptor : m_session.registry().all()) {
    makeDock(descriptor);
  }
  arrangeDocks(ViewLayout::Analyse);
  connect(&session.selection(), &views::SelectionContext::placeWanted, this, &ViewDocks::showPlace);
}

ViewDocks::~ViewDocks() {
  // Docks that are taken down report it; by then the layout that they report to is gone.
  for (const Place& place : m_places) {
    place.dock->disconnect(this);
  }
}

void ViewDocks::makeActions() {
  const auto onCurrent = [this](const std::function<void(const Place&)>& act) {
    return [this, act] {
      if (const Place* place = currentPlace()) {
        act(*place);
      }
    };
  };
  m_actions.add({.id = QStringLiteral("view.another"),
                 .text = tr("&Another tab of this view"),
                 .toolTip = tr("Open a second tab of the current view, to lock it or to put it "
                               "beside the first one"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)},
                 .handler = onCurrent([this](const Place& place) {
                   addTab(views::registeredId(place.descriptor.id));
                 })});
  m_actions.add({.id = QStringLiteral("view.beside"),
                 .text = tr("Another tab &beside it"),
                 .toolTip = tr("Open a second tab of the current view beside the first one, with "
                               "linked zoom where it has any"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B)},
                 .handler = onCurrent([this](const Place& place) {
                   addTabBeside(views::registeredId(place.descriptor.id));
                 })});
  m_actions.add({.id = QStringLiteral("view.link"),
                 .text = tr("Link &zoom"),
                 .toolTip = tr("Let the current tab and the other linked ones of its view zoom, "
                               "pan and move their cursors together"),
                 .icon = QStringLiteral("link"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L)},
                 .handler = onCurrent([this](const Place& place) {
                   m_link.setLinked(*place.host, !m_link.isLinked(*place.host));
                 })});
  m_actions.add({.id = QStringLiteral("view.lock"),
                 .text = tr("&Lock or follow"),
                 .toolTip = tr("Let the current view stay with what it shows, or follow the "
                               "selection again"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_L)},
                 .handler = onCurrent(
                     [](const Place& place) { place.host->setLocked(!place.host->isLocked()); })});
}

void ViewDocks::makeDock(const ViewDescriptor& descriptor) {
  Place place{.descriptor = descriptor};
  place.dock = new QDockWidget(descriptor.title, &m_window);
  place.dock->setObjectName(descriptor.id);
  place.title = new DockTitle(descriptor.title, place.dock);
  place.dock->setTitleBarWidget(place.title);
  place.host = new ViewHost(descriptor, m_session.context(), place.dock);
  place.dock->setWidget(place.host);
  // Of what a view shows now nothing reaches the window: it would move splitters and grow.
  place.host->setMinimumSize(kLeastView);
  connect(place.host, &ViewHost::viewMade, this, [this, place](views::View* view) {
    addControls(place, *view);
    Q_EMIT viewMade();
  });
  connect(place.host, &ViewHost::placeSought, this, [this, host = place.host](views::Sight sight) {
    onPlaceSought(*host, sight);
  });
  // While docks are arranged they pass through states that nobody sees.
  place.host->setInFront(false);
  connect(place.dock, &QDockWidget::visibilityChanged, this, [this, host = place.host](bool seen) {
    if (!m_isArranging) {
      host->setInFront(seen);
    }
  });
  for (const auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged}) {
    connect(place.dock, signal, this, &ViewDocks::updateTitles);
  }
  m_actions.add({.id = QStringLiteral("view.") + descriptor.id,
                 .text = descriptor.title,
                 .toolTip = descriptor.toolTip,
                 .icon = descriptor.icon,
                 .shortcuts = descriptor.shortcut.isEmpty()
                                  ? QList<QKeySequence>()
                                  : QList<QKeySequence>{descriptor.shortcut},
                 .handler = [this, id = descriptor.id] { raiseView(id); }});
  m_places.push_back(place);
}

void ViewDocks::addControls(const Place& place, views::View& view) {
  place.title->addControlsOf(view);
  if (place.descriptor.hasViewport) {
    place.title->addLink(*place.host, m_link);
  }
  const ViewPurpose purpose = place.descriptor.purpose;
  if (purpose == ViewPurpose::Other || purpose == ViewPurpose::Report ||
      purpose == ViewPurpose::Dump || purpose == ViewPurpose::Bookmarks ||
      purpose == ViewPurpose::Rules) {
    place.title->addLock(*place.host);
  }
}

const ViewDocks::Place* ViewDocks::find(const QString& id) const {
  const auto found =
      std::ranges::find_if(m_places, [&](const Place& place) { return place.descriptor.id == id; });
  return found == m_places.end() ? nullptr : &*found;
}

ViewHost* ViewDocks::host(const QString& id) const {
  const Place* place = find(id);
  return place == nullptr ? nullptr : place->host;
}

const ViewDocks::Place* ViewDocks::currentPlace() const {
  const QWidget* focus = QApplication::focusWidget();
  const auto focused = std::ranges::find_if(m_places, [focus](const Place& place) {
    return focus != nullptr && place.dock->isAncestorOf(focus);
  });
  if (focused != m_places.end()) {
    return &*focused;
  }
  const ViewDescriptor* report = m_session.registry().findPurpose(ViewPurpose::Report);
  return report == nullptr ? nullptr : find(report->id);
}

bool ViewDocks::isStartPageShown() const {
  return m_window.centralWidget()->isVisibleTo(&m_window);
}

void ViewDocks::showStartPage() {
  for (const Place& place : m_places) {
    place.dock->hide();
  }
  m_window.centralWidget()->show();
}

void ViewDocks::showDocks() {
  if (!isStartPageShown()) {
    return;
  }
  m_window.centralWidget()->hide();
  restoreDocks(m_firstState);
}

void ViewDocks::raiseView(const QString& id) {
  if (const Place* place = find(id)) {
    showDocks();
    place->dock->show();
    place->dock->raise();
    place->host->setInFront(true);
    place->host->setFocus();
  }
}

void ViewDocks::showPlace(const std::optional<QString>& rule) {
  m_asked.clear();
  const ViewDescriptor* proof = m_session.registry().findProof(rule.value_or(QString()));
  if (rule && proof != nullptr) {
    showPlaceIn(proof->id);
    return;
  }
  for (const Place& place : m_places) {
    if (place.host->isInFront() && place.host->isVisible() && !place.host->isLocked()) {
      ask(*place.host);
    }
  }
  if (m_asked.empty() && proof != nullptr) {
    showPlaceIn(proof->id);
  }
}

void ViewDocks::showPlaceIn(const QString& registeredId) {
  const Place* chosen = nullptr;
  for (const Place& place : m_places) {
    const bool fits =
        views::registeredId(place.descriptor.id) == registeredId && !place.host->isLocked();
    if (fits && (chosen == nullptr || (place.host->isInFront() && !chosen->host->isInFront()))) {
      chosen = &place;
    }
  }
  if (chosen == nullptr) {
    chosen = addTab(registeredId);
  }
  raiseView(chosen->descriptor.id);
  ask(*chosen->host);
}

void ViewDocks::ask(ViewHost& host) {
  m_asked.push_back(&host);
  host.seekPlace();
}

void ViewDocks::onPlaceSought(ViewHost& host, views::Sight sight) {
  const bool wasLast = std::erase(m_asked, &host) > 0 && m_asked.empty();
  if (sight == views::Sight::Seen) {
    m_asked.clear();
    return;
  }
  if (!wasLast || m_session.selection().selection().site.isEmpty()) {
    return;
  }
  // What the errors by depth do not draw, as the loss, is a row of the list.
  const views::ViewRegistry& registry = m_session.registry();
  const QString asked = views::registeredId(host.descriptor().id);
  const ViewDescriptor* const forErrors = registry.findProof(QString());
  const ViewDescriptor* const list = registry.findTensorList();
  const bool isLast = list != nullptr && asked == list->id;
  const ViewDescriptor* const next = isLast                                           ? nullptr
                                     : forErrors != nullptr && asked != forErrors->id ? forErrors
                                                                                      : list;
  if (next != nullptr) {
    showPlaceIn(next->id);
  }
}

void ViewDocks::offerView(const QString& id) {
  if (const Place* place = find(id)) {
    place->dock->show();
  }
}

void ViewDocks::arrange(ViewLayout layout) {
  showDocks();
  m_isArranging = true;
  arrangeDocks(layout);
  finishArranging();
}

void ViewDocks::arrangeDocks(ViewLayout layout) {
  const auto isShown = [layout](const ViewDescriptor& view) {
    const bool asksFirst = layout == ViewLayout::Analyse && !view.shownAtStart;
    return view.layouts.has(layout) && !asksFirst;
  };
  std::map<ViewArea, QDockWidget*> first;
  for (const Place& place : m_places) {
    m_window.addDockWidget(dockAreaOf(place.descriptor.area), place.dock);
    place.dock->setFloating(false);
    QDockWidget*& leader = first[place.descriptor.area];
    if (leader != nullptr) {
      m_window.tabifyDockWidget(leader, place.dock);
    } else {
      leader = place.dock;
    }
  }
  std::map<ViewArea, QDockWidget*> front;
  const int width = m_window.width();
  const int side = std::max(
      width / 4, std::min(width / 2, m_window.fontMetrics().averageCharWidth() * kSideColumns));
  QList<QDockWidget*> columns;
  QList<int> widths;
  for (const Place& place : m_places) {
    place.dock->setVisible(isShown(place.descriptor));
    if (isShown(place.descriptor)) {
      front.emplace(place.descriptor.area, place.dock);
    }
  }
  for (const auto& [area, dock] : front) {
    dock->raise();
    if (area == ViewArea::Bottom) {
      m_window.resizeDocks({dock}, {m_window.height() * 3 / 10}, Qt::Vertical);
    } else {
      columns << dock;
      widths << (area == ViewArea::Centre ? width - side : side);
    }
  }
  m_window.resizeDocks(columns, widths, Qt::Horizontal);
}

void ViewDocks::finishArranging() {
  updateTitles();
  // Which tabs are in front is known once the layout has been applied.
  QTimer::singleShot(0, this, [this] {
    m_isArranging = false;
    for (const Place& place : m_places) {
      place.host->setInFront(!place.dock->visibleRegion().isEmpty());
    }
  });
}

void ViewDocks::updateTitles() {
  for (const Place& place : m_places) {
    const bool alone =
        place.dock->isFloating() || m_window.tabifiedDockWidgets(place.dock).isEmpty();
    place.title->setNameShown(alone);
  }
}

QByteArray ViewDocks::state() const {
  return m_window.saveState(kLayoutVersion);
}

void ViewDocks::restore(const QByteArray& state, const QStringList& tabs) {
  showDocks();
  m_isArranging = true;
  showTabs(tabs);
  restoreDocks(state);
}

void ViewDocks::restoreDocks(const QByteArray& state) {
  m_isArranging = true;
  if (!m_window.restoreState(state, kLayoutVersion)) {
    arrangeDocks(ViewLayout::Analyse);
  }
  finishArranging();
}

const ViewDocks::Place* ViewDocks::addTab(const QString& id) {
  const Place* original = find(id);
  if (original == nullptr) {
    return nullptr;
  }
  ViewDescriptor descriptor = original->descriptor;
  int number = 2;
  while (find(views::tabId(id, number)) != nullptr) {
    ++number;
  }
  descriptor.id = views::tabId(id, number);
  descriptor.title = tr("%1 %2").arg(descriptor.title).arg(number);
  descriptor.shortcut = {};
  QDockWidget* neighbour = original->dock;
  const QJsonObject look = original->host->saveState();
  makeDock(descriptor);
  const Place& added = m_places.back();
  added.host->restoreState(look);
  m_window.tabifyDockWidget(neighbour, added.dock);
  raiseView(descriptor.id);
  return &m_places.back();
}

void ViewDocks::addTabBeside(const QString& id) {
  const Place* added = addTab(id);
  if (added == nullptr) {
    return;
  }
  const Place& original = *find(id);
  // A dock that shares its place with others cannot be split, but its area can.
  m_window.addDockWidget(m_window.dockWidgetArea(original.dock), added->dock, Qt::Horizontal);
  raiseView(id);
  m_window.resizeDocks({original.dock, added->dock}, {1, 1}, Qt::Horizontal);
  raiseView(added->descriptor.id);
  m_link.setLinked(*original.host, true);
  m_link.setLinked(*added->host, true);
}

QStringList ViewDocks::addedTabs() const {
  QStringList added;
  for (const Place& place : m_places) {
    if (numberOf(place.descriptor.id) > 1 && !place.dock->isHidden()) {
      added << place.descriptor.id;
    }
  }
  return added;
}

void ViewDocks::showTabs(const QStringList& tabs) {
  for (const QString& id : tabs) {
    const bool canBeMade = m_session.registry().find(views::registeredId(id)) != nullptr &&
                           numberOf(id) > 1 && numberOf(id) <= kMostTabs;
    // Tabs are numbered as they come: those between are made and stay out of sight.
    while (canBeMade && find(id) == nullptr) {
      addTab(views::registeredId(id));
    }
  }
  for (const Place& place : m_places) {
    if (numberOf(place.descriptor.id) > 1) {
      place.dock->setVisible(tabs.contains(place.descriptor.id));
    }
  }
}

}  // namespace ulp::app
