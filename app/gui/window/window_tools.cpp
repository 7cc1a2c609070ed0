#include "app/gui/window/window_tools.h"

#include <algorithm>
#include <utility>

#include <QtGui/QAction>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QMainWindow>

#include "app/gui/help/help_desk.h"
#include "app/gui/session/session.h"
#include "app/gui/session/window_settings.h"
#include "views/commands/palette_model.h"
#include "views/commands/palette_popup.h"
#include "views/commands/shortcut_editor.h"
#include "views/commands/shortcut_sheet.h"
#include "views/framework/document/site_steps.h"
#include "views/framework/settings/settings_dialog.h"
#include "views/framework/settings/settings_page.h"

namespace ulp::app {
namespace {

constexpr qsizetype kRecentCommandLimit = 20;

const views::Setting<QStringList> kRecentCommands{QStringLiteral("palette/recent-commands"), {}};

void bringUp(QWidget& window) {
  window.show();
  window.raise();
  window.activateWindow();
}

/// In front, not behind another tab.
bool isSeen(const QDockWidget& dock) {
  return dock.isVisible() && !dock.visibleRegion().isEmpty();
}

QList<QDockWidget*> seenDocks(const QMainWindow& window) {
  QList<QDockWidget*> docks = window.findChildren<QDockWidget*>();
  docks.removeIf([](const QDockWidget* dock) { return !isSeen(*dock); });
  std::ranges::sort(docks, [](const QDockWidget* a, const QDockWidget* b) {
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
  if (target->focusPolicy() != Qt::NoFocus && target->isEnabled() && target->isVisible()) {
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

/// Moves the keyboard focus to the next (1) or previous (-1) dock that can be seen, in reading
/// order, and around the end. Without docks the focus stays where it is.
void moveFocusBetweenDocks(QMainWindow& window, int direction) {
  const QList<QDockWidget*> docks = seenDocks(window);
  if (docks.isEmpty()) {
    return;
  }
  const QWidget* focus = QApplication::focusWidget();
  const auto own = std::ranges::find_if(
      docks, [focus](const QDockWidget* dock) { return dock->isAncestorOf(focus); });
  const auto count = docks.size();
  const auto from = own == docks.end() ? (direction > 0 ? -1 : 0) : own - docks.begin();
  QDockWidget* next = docks[(from + direction + count) % count];
  QWidget* content = next->widget();
  next->activateWindow();
  focusableIn(content == nullptr ? *next : *content)->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace

WindowTools::WindowTools(QMainWindow& window, ActionTable& actions, Session& session)
    : QObject(&window),
      m_window(window),
      m_actions(actions),
      m_session(session),
      m_help(new HelpDesk(window, session)),
      m_shortcuts(session.settings()) {
  makeActions();
  makeHelpActions();
  makeGoActions();
  makeStepActions();
  const auto applySingleKeys = [this] {
    m_singleKeys.setEnabled(m_session.settings().get(views::kSingleLetterKeys));
  };
  connect(&session.settings(), &views::SettingsStore::changed, this, applySingleKeys);
  applySingleKeys();
}

void WindowTools::makeActions() {
  m_actions.add({.id = QStringLiteral("help.commands"),
                 .text = tr("&Command palette…"),
                 .toolTip = tr("Find a command by a few of its letters and run it"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
                 .handler = [this] { openCommands(); }});
  m_actions.add({.id = QStringLiteral("help.shortcuts"),
                 .text = tr("&Keyboard shortcuts"),
                 .toolTip = tr("Show all keys at a glance"),
                 .shortcuts = {QKeySequence(Qt::Key_Question)},
                 .handler = [this] { showSheet(); }});
  m_actions.add({.id = QStringLiteral("file.settings"),
                 .text = tr("Se&ttings…"),
                 .toolTip = tr("Theme, text size, language, shortcuts"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                 .handler = [this] { showSettings(); }});
  m_actions[QStringLiteral("file.settings")]->setMenuRole(QAction::PreferencesRole);
  m_actions.add({.id = QStringLiteral("go.next-panel"),
                 .text = tr("Ne&xt panel"),
                 .toolTip = tr("Move the keyboard to the next panel"),
                 .shortcuts = {QKeySequence(Qt::Key_F6)},
                 .handler = [this] { moveFocusBetweenDocks(m_window, 1); }});
  m_actions.add({.id = QStringLiteral("go.previous-panel"),
                 .text = tr("Pre&vious panel"),
                 .toolTip = tr("Move the keyboard to the previous panel"),
                 .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_F6)},
                 .handler = [this] { moveFocusBetweenDocks(m_window, -1); }});
}

void WindowTools::makeHelpActions() {
  m_actions.add({.id = QStringLiteral("help.topic"),
                 .text = tr("&Help on this"),
                 .toolTip = tr("Define the metric under the mouse or the keyboard, or explain the "
                               "view"),
                 .icon = QStringLiteral("explain"),
                 .shortcuts = {QKeySequence(Qt::Key_F1)},
                 .handler = [this] { m_help->openTopic(); }});
  m_actions.add({.id = QStringLiteral("help.guide"),
                 .text = tr("&Guide"),
                 .toolTip = tr("Open the guide to the views"),
                 .handler = [this] { m_help->openWhole({kViewsGuide}); }});
  m_actions.add({.id = QStringLiteral("help.metrics"),
                 .text = tr("&Metrics"),
                 .toolTip = tr("Open the definitions of all metrics"),
                 .handler = [this] { m_help->openWhole({kMetricsGuide}); }});
  m_actions.add({.id = QStringLiteral("help.tour"),
                 .text = tr("&Five-minute tour"),
                 .toolTip = tr("Open the example, and the steps of a tour beside it"),
                 .icon = QStringLiteral("example"),
                 .handler = [this] { m_help->openTour(); }});
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
  m_actions.add({.id = QStringLiteral("go.tensor"),
                 .text = tr("&Tensor or variant…"),
                 .toolTip = tr("Find a tensor or a variant by a few letters of its name"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_P)},
                 .handler = [this] { openTensors(); }});
  m_actions.add({.id = QStringLiteral("go.parent"),
                 .text = tr("&Parent module"),
                 .toolTip = tr("The module that contains the selected tensor"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_Up)},
                 .handler = moved(&views::parentSite)});
}

void WindowTools::makeStepActions() {
  const auto inKind = [this](int direction) {
    return moved([direction](const views::ReportDocument& document, int site) {
      return views::stepInKind(document, site, direction);
    });
  };
  m_actions.add({.id = QStringLiteral("go.next-block"),
                 .text = tr("Same tensor in the &next block"),
                 .toolTip = tr("The tensor of the same kind in the next block"),
                 .shortcuts = {QKeySequence(Qt::Key_Period)},
                 .handler = inKind(1)});
  m_actions.add({.id = QStringLiteral("go.previous-block"),
                 .text = tr("Same tensor in the pre&vious block"),
                 .toolTip = tr("The tensor of the same kind in the previous block"),
                 .shortcuts = {QKeySequence(Qt::Key_Comma)},
                 .handler = inKind(-1)});
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
    const auto live = std::ranges::find_if_not(row.actions, &QPointer<QAction>::isNull);
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
  const auto live = std::ranges::find_if_not(row->actions, &QPointer<QAction>::isNull);
  if (live != row->actions.end()) {
    (*live)->trigger();
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
    m_session.findings().showPlace({document->variantName(place.variant)}, std::nullopt);
  }
  goToSite(place.site);
}

void WindowTools::goToSite(int site) {
  const views::DocumentPtr& document = m_session.workspace().reports.document();
  if (site >= 0) {
    m_session.findings().showPlace({}, document->sites()[static_cast<std::size_t>(site)]);
  }
}

void WindowTools::showSheet() {
  adoptActions();
  auto* sheet = m_window.findChild<views::ShortcutSheet*>();
  if (sheet == nullptr) {
    sheet = new views::ShortcutSheet(m_shortcuts, &m_window);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
  }
  bringUp(*sheet);
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
  bringUp(*dialog);
}

}  // namespace ulp::app
