#include "app/gui/window/file_commands.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QMimeData>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QInputDialog>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QMenu>

#include "app/gui/dumps/compare_dumps_dialog.h"
#include "app/gui/dumps/dump_side_pane.h"
#include "app/gui/dumps/edit_mapping.h"
#include "app/gui/dumps/fetched_paths.h"
#include "app/gui/dumps/sorted_paths.h"
#include "app/gui/exports/export_dumps.h"
#include "app/gui/exports/export_report.h"
#include "app/gui/session/session.h"
#include "app/gui/start/drop_overlay.h"
#include "app/gui/tools/engine_dialog.h"
#include "app/gui/tools/record_dialog.h"
#include "app/gui/tools/submit_dialog.h"
#include "app/gui/tools/tokenize_dialog.h"
#include "core/comparing/align/dump_sides.h"
#include "core/report/model/one_dump.h"
#include "views/framework/widgets/file_dialog.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::app {

using views::FileWanted;

namespace {

constexpr int kSides = 2;

/// The first two as baseline and candidate; a side without a path is asked for.
report::DumpOrigin originOf(const QStringList& paths) {
  report::DumpOrigin origin;
  if (!paths.isEmpty()) {
    origin.baseline = analysis::parseSide(paths.at(0).toStdString());
  }
  if (paths.size() > 1) {
    origin.candidate = analysis::parseSide(paths.at(1).toStdString());
  }
  return origin;
}

/// The one dump that is open; null: something else is.
const report::DumpOrigin* openDump(const views::ReportSet& reports) {
  const bool isAlone = reports.sources().size() == 1 &&
                       report::isOfOneDump(*reports.sources().front().loaded.report);
  return isAlone ? &*reports.sources().front().loaded.report->dumps : nullptr;
}

QStringList absolutePaths(const QStringList& paths) {
  QStringList absolute;
  for (const QString& path : paths) {
    const bool isPlace = path.startsWith(QLatin1Char(':')) || isOnHost(path);
    absolute << (isPlace ? path : QDir().absoluteFilePath(path));
  }
  return absolute;
}

}  // namespace

FileCommands::FileCommands(QMainWindow& window, ActionTable& actions, Session& session)
    : QObject(&window), m_window(window), m_actions(actions), m_session(session) {
  makeFileActions();
  makeDumpActions();
  makeToolActions();
  acceptDrops();
}

void FileCommands::makeFileActions() {
  views::Workspace& workspace = m_session.workspace();
  m_actions.add({.id = QStringLiteral("file.open"),
                 .text = tr("&Open…"),
                 .toolTip = tr("Open a report or a study"),
                 .icon = QStringLiteral("open"),
                 .shortcuts = {QKeySequence::Open},
                 .handler = [this] { askForReport(); }});
  m_actions.add({.id = QStringLiteral("file.open-folder"),
                 .text = tr("Open &folder…"),
                 .toolTip = tr("Open the folder of a run"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O)},
                 .handler = [this] { askForFolder(); }});
  m_actions.add({.id = QStringLiteral("file.open-location"),
                 .text = tr("Open loca&tion…"),
                 .toolTip = tr("Open a report or a dump on another machine: ssh://host/path"),
                 .handler = [this] { askForLocation(); }});
  m_actions.add({.id = QStringLiteral("file.paste-location"),
                 .text = tr("Open &pasted location"),
                 .toolTip = tr("Open the ssh://host/path that was copied"),
                 .shortcuts = {QKeySequence::Paste},
                 .handler = [this] { openPasted(); }});
  m_actions.add({.id = QStringLiteral("file.new"),
                 .text = tr("&New study"),
                 .toolTip = tr("Make a study from the template"),
                 .icon = QStringLiteral("new"),
                 .shortcuts = {QKeySequence::New},
                 .handler = [&workspace] { workspace.study.openNew(); }});
  m_actions.add({.id = QStringLiteral("file.save"),
                 .text = tr("&Save study"),
                 .toolTip = tr("Save the open study"),
                 .icon = QStringLiteral("save"),
                 .shortcuts = {QKeySequence::Save},
                 .handler = [this] { saveStudy(); }});
  m_actions.add({.id = QStringLiteral("file.save-as"),
                 .text = tr("Save study &as…"),
                 .toolTip = tr("Save the open study under another name"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
                 .handler = [this] { saveStudyAs(); }});
  m_actions.add({.id = QStringLiteral("file.reload"),
                 .text = tr("&Reload report"),
                 .toolTip = tr("Read the open report again"),
                 .icon = QStringLiteral("reload"),
                 .shortcuts = {QKeySequence::Refresh},
                 .handler = [&workspace] { workspace.reports.reload(); }});
  m_actions.add({.id = QStringLiteral("file.export"),
                 .text = tr("&Export report…"),
                 .toolTip = tr("Write the open report as web page, PDF or tables"),
                 .icon = QStringLiteral("export"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)},
                 .handler = [this] { askToExportReport(m_session.context(), &m_window); }});
  m_actions.add({.id = QStringLiteral("file.export-tensors"),
                 .text = tr("E&xport tensors…"),
                 .toolTip = tr("Write the tensors of a run, a dump or a file for other tools"),
                 .handler = [this] { askToExportTensors(m_session.context(), &m_window); }});
  m_actions.add({.id = QStringLiteral("file.quit"),
                 .text = tr("&Quit"),
                 .toolTip = tr("Close the window"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Q)},
                 .handler = [this] { m_window.close(); }});
}

