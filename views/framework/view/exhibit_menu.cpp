#include "views/framework/view/exhibit_menu.h"

#include <algorithm>

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QApplication>
#include <QtWidgets/QMenu>
#include <QtWidgets/QTableView>

#include "core/report/summary/provenance_line.h"
#include "views/framework/exports/export_dialog.h"
#include "views/framework/exports/export_jobs.h"
#include "views/framework/tables/table_window.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

constexpr double kClipboardScale = 2;
constexpr int kLongestTitle = 48;

constexpr QKeyCombination kCopyKey = Qt::CTRL | Qt::SHIFT | Qt::Key_C;

}  // namespace

ExhibitMenu::ExhibitMenu(View& view, const ViewContext& context)
    : QObject(&view), m_view(view), m_context(context) {
  auto* copyKeyAction = new QAction(tr("Copy chart or table"), &view);
  copyKeyAction->setObjectName(QStringLiteral("exhibit.copy"));
  copyKeyAction->setShortcut(kCopyKey);
  copyKeyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(copyKeyAction, &QAction::triggered, this, &ExhibitMenu::copyFocused);
  view.addAction(copyKeyAction);
  view.installEventFilter(this);
  for (QTableView* table : view.findChildren<QTableView*>()) {
    if (table->contextMenuPolicy() == Qt::ActionsContextMenu) {
      addTableActions(*table);
    }
  }
}

QAction* ExhibitMenu::addCommand(QWidget& owner,
                                 const QString& text,
                                 const char* name,
                                 Command command,
                                 const std::function<std::optional<Exhibit>()>& exhibit) {
  auto* action = new QAction(text, &owner);
  action->setObjectName(QLatin1String(name));
  connect(action, &QAction::triggered, this, [this, command, exhibit] {
    if (const auto meant = exhibit()) {
      (this->*command)(*meant);
    }
  });
  owner.addAction(action);
  return action;
}

/// Tables have a context menu of their own, made of their actions.
void ExhibitMenu::addTableActions(QTableView& table) {
  const auto own = [this, &table] { return exhibitAt(&table); };
  auto* line = new QAction(&table);
  line->setSeparator(true);
  table.addAction(line);
  addCommand(table, tr("Copy whole table"), "exhibit.copyTable", &ExhibitMenu::copy, own);
  addCommand(table, tr("Export…"), "exhibit.export", &ExhibitMenu::askToExport, own);
  addCommand(table, tr("Show in a window"), "exhibit.showTable", &ExhibitMenu::showTable, own);
}

bool ExhibitMenu::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ContextMenu) {
    return QObject::eventFilter(watched, event);
  }
  const auto* request = static_cast<QContextMenuEvent*>(event);
  const std::vector<Exhibit> shown = m_view.exhibits();
  if (shown.empty()) {
    return false;
  }
  auto* menu = new QMenu(&m_view);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setObjectName(QStringLiteral("exhibitMenu"));
  fill(*menu, m_view.childAt(m_view.mapFromGlobal(request->globalPos())));
  menu->popup(request->globalPos());
  event->accept();
  return true;
}

std::optional<Exhibit> ExhibitMenu::exhibitAt(const QWidget* at) const {
  const std::vector<Exhibit> shown = m_view.exhibits();
  for (const QWidget* widget = at; widget != nullptr && widget != &m_view;
       widget = widget->parentWidget()) {
    const auto found = std::ranges::find(shown, widget->objectName(), &Exhibit::id);
    if (found != shown.end()) {
      return *found;
    }
  }
  return shown.size() == 1 ? std::optional(shown.front()) : std::nullopt;
}

void ExhibitMenu::fill(QMenu& menu, const QWidget* at) {
  if (const auto exhibit = exhibitAt(at)) {
    addCommands(menu, *exhibit);
    return;
  }
  const std::vector<Exhibit> shown = m_view.exhibits();
  for (const Exhibit& exhibit : shown) {
    const QString title = menu.fontMetrics().elidedText(
        exhibit.title, Qt::ElideRight, menu.fontMetrics().averageCharWidth() * kLongestTitle);
    addCommands(*menu.addMenu(literalText(title)), exhibit);
  }
  if (shown.empty()) {
    menu.addAction(tr("Nothing to export yet"))->setEnabled(false);
  }
}

void ExhibitMenu::addCommands(QMenu& menu, const Exhibit& exhibit) {
  const auto given = [exhibit] { return std::optional(exhibit); };
  QAction* copyAction = addCommand(menu,
                                   exhibit.paint ? tr("Copy chart") : tr("Copy table"),
                                   "exhibit.copyChart",
                                   &ExhibitMenu::copy,
                                   given);
  // Shown only: the view's own action has the key.
  copyAction->setShortcut(kCopyKey);
  copyAction->setShortcutContext(Qt::WidgetShortcut);
  addCommand(menu, tr("Export…"), "exhibit.export", &ExhibitMenu::askToExport, given);
  addCommand(menu, tr("Show as table"), "exhibit.showTable", &ExhibitMenu::showTable, given);
}

void ExhibitMenu::copyFocused() {
  const std::vector<Exhibit> shown = m_view.exhibits();
  if (const auto exhibit = exhibitAt(QApplication::focusWidget())) {
    copy(*exhibit);
  } else if (!shown.empty()) {
    copy(shown.front());
  }
}

QString ExhibitMenu::provenance() const {
  const DocumentPtr& document = m_context.workspace.reports.document();
  const QString line = document == nullptr
                           ? QString()
                           : QString::fromStdString(report::provenanceLine(document->report()));
  return line.isEmpty() ? QStringLiteral("Ulpscope %1").arg(QCoreApplication::applicationVersion())
                        : line;
}

void ExhibitMenu::copy(const Exhibit& exhibit) {
  using Copy = TakenExhibit::Copy;
  m_context.exports.prepare<Copy>(
      this,
      [taken = TakenExhibit::take(exhibit, provenance())] { return taken.copy(kClipboardScale); },
      [](const Copy& made) {
        QGuiApplication::clipboard()->setMimeData(mimeData(made).release());
      });
}

void ExhibitMenu::askToExport(const Exhibit& exhibit) {
  const auto taken =
      std::make_shared<const TakenExhibit>(TakenExhibit::take(exhibit, provenance()));
  auto* dialog =
      new ExportDialog({.kind = exhibit.paint ? QStringLiteral("chart") : QStringLiteral("table"),
                        .title = exhibit.paint ? tr("Export chart") : tr("Export table"),
                        .baseName = exhibit.id,
                        .size = taken->figureSize(),
                        .choices = exhibitFormats()},
                       m_context.settings,
                       m_view.window());
  connect(dialog, &ExportDialog::exportRequested, this, [this, taken](const ExportWish& wish) {
    m_context.exports.writeFile(wish.file,
                                [taken, wish] { return taken->write(wish.format, wish.scale); });
  });
  dialog->open();
}

void ExhibitMenu::showTable(const Exhibit& exhibit) {
  m_context.exports.prepare<report::DataTable>(
      this,
      [taken = TakenExhibit::take(exhibit, {})]() -> Result<report::DataTable> {
        return taken.table();
      },
      [this](const report::DataTable& table) {
        auto* window = new TableWindow(table, m_context.themes, m_view.window());
        window->show();
      });
}

}  // namespace ulp::views
