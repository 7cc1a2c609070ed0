#include "views/commands/action_catalog.h"

#include <set>

#include <QtCore/QCoreApplication>
#include <QtCore/QRegularExpression>
#include <QtCore/QVariant>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>

#include "views/framework/view/view_host.h"

namespace ulp::views {
namespace {

const char* const kIdProperty = "ulpActionId";

class Collector {
 public:
  void addMenu(const QMenu& menu, const QString& group) {
    if (menu.property(kFilledLater).toBool()) {
      return;
    }
    for (QAction* action : menu.actions()) {
      if (action->menu() != nullptr) {
        addMenu(*action->menu(), join(group, action->menu()->title()));
      } else {
        add(*action, group, {});
      }
    }
  }

  void add(QAction& action, const QString& group, const QString& scope) {
    const QString text = withoutMnemonic(action.text());
    if (action.isSeparator() || !action.isVisible() || text.isEmpty() || action.menu() != nullptr ||
        !m_seen.insert(&action).second) {
      return;
    }
    m_entries.push_back({.id = identify(action, group, scope),
                         .group = group,
                         .text = text,
                         .scope = scope,
                         .action = &action});
  }

  static QString join(const QString& group, const QString& title) {
    const QString plain = withoutMnemonic(title);
    return group.isEmpty() ? plain : QStringLiteral("%1: %2").arg(group, plain);
  }

  [[nodiscard]] std::vector<CatalogEntry> take() { return std::move(m_entries); }

 private:
  /// The shortcut that a view gives its action does not change with the language; its text does.
  /// Kept with the action, as the user may change the shortcut later.
  static QString identify(QAction& action, const QString& group, const QString& scope) {
    if (!action.objectName().isEmpty()) {
      const bool complete = scope.isEmpty() || action.objectName().startsWith(scope + u'.');
      return complete ? action.objectName() : scope + u'.' + action.objectName();
    }
    QString id = action.property(kIdProperty).toString();
    if (id.isEmpty()) {
      const QString key = action.shortcut().toString(QKeySequence::PortableText);
      const QString place = scope.isEmpty() ? group : scope;
      id = place + u'.' + (key.isEmpty() ? withoutMnemonic(action.text()) : key);
      action.setProperty(kIdProperty, id);
    }
    return id;
  }

  std::set<const QAction*> m_seen;
  std::vector<CatalogEntry> m_entries;
};

void addView(Collector& collector, const ViewHost& host) {
  View* view = host.view();
  if (view == nullptr) {
    return;
  }
  const ViewDescriptor& descriptor = host.descriptor();
  for (QAction* action : view->viewActions()) {
    collector.add(*action, descriptor.title, descriptor.id);
  }
  QList<QWidget*> widgets = view->findChildren<QWidget*>();
  widgets.prepend(view);
  for (const QWidget* widget : widgets) {
    // The actions of a line edit are the buttons inside it.
    if (qobject_cast<const QLineEdit*>(widget) != nullptr ||
        qobject_cast<const QMenu*>(widget) != nullptr) {
      continue;
    }
    for (QAction* action : widget->actions()) {
      collector.add(*action, descriptor.title, descriptor.id);
    }
  }
}

}  // namespace

QString withoutMnemonic(const QString& text) {
  // Where the text has no Latin letters the mnemonic stands behind it: "打开(&O)…".
  static const QRegularExpression kAppended(QStringLiteral("\\(&[A-Za-z0-9]\\)"));
  QString trimmed = text;
  trimmed.remove(kAppended);
  QString plain;
  for (qsizetype i = 0; i < trimmed.size(); ++i) {
    if (trimmed[i] == u'&' && i + 1 < trimmed.size()) {
      ++i;
    }
    plain += trimmed[i];
  }
  return plain;
}

std::vector<CatalogEntry> collectActions(const QMainWindow& window) {
  Collector collector;
  if (const QWidget* bar = window.menuWidget()) {
    for (QAction* action : bar->actions()) {
      if (action->menu() != nullptr) {
        collector.addMenu(*action->menu(), Collector::join({}, action->menu()->title()));
      }
    }
  }
  for (QAction* action : window.actions()) {
    collector.add(*action, QCoreApplication::translate("ulp::views::ActionCatalog", "Window"), {});
  }
  for (const ViewHost* host : window.findChildren<ViewHost*>()) {
    addView(collector, *host);
  }
  return collector.take();
}

}  // namespace ulp::views