void FileCommands::makeDumpActions() {
  m_actions.add(
      {.id = QStringLiteral("file.compare-dumps"),
       .text = tr("Compare &dumps…"),
       .toolTip = tr("Compare what two runs recorded: %1, or any tensors").arg(recordingTools()),
       .icon = QStringLiteral("compare"),
       .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)},
       .handler = [this] { askForDumps({}); }});
  m_actions.add({.id = QStringLiteral("file.compare-as"),
                 .text = tr("Compare as another too&l…"),
                 .toolTip = tr("Write the files that msprobe or msit would, cell by cell"),
                 .handler = [this] { askToCompareAs(m_session.context(), &m_window); }});
  m_actions.add({.id = QStringLiteral("file.record"),
                 .text = tr("Record a pro&gram…"),
                 .toolTip = tr("Run a PyTorch program as it is, and open what it computes"),
                 .icon = QStringLiteral("record"),
                 .handler = [this] { askToRecord(); }});
  m_actions.add({.id = QStringLiteral("file.save-comparison"),
                 .text = tr("Save co&mparison as…"),
                 .toolTip = tr("Write the comparison of two dumps as a report folder"),
                 .handler = [this] { saveComparison(); }});
  m_actions.add({.id = QStringLiteral("compare.add"),
                 .text = tr("&Add a report to compare…"),
                 .toolTip = tr("Compare the runs of another report with those that are open"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)},
                 .handler = [this] { askForReportBeside(); }});
  m_actions.add({.id = QStringLiteral("compare.mapping"),
                 .text = tr("Edit the &mapping of names…"),
                 .toolTip = tr("Match the names of the two dumps that are compared"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)},
                 .handler = [this] { editMapping(m_session.context(), &m_window); }});
  m_actions.add({.id = QStringLiteral("run.add"),
                 .text = tr("Add &studies to the queue…"),
                 .toolTip = tr("Choose study files; they run one after the other"),
                 .icon = QStringLiteral("add"),
                 .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
                 .handler = [this] { askForStudies(); }});
}

