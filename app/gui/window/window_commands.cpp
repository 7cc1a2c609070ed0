#include "app/gui/window/window_commands.h"

#include <QtGui/QAction>
#include <QtGui/QUndoStack>
#include <QtWidgets/QWidget>

#include "app/gui/bars/selection_bar.h"
#include "app/gui/dumps/edit_mapping.h"
#include "app/gui/session/session.h"
#include "app/gui/session/window_settings.h"
#include "app/gui/tools/host_dialog.h"
#include "views/framework/words/literal_text.h"

namespace ulp::app {
namespace {

constexpr int kNumberedBookmarks = 9;

}  // namespace

WindowCommands::WindowCommands(QWidget& window, ActionTable& actions, Session& session)
    : QObject(&window), m_window(window), m_actions(actions), m_session(session) {
  makeEditActions();
  makeRunActions();
  makeNavigationActions();
  makeFindingActions();
  makeCompareActions();
  makeBookmarkActions();
}

void WindowCommands::makeEditActions() {
  QUndoStack& history = m_session.workspace().study.history();
  QAction* undo = m_actions.add({.id = QStringLiteral("edit.undo"),
                                 .text = tr("&Undo"),
                                 .toolTip = tr("Take back the last change of the study"),
                                 .shortcuts = {QKeySequence::Undo},
                                 .handler = [&history] { history.undo(); }});
  QAction* redo = m_actions.add({.id = QStringLiteral("edit.redo"),
                                 .text = tr("&Redo"),
                                 .toolTip = tr("Make the change again that was taken back"),
                                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
                                               QKeySequence(Qt::CTRL | Qt::Key_Y)},
                                 .handler = [&history] { history.redo(); }});
  m_actions.setEnabled({"edit.undo", "edit.redo"}, false);
  connect(&history, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
  connect(&history, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
  connect(&history, &QUndoStack::undoTextChanged, undo, [undo](const QString& step) {
    undo->setText(step.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(views::literalText(step)));
  });
  connect(&history, &QUndoStack::redoTextChanged, redo, [redo](const QString& step) {
    redo->setText(step.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(views::literalText(step)));
  });
}

void WindowCommands::makeRunActions() {
  queue::JobQueue& jobs = m_session.queue();
  m_actions.add({.id = QStringLiteral("run.start"),
                 .text = tr("&Run study"),
                 .toolTip = tr("Save and run the open study"),
                 .icon = QStringLiteral("run"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_R)},
                 .handler = [this] { m_session.runs().launch(); }});
  m_actions.add({.id = QStringLiteral("run.start-on"),
                 .text = tr("Run on another &machine…"),
                 .toolTip = tr("Save the open study and run it on a machine that ssh reaches"),
                 .handler = [this] { askForHost(); }});
  QAction* pause =
      m_actions.add({.id = QStringLiteral("run.pause"),
                     .text = tr("&Pause the queue"),
                     .toolTip = tr("Start no further study; the one that runs goes on to its end"),
                     .icon = QStringLiteral("pause"),
                     .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5)},
                     .handler = [&jobs] { jobs.setPaused(!jobs.isPaused()); }});
  pause->setCheckable(true);
  m_actions.add({.id = QStringLiteral("run.stop"),
                 .text = tr("&Stop"),
                 .toolTip = tr("Stop what is running; what is finished stays"),
                 .icon = QStringLiteral("stop"),
                 .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
                 .handler = [this, &jobs] {
                   m_session.comparer().stopAll();
                   jobs.cancelAll();
                 }});
}

void WindowCommands::makeNavigationActions() {
  views::SelectionContext& selection = m_session.selection();
  m_actions.add({.id = QStringLiteral("go.back"),
                 .text = tr("&Back"),
                 .toolTip = tr("Back to the previous selection"),
                 .icon = QStringLiteral("back"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_Left)},
                 .handler = [&selection] { selection.goBack(); }});
  m_actions.add({.id = QStringLiteral("go.forward"),
                 .text = tr("&Forward"),
                 .toolTip = tr("Forward to the next selection"),
                 .icon = QStringLiteral("forward"),
                 .shortcuts = {QKeySequence(Qt::ALT | Qt::Key_Right)},
                 .handler = [&selection] { selection.goForward(); }});
}

void WindowCommands::makeFindingActions() {
  const auto add = [this](const char* id,
                          const QString& text,
                          const QString& toolTip,
                          const QKeySequence& key,
                          void (views::FindingNavigator::*step)(int direction)) {
    const int direction = QLatin1String(id).startsWith(QLatin1String("go.next")) ? 1 : -1;
    m_actions.add(
        {.id = QLatin1String(id),
         .text = text,
         .toolTip = toolTip,
         .shortcuts = {key},
         .handler = [this, step, direction] { (m_session.findings().*step)(direction); }});
  };
  add("go.next-finding",
      tr("Next &finding"),
      tr("Select what the next finding is about"),
      Qt::Key_F8,
      &views::FindingNavigator::stepFinding);
  add("go.previous-finding",
      tr("Previous findin&g"),
      tr("Select what the previous finding is about"),
      Qt::SHIFT | Qt::Key_F8,
      &views::FindingNavigator::stepFinding);
  add("go.next-non-finite",
      tr("Next &non-finite tensor"),
      tr("Select the variant's next tensor with NaN or infinite elements"),
      Qt::Key_N,
      &views::FindingNavigator::stepNonFinite);
  add("go.previous-non-finite",
      tr("Previous non-f&inite tensor"),
      tr("Select the variant's previous tensor with NaN or infinite elements"),
      Qt::SHIFT | Qt::Key_N,
      &views::FindingNavigator::stepNonFinite);
  add("go.next-jump",
      tr("Next &jump"),
      tr("Select the next layer at which the variant's error jumps"),
      Qt::Key_J,
      &views::FindingNavigator::stepJump);
  add("go.previous-jump",
      tr("Previous j&ump"),
      tr("Select the previous layer at which the variant's error jumps"),
      Qt::SHIFT | Qt::Key_J,
      &views::FindingNavigator::stepJump);
}

