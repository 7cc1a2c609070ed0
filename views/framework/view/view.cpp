#include "views/framework/view/view.h"

#include <ranges>
#include <utility>

#include <QtCore/QPointer>
#include <QtGui/QAction>

#include "views/framework/document/selection_context.h"
#include "views/framework/look/icons.h"
#include "views/framework/threads/background.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

void undoAll(const auto& changes) {
  for (const auto& change : changes | std::views::reverse) {
    change.undo();
  }
}

}  // namespace

void View::setPage(QWidget* page) {
  m_pages = new PageStack(this, page);
}

void View::showNoReport(const QString& text) {
  m_pages->showNoReport(text, m_context.workspace.requests);
}

void View::seekPlace() {
  m_changes.clear();
  m_isSeeking = true;
  seekFurther();
}

void View::seekFurther() {
  // What it changes may come at once, and call this again.
  if (!std::exchange(m_isSeeking, false)) {
    return;
  }
  const Sight sight = bringIntoSight();
  if (sight == Sight::Awaited) {
    m_isSeeking = true;
    return;
  }
  if (sight == Sight::Seen) {
    tellChanges();
  } else {
    undoAll(std::exchange(m_changes, {}));
  }
  Q_EMIT placeSought(sight);
}

void View::noteChange(const QString& what, std::function<void()> undo) {
  m_changes.push_back({what, std::move(undo)});
}

void View::tellChanges() {
  if (m_changes.empty()) {
    return;
  }
  QStringList what;
  for (const Change& change : m_changes) {
    what << change.what;
  }
  m_context.workspace.messages.raise(
      {.severity = Severity::Fine,
       .text = tr("For %1 to be seen, %2 now shows %3.")
                   .arg(m_context.selection.selection().site,
                        accessibleName(),
                        what.join(QStringLiteral(", "))),
       .topic = QStringLiteral("place"),
       .actions = {
           {tr("Change back"), [view = QPointer(this), changes = std::exchange(m_changes, {})] {
              if (view) {
                undoAll(changes);
              }
            }}}});
}

QRect View::seenOf(const QWidget& part, const QRect& area) const {
  const QRect seen = area & part.visibleRegion().boundingRect();
  return seen.isEmpty() ? QRect() : seen.translated(part.mapTo(this, QPoint()));
}

QAction* View::makeAction(const ActionFace& face) {
  auto* action = new QAction(themedIcon(QLatin1String(face.icon)), face.text, this);
  action->setShortcut(face.key);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  if (!face.toolTip.isEmpty()) {
    action->setToolTip(face.toolTip);
  }
  addAction(action);
  return action;
}

QAction* View::makeTitleAction(const ActionFace& face) {
  return m_titleActions.emplaceBack(makeAction(face));
}

QAction* View::makeTitleSwitch(const ActionFace& face, bool isOn) {
  QAction* const toggle = makeTitleAction(face);
  toggle->setCheckable(true);
  toggle->setChecked(isOn);
  return toggle;
}

void View::keep(const char* key, QAction* toggle) {
  keep(
      key,
      [toggle] { return toggle->isChecked(); },
      [toggle](const QJsonValue& value) { toggle->setChecked(value.toBool(toggle->isChecked())); });
}

void View::keep(const char* key,
                std::function<QJsonValue()> save,
                std::function<void(const QJsonValue&)> restore) {
  m_kept.push_back({QLatin1String(key), std::move(save), std::move(restore)});
}

QString View::workTag(const char* what) const {
  return workTagOf(this, what);
}

QJsonObject View::saveState() const {
  QJsonObject state;
  for (const KeptPart& part : m_kept) {
    state[part.key] = part.save();
  }
  return state;
}

void View::restoreState(const QJsonObject& state) {
  for (const KeptPart& part : m_kept) {
    if (state.contains(part.key)) {
      part.restore(state[part.key]);
    }
  }
}

}  // namespace ulp::views
