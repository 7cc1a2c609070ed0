#include <functional>
#include <utility>

#include <QtCore/QDir>
#include <QtGui/QAction>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMenu>

#include "app/gui/dumps/compare_dumps_dialog.h"
#include "app/gui/dumps/recording_tools.h"
#include "app/gui/dumps/sorted_paths.h"
#include "app/gui/window/main_window.h"
#include "core/comparing/align/dump_sides.h"
#include "views/framework/widgets/message_bar.h"
#include "views/framework/workspace/recent_comparisons.h"

namespace ulp::app {
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

QStringList absolutePaths(const QStringList& paths) {
  QStringList absolute;
  for (const QString& path : paths) {
    absolute << (path.startsWith(QLatin1Char(':')) ? path : QDir().absoluteFilePath(path));
  }
  return absolute;
}

}  // namespace

void MainWindow::makeDumpActions() {
  m_actions.add(
      {.id = QStringLiteral("file.compare-dumps"),
       .text = tr("Compare &dumps…"),
       .toolTip = tr("Compare what two runs recorded: %1, or any tensors").arg(recordingTools()),
       .icon = QStringLiteral("compare"),
       .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D)},
       .handler = [this] { askForDumps({}); }});
  m_actions.add({.id = QStringLiteral("file.save-comparison"),
                 .text = tr("Save co&mparison as…"),
                 .toolTip = tr("Write the comparison of two dumps as a report folder"),
                 .icon = {},
                 .shortcuts = {},
                 .handler = [this] { saveComparison(); }});
  const views::DumpComparer& comparer = m_session.comparer();
  connect(&comparer, &views::DumpComparer::progressed, this, &MainWindow::updateActions);
}

void MainWindow::askForDumps(const report::DumpOrigin& origin) {
  auto* dialog = new CompareDumpsDialog(m_session.background(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setRecent(views::recentComparisons(m_session.settings()));
  dialog->setOrigin(origin);
  connect(dialog,
          &CompareDumpsDialog::compareRequested,
          &m_session.workspace(),
          &views::Workspace::compareDumps);
  dialog->open();
}

void MainWindow::saveComparison() {
  const views::DocumentPtr& document = m_session.workspace().document();
  const std::filesystem::path id = m_session.comparer().savable();
  if (!document || id.empty()) {
    return;
  }
  auto* dialog = new QFileDialog(this, tr("Save the comparison as a folder"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(QFileDialog::AnyFile);
  dialog->selectFile(QString::fromStdString(document->report().model.name));
  // The one that is open now, whatever is compared and shown until a folder is chosen.
  connect(dialog, &QFileDialog::fileSelected, this, [this, id](const QString& path) {
    m_session.comparer().saveAs(id, path);
  });
  dialog->open();
}

void MainWindow::open(const QStringList& paths) {
  openSorted(paths, [this](const SortedPaths& sorted) {
    if (const QStringList pair = sorted.pair(); !pair.isEmpty()) {
      m_session.workspace().compareDumps(originOf(pair));
    } else {
      m_session.workspace().openTogether(sorted.others);
      askForOtherDump(sorted.dumps);
    }
  });
}

void MainWindow::openDropped(const QStringList& paths) {
  openSorted(paths, [this](const SortedPaths& sorted) {
    if (const QStringList pair = sorted.pair(); !pair.isEmpty()) {
      askForDumps(originOf(pair));
    } else {
      m_session.workspace().openTogether(sorted.others);
      askForOtherDump(sorted.dumps);
    }
  });
}

void MainWindow::compareDropped(const QStringList& paths) {
  openSorted(paths, [this](const SortedPaths& sorted) {
    if (!sorted.others.isEmpty()) {
      m_session.workspace().openBeside(sorted.others);
    }
    askForOtherDump(sorted.dumps);
  });
}

void MainWindow::askForOtherDump(const QStringList& dumps) {
  if (dumps.isEmpty()) {
    return;
  }
  askForDumps(originOf(dumps));
  const QString topic = QStringLiteral("dumps-left-out");
  m_session.workspace().dismiss(topic);
  if (const QStringList left = dumps.mid(kSides); !left.isEmpty()) {
    m_session.workspace().raise({.severity = views::Severity::Look,
                                 .text = tr("Two dumps are compared at a time. Left out: %1")
                                             .arg(left.join(QStringLiteral(", "))),
                                 .topic = topic,
                                 .actions = {}});
  }
}

void MainWindow::openSorted(const QStringList& paths, const UseSorted& use) {
  if (paths.isEmpty()) {
    return;
  }
  // A tag of its own for every request: two files that are opened one after the other are both
  // wanted.
  m_session.background().run<SortedPaths>(
      QStringLiteral("sort-paths/%1").arg(++m_sortedPaths),
      this,
      [paths = absolutePaths(paths)](const std::stop_token& stop) {
        return sortPaths(paths, stop);
      },
      [this, use](const SortedPaths& sorted) {
        const QString topic = QStringLiteral("compare-json");
        m_session.workspace().dismiss(topic);
        if (sorted.problem) {
          m_session.workspace().raise(views::messageOf(*sorted.problem, topic));
        }
        use(sorted);
      });
}

void MainWindow::addRecentComparisons(QMenu& menu) {
  const std::vector<report::DumpOrigin> recent = views::recentComparisons(m_session.settings());
  if (!recent.empty()) {
    menu.addSeparator();
  }
  const auto add = [&menu, this](const QString& text,
                                 const report::DumpOrigin& origin,
                                 const std::function<void()>& act) {
    QAction* action = menu.addAction(text, this, act);
    action->setToolTip(QStringLiteral("%1\n%2").arg(views::sideText(origin.baseline),
                                                    views::sideText(origin.candidate)));
  };
  for (const views::DumpComparer::Closed& closed : m_session.comparer().closed()) {
    add(tr("%1 (not saved)").arg(views::comparisonTitle(closed.origin)),
        closed.origin,
        [this, id = closed.id] { m_session.comparer().show(id); });
  }
  for (const report::DumpOrigin& origin : recent) {
    add(views::comparisonTitle(origin), origin, [this, origin] {
      m_session.workspace().compareDumps(origin);
    });
  }
}

}  // namespace ulp::app