void FileCommands::makeToolActions() {
  m_actions.add({.id = QStringLiteral("run.tokenize"),
                 .text = tr("&Tokenize a text…"),
                 .toolTip = tr("Show the tokens that a model's tokenizer makes of a text"),
                 .handler = [this] {
                   auto* dialog =
                       new TokenizeDialog(m_session.background(), m_session.themes(), &m_window);
                   dialog->setAttribute(Qt::WA_DeleteOnClose);
                   dialog->show();
                 }});
  m_actions.add({.id = QStringLiteral("run.submit"),
                 .text = tr("Submit to Sl&urm…"),
                 .toolTip = tr("Run the open study on a cluster, as tasks of a job array"),
                 .handler = [this] { saveStudy([this] { askToSubmit(); }); }});
  connect(&queue::ClusterWatch::of(m_session.queue()),
          &queue::ClusterWatch::merged,
          this,
          [this](const QString& folder) { open({folder}); });
  m_actions.add({.id = QStringLiteral("run.devices"),
                 .text = tr("&Devices and models…"),
                 .toolTip = tr("Show on which devices studies can run, and which models"),
                 .handler = [this] {
                   auto* dialog = new EngineDialog(m_session.workerProgram(), &m_window);
                   dialog->setAttribute(Qt::WA_DeleteOnClose);
                   dialog->show();
                 }});
}

void FileCommands::acceptDrops() {
  auto* overlay = new DropOverlay(
      m_window, [this] { return m_session.workspace().reports.document() != nullptr; });
  connect(
      overlay, &DropOverlay::dropped, this, [this](DropAction action, const DroppedFiles& files) {
        switch (action) {
          case DropAction::Open:
          case DropAction::Edit:
            openUnlessPair(files.all(), [this](const auto& pair) { askForDumps(pair); });
            break;
          case DropAction::Compare:
            compareDropped(files.reports);
            break;
          case DropAction::Enqueue:
            m_session.runs().enqueueFiles(files.studies);
            break;
        }
      });
}

void FileCommands::open(const QStringList& paths) {
  openUnlessPair(paths,
                 [this](const auto& pair) { m_session.workspace().requests.compareDumps(pair); });
}

void FileCommands::openUnlessPair(const QStringList& paths,
                                  const std::function<void(const report::DumpOrigin&)>& usePair) {
  sort(paths, [this, usePair](const SortedPaths& sorted) {
    if (const QStringList pair = sorted.pair(); !pair.isEmpty()) {
      usePair(originOf(pair));
      return;
    }
    m_session.workspace().open(sorted.others);
    if (sorted.dumps.size() == 1) {
      Q_EMIT m_session.workspace().requests.compareDumps(originOf(sorted.dumps));
    } else if (!sorted.dumps.isEmpty()) {
      compareWithFirst(sorted.dumps);
    }
  });
}

void FileCommands::compareWithFirst(const QStringList& dumps) {
  std::vector<report::DumpOrigin> origins;
  for (qsizetype i = 1; i < dumps.size(); ++i) {
    origins.push_back(originOf({dumps.front(), dumps[i]}));
  }
  Q_EMIT m_session.workspace().requests.compareAll(origins);
}

void FileCommands::compareDropped(const QStringList& paths) {
  sort(paths, [this](const SortedPaths& sorted) {
    if (!sorted.others.isEmpty()) {
      m_session.workspace().reports.openBeside(sorted.others);
    }
    QStringList dumps = sorted.dumps;
    const report::DumpOrigin* open = openDump(m_session.workspace().reports);
    if (open != nullptr && dumps.size() == 1) {
      report::DumpOrigin origin{.baseline = open->baseline};
      origin.candidate = analysis::parseSide(dumps.front().toStdString());
      askForDumps(origin);
    } else if (dumps.size() <= kSides && !dumps.isEmpty()) {
      askForDumps(originOf(dumps));
    } else if (!dumps.isEmpty()) {
      compareWithFirst(dumps);
    }
  });
}