void WindowCommands::makeCompareActions() {
  views::SelectionContext& selection = m_session.selection();
  const views::ReportSet& reports = m_session.workspace().reports;
  m_actions.add({.id = QStringLiteral("compare.baseline"),
                 .text = tr("Make the selected variant the &baseline"),
                 .toolTip = tr("Compare all runs with the selected variant"),
                 .shortcuts = {QKeySequence(Qt::Key_B)},
                 .handler = [&selection, &reports] {
                   const views::Selection& now = selection.selection();
                   selection.selectBaseline(now.run(), relationFor(reports, now, now.run()));
                 }});
  m_actions.add(
      {.id = QStringLiteral("compare.reference"),
       .text = tr("Make the &reference the baseline"),
       .toolTip = tr("Compare all runs with the reference again"),
       .shortcuts = {QKeySequence(Qt::SHIFT | Qt::Key_B)},
       .handler = [&selection] { selection.selectBaseline({}, views::Relation::Error); }});
  m_actions.add({.id = QStringLiteral("compare.relation"),
                 .text = tr("&Error, difference or ratio"),
                 .toolTip = tr("Show errors against the baseline, less its errors, or as "
                               "multiples of them"),
                 .shortcuts = {QKeySequence(Qt::Key_D)},
                 .handler = [&selection] {
                   const views::Selection& now = selection.selection();
                   const int next = (static_cast<int>(now.relation) + 1) % 3;
                   selection.selectBaseline(now.baseline, static_cast<views::Relation>(next));
                 }});
}

void WindowCommands::makeBookmarkActions() {
  views::Bookmarks& bookmarks = m_session.bookmarks();
  m_actions.add({.id = QStringLiteral("bookmark.add"),
                 .text = tr("&Bookmark the selection"),
                 .toolTip = tr("Mark what is selected, to come back to it"),
                 .icon = QStringLiteral("bookmark"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_B)},
                 .handler = [this, &bookmarks] {
                   bookmarks.addCurrent();
                   Q_EMIT bookmarked();
                 }});
  for (int number = 1; number <= kNumberedBookmarks; ++number) {
    m_actions.add({.id = QStringLiteral("bookmark.%1").arg(number),
                   .text = tr("Go to bookmark %1").arg(number),
                   .shortcuts = {QKeySequence(QStringLiteral("Ctrl+%1").arg(number))},
                   .handler = [&bookmarks, number] {
                     bookmarks.goTo(static_cast<std::size_t>(number - 1));
                   }});
  }
}

void WindowCommands::update() {
  const views::Workspace& workspace = m_session.workspace();
  const views::SelectionContext& selection = m_session.selection();
  const views::Selection& now = selection.selection();
  const bool hasReport = workspace.reports.document() != nullptr;
  m_actions.setEnabled({"file.reload",
                        "file.export",
                        "compare.add",
                        "go.tensor",
                        "go.parent",
                        "go.next-block",
                        "go.previous-block"},
                       hasReport);
  m_actions.setEnabled({"bookmark.add"}, hasReport && !now.site.isEmpty());
  m_actions.setEnabled({"file.save", "file.save-as", "run.start", "run.start-on", "run.submit"},
                       workspace.study.isOpen());
  m_actions.setEnabled({"file.save-comparison"}, !m_session.comparer().savable().empty());
  m_actions.setEnabled({"run.stop"},
                       m_session.queue().isBusy() || m_session.comparer().isRunning());
  m_actions[QStringLiteral("run.pause")]->setChecked(m_session.queue().isPaused());
  m_actions.setEnabled({"compare.baseline"}, !now.runs.isEmpty());
  m_actions.setEnabled({"compare.reference", "compare.relation"}, !now.baseline.isEmpty());
  m_actions.setEnabled({"compare.mapping"}, comparedDumps(workspace.reports) != nullptr);
  m_actions.setEnabled({"go.back"}, selection.canGoBack());
  m_actions.setEnabled({"go.forward"}, selection.canGoForward());
}

void WindowCommands::askForHost() {
  auto* dialog = new HostDialog(m_session.settings().get(kRecentHosts), &m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &HostDialog::chosen, this, [this](const QString& host, bool installs) {
    m_session.settings().update(kRecentHosts, [host](QStringList hosts) {
      constexpr qsizetype kMost = 10;
      hosts.removeAll(host);
      hosts.prepend(host);
      return hosts.mid(0, kMost);
    });
    m_session.runs().launchOn(host, installs);
  });
  dialog->open();
}

}  // namespace ulp::app
