#include "app/gui/window/window_tools.h"

#include <algorithm>
#include <utility>

#include <QtGui/QAction>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QMenu>

#include "app/gui/bars/dock_cycle.h"
#include "app/gui/session/session.h"
#include "app/gui/session/window_settings.h"
#include "views/commands/palette_popup.h"
#include "views/commands/report_palette.h"
#include "views/commands/shortcut_editor.h"
#include "views/commands/shortcut_sheet.h"
#include "views/framework/document/site_steps.h"
#include "views/framework/settings/common_settings.h"
#include "views/framework/settings/settings_dialog.h"
#include "views/framework/settings/settings_page.h"

namespace ulp::app {
namespace {

constexpr qsizetype kRecentCommandLimit = 20;

const views::Setting<QStringList> kRecentCommands{QStringLiteral("palette/recent-commands"), {}};

}  // namespace

WindowTools::WindowTools(QMainWindow& window, ActionTable& actions, Session& session)
    : QObject(&window),
      m_window(window),
      m_actions(actions),
      m_session(session),
      m_shortcuts(session.settings()) {
  makeActions();
  makeGoActions();
  makeStepActions();
  const auto applySingleKeys = [this] {
    m_singleKeys.setEnabled(m_session.settings().get(views::kSingleLetterKeys));
  };
  connect(&session.settings(), &views::SettingsStore::changed, this, applySingleKeys);
  applySingleKeys();
}

WindowTools::~WindowTools() = default;

void WindowTools::makeActions() {
  add(QStringLiteral("help.commands"),
      tr("&Command palette…"),
      tr("Find a command by a few of its letters and run it"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
      [this] { openCommands(); });
  add(QStringLiteral("help.shortcuts"),
      tr("&Keyboard shortcuts"),
      tr("Show all keys at a glance"),
      QKeySequence(Qt::Key_Question),
      [this] { showSheet(); });
  add(QStringLiteral("file.settings"),
      tr("Se&ttings…"),
      tr("Theme, text size, language, shortcuts"),
      QKeySequence(Qt::CTRL | Qt::Key_Comma),
      [this] { showSettings(); });
  m_actions[QStringLiteral("file.settings")]->setMenuRole(QAction::PreferencesRole);
  add(QStringLiteral("go.next-panel"),
      tr("Ne&xt panel"),
      tr("Move the keyboard to the next panel"),
      QKeySequence(Qt::Key_F6),
      [this] { moveFocusBetweenDocks(m_window, 1); });
  add(QStringLiteral("go.previous-panel"),
      tr("Pre&vious panel"),
      tr("Move the keyboard to the previous panel"),
      QKeySequence(Qt::SHIFT | Qt::Key_F6),
      [this] { moveFocusBetweenDocks(m_window, -1); });
}

void WindowTools::add(const QString& id,
                      const QString& text,
                      const QString& toolTip,
                      const QKeySequence& key,
                      const std::function<void()>& handler) {
  m_actions.add(
      {.id = id, .text = text, .toolTip = toolTip, .shortcuts = {key}, .handler = handler});
}

std::function<void()> WindowTools::moved(const Step& step) {
  return [this, step] {
    const views::DocumentPtr& document = m_session.workspace().reports.document();
    const views::Selection& now = m_session.selection().selection();
    if (document) {
      const int site = document->findSite(now.site.toStdString(), now.pass);
      goToSite(step(*document, site));
    }
  };
}

void WindowTools::makeGoActions() {
  add(QStringLiteral("go.tensor"),
      tr("&Tensor or variant…"),
      tr("Find a tensor or a variant by a few letters of its name"),
      QKeySequence(Qt::CTRL | Qt::Key_P),
      [this] { openTensors(); });
  const auto parent = [](const views::ReportDocument& document, int site) {
    return views::parentSite(document, site);
  };
  add(QStringLiteral("go.parent"),
      tr("&Parent module"),
      tr("The module that contains the selected tensor"),
      QKeySequence(Qt::ALT | Qt::Key_Up),
      moved(parent));
}

void WindowTools::makeStepActions() {
  const auto inKind = [this](int direction) {
    return moved([direction](const views::ReportDocument& document, int site) {
      return views::stepInKind(document, site, direction);
    });
  };
  add(QStringLiteral("go.next-block"),
      tr("Same tensor in the &next block"),
      tr("The tensor of the same kind in the next block"),
      QKeySequence(Qt::Key_Period),
      inKind(1));
  add(QStringLiteral("go.previous-block"),
      tr("Same tensor in the pre&vious block"),
      tr("The tensor of the same kind in the previous block"),
      QKeySequence(Qt::Key_Comma),
      inKind(-1));
}

void WindowTools::adoptActions() {
  m_shortcuts.adopt(views::collectActions(m_window));
}

views::PalettePopup& WindowTools::palette() {
  if (m_palette == nullptr) {
    m_palette = new views::PalettePopup(&m_window);
  }
  return *m_palette;
}

void WindowTools::openCommands() {
  adoptActions();
  std::vector<views::PaletteItem> items;
  for (const views::ShortcutScheme::Row& row : m_shortcuts.rows()) {
    const auto live = std::find_if(row.actions.begin(), row.actions.end(), [](const auto& action) {
      return !action.isNull();
    });
    if (live != row.actions.end() && row.id != QLatin1String("help.commands")) {
      items.push_back({.id = row.id,
                       .text = QStringLiteral("%1: %2").arg(row.group, row.text),
                       .detail = views::keysText(row.keys),
                       .enabled = (*live)->isEnabled()});
    }
  }
  palette().open({.title = tr("Command palette"),
                  .placeholder = tr("Type a few letters of a command"),
                  .nothing = tr("No command is called that."),
                  .recent = m_session.settings().get(kRecentCommands),
                  .chosen = [this](const views::PaletteItem& item) { runCommand(item); }},
                 std::make_shared<const views::PaletteItems>(std::move(items)));
}

void WindowTools::runCommand(const views::PaletteItem& item) {
  QStringList recent = m_session.settings().get(kRecentCommands);
  recent.removeAll(item.id);
  recent.prepend(item.id);
  m_session.settings().set(kRecentCommands, recent.mid(0, kRecentCommandLimit));
  const views::ShortcutScheme::Row* row = m_shortcuts.find(item.id);
  if (row == nullptr) {
    return;
  }
  if (!row->scope.isEmpty()) {
    Q_EMIT viewWanted(row->scope);
  }
  for (const QPointer<QAction>& action : row->actions) {
    if (!action.isNull()) {
      action->trigger();
      return;
    }
  }
}

void WindowTools::openTensors() {
  const views::DocumentPtr document = m_session.workspace().reports.document();
  if (!document) {
    return;
  }
  palette().open({.title = tr("Go to tensor or variant"),
                  .placeholder = tr("Type a few letters of a tensor or a variant"),
                  .nothing = tr("The report has no tensor or variant of that name."),
                  .recent = {},
                  .chosen = [this](const views::PaletteItem& item) { goTo(item); }},
                 [document] { return views::reportItems(*document); });
}

void WindowTools::goTo(const views::PaletteItem& item) {
  const views::DocumentPtr& document = m_session.workspace().reports.document();
  if (!document) {
    return;
  }
  const views::ReportPlace place = views::placeOf(*document, item.id);
  if (place.variant >= 0) {
    m_session.selection().selectRun(document->variantName(place.variant));
  }
  goToSite(place.site);
}

void WindowTools::goToSite(int site) {
  const views::DocumentPtr& document = m_session.workspace().reports.document();
  if (site >= 0) {
    const Site& found = document->sites()[static_cast<std::size_t>(site)];
    m_session.selection().selectSite(QString::fromStdString(found.name), found.pass);
  }
}

void WindowTools::showSheet() {
  adoptActions();
  auto* sheet = m_window.findChild<views::ShortcutSheet*>();
  if (sheet == nullptr) {
    sheet = new views::ShortcutSheet(m_shortcuts, &m_window);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
  }
  sheet->show();
  sheet->raise();
  sheet->activateWindow();
}

void WindowTools::showSettings() {
  adoptActions();
  auto* dialog = m_window.findChild<views::SettingsDialog*>();
  if (dialog == nullptr) {
    dialog = new views::SettingsDialog(declaredSettings(), m_session.settings(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    auto* editor = new views::ShortcutEditor(m_shortcuts, m_session.background(), dialog);
    dialog->page(keyboardPage())
        ->append(editor, tr("keyboard shortcuts commands keys import export"), [this] {
          m_shortcuts.resetAll();
        });
  }
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

}  // namespace ulp::app
