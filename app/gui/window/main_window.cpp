#include "app/gui/window/main_window.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtGui/QCloseEvent>
#include <QtGui/QScreen>
#include <QtWidgets/QStatusBar>
#include <QtWidgets/QTabBar>

#include "app/gui/bars/breadcrumbs.h"
#include "app/gui/bars/last_message.h"
#include "app/gui/bars/status_line.h"
#include "app/gui/dumps/edit_mapping.h"
#include "app/gui/start/start_page.h"
#include "app/gui/window/window_menus.h"
#include "core/report/model/one_dump.h"
#include "views/framework/look/focus_outline.h"
#include "views/framework/widgets/scrolled.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {

using views::ReportSet;
using views::ViewPurpose;
using views::WindowRequests;

namespace {

/// The usual size; on a smaller screen, what it has room for beside the window's frame.
QSize firstSize(const QScreen& screen) {
  constexpr QSize kWanted{1280, 800};
  constexpr QSize kFrame{16, 48};
  return kWanted.boundedTo(screen.availableSize() - kFrame);
}

}  // namespace

MainWindow::MainWindow(Session& session, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_actions(*this),
      m_start(new StartPage(QFile::exists(views::kExampleReport), this)),
      m_messages(new views::MessageBar(this, statusBar())) {
  setObjectName(QStringLiteral("main"));
  setDockNestingEnabled(true);
  setDocumentMode(true);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCentralWidget(views::scrolled(m_start));
  resize(firstSize(*screen()));
  m_tools = new WindowTools(*this, m_actions, session);
  m_files = new FileCommands(*this, m_actions, session);
  m_commands = new WindowCommands(*this, m_actions, session);
  makeToolBar(*this, session, m_actions);
  m_messages->setSeverityColors(session.themes().theme());
  m_docks = std::make_unique<ViewDocks>(*this, m_actions, session);
  m_layouts = new LayoutCommands(*this, m_actions, *m_docks);
  m_lastSession = new LastSession(*this, session, *m_docks, *m_layouts);
  m_closeQuestion = new CloseQuestion(*this, session);
  makeMenus({*this, session, m_actions, *m_docks, *m_files, *m_layouts});
  m_tools->adoptActions();
  statusBar()->setSizeGripEnabled(false);
  auto* breadcrumbs = new Breadcrumbs(session.context(), this);
  auto* line = new StatusLine(session.context(), session.comparer(), this);
  // Names of any length must not make the window wider.
  breadcrumbs->setMinimumWidth(1);
  line->setMinimumWidth(1);
  statusBar()->addWidget(breadcrumbs);
  statusBar()->addWidget(line, 1);
  statusBar()->addPermanentWidget(new LastMessage(*m_messages, this));
  views::FocusOutline::follow(*this);
  connectStartPage();
  connectReports();
  connectRequests();
  connectCommands();
  session.studyGuard().offerRecovery();
  m_start->setRecentFiles(views::recentFilesWithText(session.settings()));
  m_start->setRecentComparisons(views::recentComparisons(session.settings()));
  m_docks->showStartPage();
  m_commands->update();
  updateTitle();
}

void MainWindow::connectStartPage() {
  views::Workspace& workspace = m_session.workspace();
  connect(m_start, &StartPage::openRequested, m_files, &FileCommands::askForReport);
  connect(m_start, &StartPage::newStudyRequested, &workspace.study, &views::StudyDocument::openNew);
  connect(m_start, &StartPage::exampleRequested, this, [&workspace] {
    workspace.reports.open({views::kExampleReport});
  });
  connect(m_start, &StartPage::recentRequested, this, [&workspace](const QString& path) {
    workspace.open({path});
  });
  connect(m_start, &StartPage::dumpsRequested, this, [this] { m_files->askForDumps({}); });
  connect(m_start, &StartPage::recordRequested, m_files, &FileCommands::askToRecord);
  connect(
      m_start, &StartPage::comparisonRequested, &workspace.requests, &WindowRequests::compareDumps);
  connect(&m_session.settings(), &views::SettingsStore::changed, this, [this](const QString& key) {
    if (key == views::kRecentFiles.key || key == views::kRecentAbout.key) {
      m_start->setRecentFiles(views::recentFilesWithText(m_session.settings()));
    } else if (key == views::kRecentComparisons.key) {
      m_start->setRecentComparisons(views::recentComparisons(m_session.settings()));
    }
  });
}

void MainWindow::connectReports() {
  views::Workspace& workspace = m_session.workspace();
  connect(&workspace.reports, &ReportSet::reportShown, this, [this] {
    m_docks->showDocks();
    const views::DocumentPtr& document = m_session.workspace().reports.document();
    raisePurpose(document && report::isOfOneDump(document->report()) ? ViewPurpose::Dump
                                                                     : ViewPurpose::Report);
  });
  connect(
      &workspace.reports, &ReportSet::documentChanged, this, [this, &reports = workspace.reports] {
        if (reports.document()) {
          m_docks->showDocks();
        }
        if (reports.sources().size() > 1) {
          offerPurpose(ViewPurpose::Reports);
        }
        m_commands->update();
        updateTitle();
      });
  connect(&workspace.study, &views::StudyDocument::opened, this, [this] {
    m_docks->showDocks();
    raisePurpose(ViewPurpose::Study);
  });
  for (const auto signal : {&views::StudyDocument::changed, &views::StudyDocument::edited}) {
    connect(&workspace.study, signal, this, [this] {
      m_commands->update();
      updateTitle();
    });
  }
}

void MainWindow::connectRequests() {
  views::Messages& messages = m_session.workspace().messages;
  WindowRequests& requests = m_session.workspace().requests;
  connect(&messages, &views::Messages::raise, m_messages, &views::MessageBar::show);
  connect(&messages, &views::Messages::dismiss, m_messages, &views::MessageBar::dismiss);
  connect(&m_session.themes(),
          &views::ThemeManager::themeChanged,
          m_messages,
          &views::MessageBar::setSeverityColors);
  connect(&requests, &WindowRequests::askForReport, m_files, &FileCommands::askForReport);
  connect(
      &requests, &WindowRequests::askForReportBeside, m_files, &FileCommands::askForReportBeside);
  connect(&requests, &WindowRequests::askForFolder, m_files, &FileCommands::askForFolder);
  connect(&requests, &WindowRequests::askForStudies, m_files, &FileCommands::askForStudies);
  connect(&requests, &WindowRequests::askForDumps, m_files, &FileCommands::askForDumps);
  connect(&requests, &WindowRequests::saveStudy, m_files, &FileCommands::saveStudy);
  connect(&requests, &WindowRequests::showFinding, this, [this](const report::Finding& finding) {
    m_session.findings().showPlace(
        {QString::fromStdString(finding.runs.front())},
        finding.sites.empty() ? std::nullopt : std::optional(finding.sites.front()),
        QString::fromStdString(finding.rule));
  });
  connect(
      &requests, &WindowRequests::showRules, this, [this] { raisePurpose(ViewPurpose::Rules); });
  connect(&requests, &WindowRequests::editMapping, this, [this] {
    editMapping(m_session.context(), this);
  });
  connect(&requests, &WindowRequests::goDeeper, this, [this](int level) {
    if (const views::ViewDescriptor* next = m_session.registry().deeperThan(level)) {
      m_docks->raiseView(next->id);
    }
  });
}

void MainWindow::connectCommands() {
  connect(m_tools, &WindowTools::viewWanted, m_docks.get(), &ViewDocks::raiseView);
  connect(m_docks.get(), &ViewDocks::viewMade, m_tools, &WindowTools::adoptActions);
  connect(m_commands, &WindowCommands::bookmarked, this, [this] {
    offerPurpose(ViewPurpose::Bookmarks);
  });
  connect(m_lastSession, &LastSession::queueResumed, this, [this] {
    raisePurpose(ViewPurpose::Queue);
  });
  connect(&m_session.runs(), &views::RunLauncher::launched, this, [this] {
    raisePurpose(ViewPurpose::Queue);
    m_commands->update();
  });
  const auto update = [this] { m_commands->update(); };
  connect(&m_session.selection(), &views::SelectionContext::selectionChanged, this, update);
  connect(&m_session.queue(), &queue::JobQueue::jobChanged, this, update);
  connect(&m_session.queue(), &queue::JobQueue::queueChanged, this, update);
  connect(&m_session.comparer(), &views::DumpComparer::progressed, this, update);
}

void MainWindow::offerPurpose(ViewPurpose purpose) {
  if (const views::ViewDescriptor* wanted = m_session.registry().findPurpose(purpose)) {
    m_docks->offerView(wanted->id);
  }
}

void MainWindow::raisePurpose(ViewPurpose purpose) {
  const views::ViewDescriptor* wanted = m_session.registry().findPurpose(purpose);
  if (wanted != nullptr && !m_lastSession->isReopening()) {
    m_docks->raiseView(wanted->id);
  }
}

void MainWindow::updateTitle() {
  const views::DocumentPtr& document = m_session.workspace().reports.document();
  const views::StudyDocument& study = m_session.workspace().study;
  QStringList parts;
  if (document) {
    const report::LoadedReport& loaded = document->loaded();
    const QString folder = QString::fromStdString(loaded.folder.filename().string());
    const QString model = QString::fromStdString(loaded.report->model.name);
    parts << (folder.isEmpty() ? model : folder);
  } else if (study.isOpen()) {
    const QString& path = study.content().path;
    parts << (path.isEmpty() ? tr("New study") : QFileInfo(path).fileName());
  }
  parts << QStringLiteral("Ulpscope");
  setWindowTitle(QStringLiteral("[*]") + views::literalTitle(parts.join(QStringLiteral(" – "))));
  setWindowModified(study.isOpen() && study.content().isModified());
}

void MainWindow::childEvent(QChildEvent* event) {
  QMainWindow::childEvent(event);
  if (auto* tabs = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr) {
    tabs->setElideMode(Qt::ElideNone);
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_closeQuestion->mayClose()) {
    event->ignore();
    return;
  }
  m_lastSession->save();
  event->accept();
}

}  // namespace ulp::app