void FileCommands::sort(const QStringList& paths, const UseSorted& use) {
  if (paths.isEmpty()) {
    return;
  }
  // A tag of its own for every request: two files that are opened one after the other are both
  // wanted.
  const QString tag = QStringLiteral("sort-paths/%1").arg(++m_sortings);
  sayFetching(paths, tag);
  m_session.background().run<SortedPaths>(
      tag,
      this,
      [paths = absolutePaths(paths)](const std::stop_token& stop) {
        const FetchedPaths fetched = fetchPaths(paths, stop);
        SortedPaths sorted = sortPaths(fetched.paths, stop);
        sorted.problem = fetched.problem ? fetched.problem : sorted.problem;
        return sorted;
      },
      [this, tag, use](const SortedPaths& sorted) {
        views::Messages& messages = m_session.workspace().messages;
        const QString topic = QStringLiteral("compare-json");
        messages.dismiss(topic);
        messages.dismiss(tag);
        if (sorted.problem) {
          messages.raise(views::messageOf(*sorted.problem, topic));
        }
        use(sorted);
      });
}

void FileCommands::askForDumps(const report::DumpOrigin& origin) {
  auto* dialog = new CompareDumpsDialog(m_session.background(), &m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setRecent(views::recentComparisons(m_session.settings()));
  dialog->setOrigin(origin);
  connect(dialog,
          &CompareDumpsDialog::compareRequested,
          &m_session.workspace().requests,
          &views::WindowRequests::compareAll);
  dialog->open();
}

void FileCommands::askToRecord() {
  auto* dialog = m_window.findChild<RecordDialog*>();
  if (dialog == nullptr) {
    dialog = new RecordDialog(m_session.workerProgram(), &m_window);
    connect(
        dialog, &RecordDialog::recorded, this, [this](const QString& folder) { open({folder}); });
  }
  dialog->QDialog::show();
  dialog->raise();
  dialog->activateWindow();
}

void FileCommands::askToSubmit() {
  auto* dialog = new SubmitDialog(queue::ClusterWatch::of(m_session.queue()),
                                  m_session.workspace().study.content().path,
                                  &m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void FileCommands::askForReport() {
  views::askForFile(
      &m_window,
      {.title = tr("Open a report or a study"),
       .filters = {tr("Reports and studies (*.json *.yaml *.yml)"), tr("All files (*)")}},
      [this](const QString& path) { open({path}); });
}

void FileCommands::askForReportBeside() {
  views::askForFiles(
      &m_window,
      {.title = tr("Add a report to compare"),
       .wanted = FileWanted::Several,
       .filters = {tr("Reports (*.json)"), tr("All files (*)")}},
      [this](const QStringList& paths) { m_session.workspace().reports.openBeside(paths); });
}

void FileCommands::askForStudies() {
  views::askForFiles(&m_window,
                     {.title = tr("Add studies to the queue"),
                      .wanted = FileWanted::Several,
                      .filters = {tr("Studies (*.yaml *.yml)"), tr("All files (*)")}},
                     [this](const QStringList& paths) { m_session.runs().enqueueFiles(paths); });
}

void FileCommands::sayFetching(const QStringList& paths, const QString& tag) {
  for (const QString& path : paths) {
    if (isOnHost(path)) {
      m_session.workspace().messages.raise(
          {.text = tr("Fetching %1. The tensors of a report stay where they are until they are "
                      "looked at.")
                       .arg(path),
           .topic = tag,
           .actions = {{tr("Stop"), [this, tag] {
                          m_session.background().cancel(tag);
                          m_session.workspace().messages.dismiss(tag);
                        }}}});
      return;
    }
  }
}

void FileCommands::askForLocation() {
  auto* dialog = new QInputDialog(&m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName(QStringLiteral("openLocation"));
  dialog->setWindowTitle(tr("Open location"));
  dialog->setLabelText(
      tr("A report, the folder of a run or a dump on another machine, which ssh reaches:"));
  dialog->setTextValue(QStringLiteral("ssh://"));
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
    const QString wanted = text.trimmed();
    open({isOnHost(wanted) ? wanted : QStringLiteral("ssh://") + wanted});
  });
  dialog->open();
}

void FileCommands::openPasted() {
  const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
  const QStringList locations = copied != nullptr ? droppedFiles(*copied).reports : QStringList();
  if (!locations.isEmpty()) {
    open(locations);
    return;
  }
  m_session.workspace().messages.raise(
      {.text = tr("Nothing that could be opened was copied. Copy an address, ssh://host/path, or "
                  "files of the file manager."),
       .topic = QStringLiteral("paste-location")});
}

void FileCommands::askForFolder() {
  views::askForFile(&m_window,
                    {.title = tr("Open the folder of a run"), .wanted = FileWanted::Folder},
                    [this](const QString& path) { open({path}); });
}

void FileCommands::saveStudy(const std::function<void()>& saved) {
  const QString path = m_session.workspace().study.content().path;
  if (path.isEmpty()) {
    saveStudyAs(saved);
  } else {
    saveStudyTo(path, saved);
  }
}

void FileCommands::saveStudyAs(const std::function<void()>& saved) {
  const QString& path = m_session.workspace().study.content().path;
  views::askForFile(&m_window,
                    {.title = tr("Save the study"),
                     .wanted = FileWanted::New,
                     .filters = {tr("Studies (*.yaml *.yml)")},
                     .suggested = path.isEmpty() ? QStringLiteral("study.yaml") : path,
                     .suffix = QStringLiteral("yaml")},
                    [this, saved](const QString& file) { saveStudyTo(file, saved); });
}

void FileCommands::saveStudyTo(const QString& path, const std::function<void()>& saved) {
  m_session.workspace().study.save(path, [this, saved](const Result<>& written) {
    if (m_session.workspace().messages.settle(written, QStringLiteral("save")) && saved) {
      saved();
    }
  });
}

void FileCommands::saveComparison() {
  const views::DocumentPtr& document = m_session.workspace().reports.document();
  const std::vector<std::filesystem::path> ids = m_session.comparer().savable();
  if (!document || ids.empty()) {
    return;
  }
  // Those that are open now, whatever is compared and shown until a folder is chosen.
  views::askForFile(&m_window,
                    {.title = ids.size() == 1 ? tr("Save the comparison as a folder")
                                              : tr("Save the comparisons in a folder"),
                     .wanted = FileWanted::New,
                     .suggested = QString::fromStdString(document->report().model.name)},
                    [this, ids](const QString& path) {
                      const std::filesystem::path folder = path.toStdString();
                      for (const std::filesystem::path& id : ids) {
                        const auto place = ids.size() == 1 ? folder : folder / id.filename();
                        m_session.comparer().saveAs(id, QString::fromStdString(place.string()));
                      }
                    });
}

void FileCommands::fillRecentMenu(QMenu& menu) {
  menu.clear();
  for (const auto& [path, about] : views::recentFilesWithText(m_session.settings())) {
    const bool exists = QFileInfo::exists(path);
    const QString shown = exists ? path : tr("%1 (missing)").arg(path);
    // What stands behind a tab is set apart, as keys are.
    QAction* action = menu.addAction(
        views::literalText(about.isEmpty() ? shown : shown + QLatin1Char('\t') + about),
        this,
        [this, path = path] { open({path}); });
    action->setEnabled(exists);
  }
  addRecentComparisons(menu);
  if (menu.isEmpty()) {
    menu.addAction(tr("Nothing yet"))->setEnabled(false);
  }
}

void FileCommands::addRecentComparisons(QMenu& menu) {
  const std::vector<report::DumpOrigin> recent = views::recentComparisons(m_session.settings());
  if (!recent.empty()) {
    menu.addSeparator();
  }
  const auto add = [&menu, this](const QString& text,
                                 const report::DumpOrigin& origin,
                                 const std::function<void()>& act) {
    QAction* action = menu.addAction(views::literalText(text), this, act);
    action->setToolTip(views::comparisonPaths(origin));
  };
  for (const views::DumpComparer::Closed& closed : m_session.comparer().closed()) {
    add(tr("%1 (not saved)").arg(views::comparisonTitle(closed.origin)),
        closed.origin,
        [this, id = closed.id] { m_session.comparer().show(id); });
  }
  for (const report::DumpOrigin& origin : recent) {
    add(views::comparisonTitle(origin), origin, [this, origin] {
      m_session.workspace().requests.compareDumps(origin);
    });
  }
}

}  // namespace ulp::app
