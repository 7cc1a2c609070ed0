#pragma once

#include <cstdint>
#include <functional>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "app/gui/window/action_table.h"
#include "core/report/model/dump_origin.h"

class QMainWindow;
class QMenu;

namespace ulp::app {

class Session;
struct SortedPaths;

/// The commands that open, compare and save files, with the dialogs that ask for them, and what
/// happens to files that are dropped on the window.
class FileCommands : public QObject {
  Q_OBJECT

 public:
  FileCommands(QMainWindow& window, ActionTable& actions, Session& session);

  /// Opens run folders, reports, studies and single dumps, and compares several dumps with the
  /// first of them.
  void open(const QStringList& paths);
  /// Asks for a program to record, or shows the one that is recorded.
  void askToRecord();
  void askToSubmit();
  void askForReport();
  void askForReportBeside();
  void askForFolder();
  void askForStudies();
  /// Asks which dumps to compare; what is known already is filled in.
  void askForDumps(const report::DumpOrigin& origin);
  /// Writes the open study; asks for a file where it has none. `saved` is called once it is done.
  void saveStudy(const std::function<void()>& saved = {});
  /// Lists the files and comparisons that were opened lately.
  void fillRecentMenu(QMenu& menu);

 private:
  using UseSorted = std::function<void(const SortedPaths&)>;

  void makeFileActions();
  void makeDumpActions();
  void makeToolActions();
  void acceptDrops();
  void compareDropped(const QStringList& paths);
  /// Opens what is no dump, and goes on with the dumps: a pair is handed to `usePair`.
  void openUnlessPair(const QStringList& paths,
                      const std::function<void(const report::DumpOrigin&)>& usePair);
  /// Looks into the files in the background and hands them on by what they hold.
  void sort(const QStringList& paths, const UseSorted& use);
  /// Compares every dump but the first with the first.
  void compareWithFirst(const QStringList& dumps);
  void addRecentComparisons(QMenu& menu);
  void askForLocation();
  void openPasted();
  /// Says that what lies on a host is on its way, while work of this tag goes on.
  void sayFetching(const QStringList& paths, const QString& tag);
  void saveStudyAs(const std::function<void()>& saved = {});
  void saveStudyTo(const QString& path, const std::function<void()>& saved);
  void saveComparison();

  QMainWindow& m_window;
  ActionTable& m_actions;
  Session& m_session;
  std::uint64_t m_sortings = 0;
};

}  // namespace ulp::app
