#include "app/gui/bars/dock_cycle.h"

#include <algorithm>

#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QMainWindow>

namespace ulp::app {
namespace {

/// In front, not behind another tab.
bool isSeen(const QDockWidget& dock) {
  return dock.isVisible() && !dock.visibleRegion().isEmpty();
}

QList<QDockWidget*> seenDocks(const QMainWindow& window) {
  QList<QDockWidget*> docks = window.findChildren<QDockWidget*>();
  docks.removeIf([](const QDockWidget* dock) { return !isSeen(*dock); });
  std::sort(docks.begin(), docks.end(), [](const QDockWidget* a, const QDockWidget* b) {
    const QPoint pa = a->mapToGlobal(QPoint());
    const QPoint pb = b->mapToGlobal(QPoint());
    return pa.y() != pb.y() ? pa.y() < pb.y() : pa.x() < pb.x();
  });
  return docks;
}

/// The widget itself or the first inside it that the Tab key would reach.
QWidget* focusableIn(QWidget& area) {
  QWidget* target = &area;
  while (target->focusProxy() != nullptr) {
    target = target->focusProxy();
  }
  if (target->focusPolicy() != Qt::NoFocus && target->isEnabled()) {
    return target;
  }
  for (QWidget* next = area.nextInFocusChain(); next != nullptr && next != &area;
       next = next->nextInFocusChain()) {
    const bool reachable = (next->focusPolicy() & Qt::TabFocus) != 0 && next->isEnabled();
    if (reachable && area.isAncestorOf(next) && next->isVisibleTo(&area)) {
      return next;
    }
  }
  return target;
}

}  // namespace

void moveFocusBetweenDocks(QMainWindow& window, int direction) {
  const QList<QDockWidget*> docks = seenDocks(window);
  if (docks.isEmpty()) {
    return;
  }
  const QWidget* focus = QApplication::focusWidget();
  const auto own = std::find_if(docks.begin(), docks.end(), [focus](const QDockWidget* dock) {
    return dock->isAncestorOf(focus);
  });
  const auto count = docks.size();
  const auto from = own == docks.end() ? (direction > 0 ? -1 : 0) : own - docks.begin();
  QDockWidget* next = docks[(from + direction + count) % count];
  QWidget* content = next->widget();
  next->activateWindow();
  focusableIn(content == nullptr ? *next : *content)->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace ulp::app
