#include "app/gui/window/main_window.h"

#include <algorithm>

#include <QtCore/QFileInfo>
#include <QtCore/QTimer>
#include <QtGui/QAction>
#include <QtGui/QCloseEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMessageBox>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QStatusBar>
#include <QtWidgets/QToolBar>

#include "app/gui/bars/breadcrumbs.h"
#include "app/gui/bars/dock_title.h"
#include "app/gui/bars/status_line.h"
#include "app/gui/dumps/edit_mapping.h"
#include "app/gui/session/window_settings.h"
#include "app/gui/start/start_page.h"
#include "app/gui/window/window_tools.h"
#include "views/framework/view/viewport_link.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/workspace/recent_comparisons.h"

namespace ulp::app {

using views::ViewArea;
using views::ViewDescriptor;
using views::ViewHost;
using views::ViewPurpose;

MainWindow::MainWindow(Session& session, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_actions(*this),
      m_start(new StartPage(views::Workspace::hasExample(), this)),
      m_messages(new views::MessageBar(this)),
      m_link(new views::ViewportLink(this)),
      m_tools(new WindowTools(*this, m_actions, session)) {
  setObjectName(QStringLiteral("main"));
  setDockNestingEnabled(true);
  setDocumentMode(true);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCentralWidget(m_start);
  resize(1280, 800);
  makeFileActions();
  makeDumpActions();
  makeEditActions();
  makeRunActions();
  makeNavigationActions();
  makeCompareActions();
  makeTabActions();
  makeLayoutActions();
  makeBookmarkActions();
  makeToolBar();
  makeMessageBar();
  makeDocks();
  makeMenus();
  m_tools->adoptActions();
  statusBar()->setSizeGripEnabled(false);
  statusBar()->addWidget(new Breadcrumbs(m_session.context(), this));
  statusBar()->addWidget(new StatusLine(m_session.context(), m_session.comparer(), this), 1);
  connectSession();
  makeDropOverlay();
  m_session.studyGuard().offerRecovery();
  m_start->setRecentFiles(m_session.workspace().recentFiles());
  showStartPage();
  updateActions();
  updateTitle();
}

MainWindow::~MainWindow() {
  // Docks that are taken down report it; by then the layout that they report to is gone.
  for (const Place& place : m_places) {
    place.dock->disconnect(this);
  }
}

void MainWindow::makeDocks() {
  for (const ViewDescriptor& descriptor : m_session.registry().all()) {
    makeDock(descriptor);
  }
  arrangeDocks();
}

void MainWindow::makeDock(const ViewDescriptor& descriptor) {
  Place place{.descriptor = descriptor};
  place.dock = new QDockWidget(descriptor.title, this);
  place.dock->setObjectName(descriptor.id);
  place.title = new DockTitle(descriptor.title, place.dock);
  place.dock->setTitleBarWidget(place.title);
  place.host = new ViewHost(descriptor, m_session.context(), place.dock);
  place.dock->setWidget(place.host);
  connect(place.host, &ViewHost::viewMade, place.title, [this, place](views::View* view) {
    place.title->addControlsOf(*view);
    if (place.descriptor.hasViewport) {
      place.title->addLink(*place.host, *m_link);
    }
    const ViewPurpose purpose = place.descriptor.purpose;
    if (purpose == ViewPurpose::Other || purpose == ViewPurpose::Report ||
        purpose == ViewPurpose::Bookmarks) {
      place.title->addLock(*place.host);
    }
  });
  connect(place.host, &ViewHost::viewMade, m_tools, &WindowTools::adoptActions);
  // While docks are arranged they pass through states that nobody sees.
  place.host->setInFront(false);
  connect(place.dock,
          &QDockWidget::visibilityChanged,
          place.host,
          [this, host = place.host](bool seen) {
            if (!m_isArranging) {
              host->setInFront(seen);
            }
          });
  for (const auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged}) {
    connect(place.dock, signal, this, &MainWindow::updateDockTitles);
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

void MainWindow::arrangeDocks(views::ViewLayout layout) {
  const auto areaOf = [](ViewArea area) {
    switch (area) {
      case ViewArea::Right:
        return Qt::RightDockWidgetArea;
      case ViewArea::Bottom:
        return Qt::BottomDockWidgetArea;
      case ViewArea::Centre:
        break;
    }
    return Qt::LeftDockWidgetArea;
  };
  const auto isShown = [layout](const ViewDescriptor& view) {
    const bool asksFirst = layout == views::ViewLayout::Analyse && !view.shownAtStart;
    return view.layouts.has(layout) && !asksFirst;
  };
  std::map<ViewArea, QDockWidget*> first;
  for (const Place& place : m_places) {
    addDockWidget(areaOf(place.descriptor.area), place.dock);
    place.dock->setFloating(false);
    QDockWidget*& leader = first[place.descriptor.area];
    if (leader != nullptr) {
      tabifyDockWidget(leader, place.dock);
    } else {
      leader = place.dock;
    }
  }
  std::map<ViewArea, QDockWidget*> front;
  const int width = this->width();
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
      resizeDocks({dock}, {height() * 3 / 10}, Qt::Vertical);
    } else {
      columns << dock;
      widths << (area == ViewArea::Centre ? width * 3 / 4 : width / 4);
    }
  }
  resizeDocks(columns, widths, Qt::Horizontal);
}

void MainWindow::updateDockTitles() {
  for (const Place& place : m_places) {
    const bool alone = place.dock->isFloating() || tabifiedDockWidgets(place.dock).isEmpty();
    place.title->setNameShown(alone);
  }
}

void MainWindow::connectSession() {
  connectStartPage();
  connectDocuments();
  views::Workspace& workspace = m_session.workspace();
  connect(m_tools, &WindowTools::viewWanted, this, &MainWindow::raiseView);
  connect(&workspace, &views::Workspace::openRequested, this, &MainWindow::askForFile);
  connect(&workspace, &views::Workspace::besideRequested, this, &MainWindow::askForReportBeside);
  connect(&workspace, &views::Workspace::studiesRequested, this, &MainWindow::askForStudies);
  connect(&workspace, &views::Workspace::saveStudyRequested, this, &MainWindow::saveStudy);
  connect(&workspace, &views::Workspace::messageRaised, m_messages, &views::MessageBar::show);
  connect(&workspace, &views::Workspace::messageDismissed, m_messages, &views::MessageBar::dismiss);
  connect(&workspace, &views::Workspace::deeperRequested, this, [this](int level) {
    if (const ViewDescriptor* next = m_session.registry().deeperThan(level)) {
      raiseView(next->id);
    }
  });
  connect(&workspace, &views::Workspace::proofRequested, this, [this](const QString& rule) {
    if (const ViewDescriptor* proof = m_session.registry().findProof(rule)) {
      raiseView(proof->id);
    }
  });
  connect(&m_session.selection(),
          &views::SelectionContext::selectionChanged,
          this,
          &MainWindow::updateActions);
  connect(&m_session.queue(), &queue::JobQueue::jobChanged, this, &MainWindow::updateActions);
  connect(&m_session.queue(), &queue::JobQueue::queueChanged, this, &MainWindow::updateActions);
  connect(&m_session.runs(), &views::RunLauncher::launched, this, [this] {
    raisePurpose(ViewPurpose::Queue);
    updateActions();
  });
  connect(&m_session.themes(),
          &views::ThemeManager::themeChanged,
          m_messages,
          &views::MessageBar::setSeverityColors);
}

void MainWindow::connectStartPage() {
  views::Workspace& workspace = m_session.workspace();
  connect(m_start, &StartPage::openRequested, this, &MainWindow::askForFile);
  connect(m_start, &StartPage::newStudyRequested, &workspace, &views::Workspace::newStudy);
  connect(m_start, &StartPage::exampleRequested, &workspace, &views::Workspace::openExample);
  connect(m_start, &StartPage::recentRequested, &workspace, &views::Workspace::open);
  connect(m_start, &StartPage::dumpsRequested, this, [this] { askForDumps({}); });
  connect(m_start, &StartPage::comparisonRequested, &workspace, &views::Workspace::compareDumps);
  connect(&workspace, &views::Workspace::recentFilesChanged, this, [this] {
    m_start->setRecentFiles(m_session.workspace().recentFiles());
  });
  connect(&workspace, &views::Workspace::comparisonRequested, this, [this] {
    // Others remember the pair first, whichever was connected before.
    QTimer::singleShot(0, this, &MainWindow::updateRecentComparisons);
  });
}

void MainWindow::updateRecentComparisons() {
  m_start->setRecentComparisons(views::recentComparisons(m_session.settings()));
}

void MainWindow::connectDocuments() {
  views::Workspace& workspace = m_session.workspace();
  connect(&workspace, &views::Workspace::reportShown, this, [this] {
    showWorkspace();
    raisePurpose(ViewPurpose::Report);
  });
  connect(&workspace, &views::Workspace::documentChanged, this, [this] {
    if (m_session.workspace().document()) {
      showWorkspace();
    }
    if (m_session.workspace().reports().size() > 1) {
      offerPurpose(ViewPurpose::Reports);
    }
    updateActions();
    updateTitle();
  });
  connect(&workspace, &views::Workspace::studyOpened, this, [this] {
    showWorkspace();
    raisePurpose(ViewPurpose::Study);
  });
  for (const auto signal : {&views::Workspace::studyChanged, &views::Workspace::studyEdited}) {
    connect(&workspace, signal, this, [this] {
      updateActions();
      updateTitle();
    });
  }
}

bool MainWindow::isStartPageShown() const {
  return m_start->isVisibleTo(this);
}

void MainWindow::showStartPage() {
  for (const Place& place : m_places) {
    place.dock->hide();
  }
  updateRecentComparisons();
  m_start->show();
}

void MainWindow::showWorkspace() {
  if (!isStartPageShown()) {
    return;
  }
  m_start->hide();
  m_isArranging = true;
  if (m_saved.layout.isEmpty() || !restoreState(m_saved.layout, kLayoutVersion)) {
    arrangeDocks();
  }
  finishArranging();
}

void MainWindow::finishArranging() {
  updateDockTitles();
  // Which tabs are in front is known once the layout has been applied.
  QTimer::singleShot(0, this, [this] {
    m_isArranging = false;
    for (const Place& place : m_places) {
      place.host->setInFront(!place.dock->visibleRegion().isEmpty());
    }
  });
}

void MainWindow::raiseView(const QString& id) {
  for (const Place& place : m_places) {
    if (place.descriptor.id == id) {
      showWorkspace();
      place.dock->show();
      place.dock->raise();
      place.host->setInFront(true);
      place.host->setFocus();
    }
  }
}

void MainWindow::raisePurpose(ViewPurpose purpose) {
  if (m_isReopening) {
    // The layout of the last session says what is in front.
    return;
  }
  if (const ViewDescriptor* found = m_session.registry().findPurpose(purpose)) {
    raiseView(found->id);
  }
}

void MainWindow::offerView(const QString& id) {
  for (const Place& place : m_places) {
    if (place.descriptor.id == id) {
      place.dock->show();
    }
  }
}

void MainWindow::offerPurpose(ViewPurpose purpose) {
  if (const ViewDescriptor* found = m_session.registry().findPurpose(purpose)) {
    offerView(found->id);
  }
}

ViewHost* MainWindow::host(const QString& id) const {
  const auto found = std::find_if(m_places.begin(), m_places.end(), [&](const Place& place) {
    return place.descriptor.id == id;
  });
  return found == m_places.end() ? nullptr : found->host;
}

void MainWindow::updateActions() {
  const views::Workspace& workspace = m_session.workspace();
  const views::SelectionContext& selection = m_session.selection();
  m_actions[QStringLiteral("file.reload")]->setEnabled(workspace.document() != nullptr);
  m_actions[QStringLiteral("file.export")]->setEnabled(workspace.document() != nullptr);
  m_actions[QStringLiteral("file.save")]->setEnabled(workspace.hasStudy());
  m_actions[QStringLiteral("file.save-as")]->setEnabled(workspace.hasStudy());
  m_actions[QStringLiteral("run.start")]->setEnabled(workspace.hasStudy());
  m_actions[QStringLiteral("file.save-comparison")]->setEnabled(
      !m_session.comparer().savable().empty());
  m_actions[QStringLiteral("run.stop")]->setEnabled(m_session.queue().isBusy() ||
                                                    m_session.comparer().isRunning());
  m_actions[QStringLiteral("run.pause")]->setChecked(m_session.queue().isPaused());
  const views::Selection& now = selection.selection();
  m_actions[QStringLiteral("compare.add")]->setEnabled(workspace.document() != nullptr);
  m_actions[QStringLiteral("compare.baseline")]->setEnabled(!now.runs.isEmpty());
  m_actions[QStringLiteral("compare.reference")]->setEnabled(!now.baseline.isEmpty());
  m_actions[QStringLiteral("compare.relation")]->setEnabled(!now.baseline.isEmpty());
  m_actions[QStringLiteral("compare.mapping")]->setEnabled(comparedDumps(workspace) != nullptr);
  m_actions[QStringLiteral("bookmark.add")]->setEnabled(workspace.document() != nullptr &&
                                                        !now.site.isEmpty());
  m_actions[QStringLiteral("go.back")]->setEnabled(selection.canGoBack());
  m_actions[QStringLiteral("go.forward")]->setEnabled(selection.canGoForward());
  m_tools->updateActions();
}

void MainWindow::updateTitle() {
  const views::Workspace& workspace = m_session.workspace();
  QStringList parts;
  if (workspace.document()) {
    const report::LoadedReport& loaded = workspace.document()->loaded();
    const QString folder = QString::fromStdString(loaded.folder.filename().string());
    const QString model = QString::fromStdString(loaded.report->model.name);
    parts << (folder.isEmpty() ? model : folder);
  } else if (workspace.hasStudy()) {
    const QString& path = workspace.study().path;
    parts << (path.isEmpty() ? tr("New study") : QFileInfo(path).fileName());
  }
  parts << QStringLiteral("Ulpscope");
  setWindowTitle(QStringLiteral("[*]") + parts.join(QStringLiteral(" – ")));
  setWindowModified(workspace.hasStudy() && workspace.study().isModified());
}

void MainWindow::askForFile() {
  auto* dialog = new QFileDialog(this, tr("Open a report or a study"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilters({tr("Reports and studies (*.json *.yaml *.yml)"), tr("All files (*)")});
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { open({path}); });
  dialog->open();
}

void MainWindow::askForReportBeside() {
  auto* dialog = new QFileDialog(this, tr("Add a report to compare"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  dialog->setNameFilters({tr("Reports (*.json)"), tr("All files (*)")});
  connect(
      dialog, &QFileDialog::filesSelected, &m_session.workspace(), &views::Workspace::openBeside);
  dialog->open();
}

void MainWindow::askForFolder() {
  auto* dialog = new QFileDialog(this, tr("Open the folder of a run"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { open({path}); });
  dialog->open();
}

void MainWindow::saveStudyTo(const QString& path, const std::function<void()>& saved) {
  m_session.workspace().saveStudy(path, [this, saved](const Result<>& written) {
    if (!written) {
      m_session.workspace().raise(views::messageOf(written.error(), QStringLiteral("save")));
      return;
    }
    m_session.workspace().dismiss(QStringLiteral("save"));
    if (saved) {
      saved();
    }
  });
}

void MainWindow::saveStudy(const std::function<void()>& saved) {
  const QString& path = m_session.workspace().study().path;
  if (path.isEmpty()) {
    saveStudyAs(saved);
  } else {
    saveStudyTo(path, saved);
  }
}

void MainWindow::saveStudyAs(const std::function<void()>& saved) {
  const QString& path = m_session.workspace().study().path;
  auto* dialog = new QFileDialog(this, tr("Save the study"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("yaml"));
  dialog->setNameFilter(tr("Studies (*.yaml *.yml)"));
  dialog->selectFile(path.isEmpty() ? QStringLiteral("study.yaml") : path);
  connect(dialog, &QFileDialog::fileSelected, this, [this, saved](const QString& file) {
    saveStudyTo(file, saved);
  });
  dialog->open();
}

void MainWindow::setTheme(views::ThemeChoice choice) {
  m_session.settings().set(kTheme, views::toText(choice));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!confirmClose()) {
    event->ignore();
    return;
  }
  saveSession();
  event->accept();
}

bool MainWindow::confirmClose() {
  if (const QString text = workQuestion(); !text.isEmpty() && !m_runStopConfirmed) {
    const bool isRunning = m_session.queue().isRunning() || m_session.comparer().isRunning();
    askBeforeClosing(text, isRunning ? tr("Stop it and quit") : tr("Quit"), [this] {
      m_runStopConfirmed = true;
    });
    return false;
  }
  if (const QString text = editsQuestion(); !text.isEmpty() && !m_discardConfirmed) {
    askBeforeClosing(text, tr("Discard edits and quit"), [this] { m_discardConfirmed = true; });
    return false;
  }
  return true;
}

QString MainWindow::editsQuestion() const {
  const views::Workspace& workspace = m_session.workspace();
  QStringList sentences;
  if (workspace.hasUnsavedEdits()) {
    const QString& path = workspace.study().path;
    sentences
        << tr("%1 has edits that are not saved.").arg(path.isEmpty() ? tr("The new study") : path);
  }
  if (hasUnsavedMapping(*this)) {
    sentences << tr("A mapping was changed and neither applied nor saved.");
  }
  return sentences.join(QLatin1Char(' '));
}

void MainWindow::askBeforeClosing(const QString& text,
                                  const QString& proceed,
                                  const std::function<void()>& accepted) {
  auto* box = new QMessageBox(QMessageBox::Question, tr("Quit Ulpscope"), text, {}, this);
  box->setObjectName(QStringLiteral("closeQuestion"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  QAbstractButton* go = box->addButton(proceed, QMessageBox::DestructiveRole);
  box->setDefaultButton(box->addButton(QMessageBox::Cancel));
  connect(box, &QMessageBox::buttonClicked, this, [this, go, accepted](QAbstractButton* clicked) {
    if (clicked == go) {
      accepted();
      // The box is still being closed; the window follows once it is gone.
      QTimer::singleShot(0, this, &QWidget::close);
    }
  });
  box->open();
}

}  // namespace ulp::app
