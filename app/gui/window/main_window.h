#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <QtWidgets/QMainWindow>

#include "app/gui/session/saved_session.h"
#include "app/gui/session/session.h"
#include "app/gui/window/action_table.h"
#include "views/framework/view/view_host.h"

class QDockWidget;
class QMenu;

namespace ulp::views {
class MessageBar;
class ViewportLink;
}  // namespace ulp::views

namespace ulp::app {

class DockTitle;
class StartPage;
class WindowTools;
struct SortedPaths;

/// The window: views in docks, start page while nothing is open, toolbar, messages, status. It
/// knows views only through the registry.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Session& session, QWidget* parent = nullptr);
  ~MainWindow() override;
  MainWindow(const MainWindow&) = delete;
  MainWindow& operator=(const MainWindow&) = delete;

  /// Geometry, layout and view states of the last session. A damaged file is set aside.
  void restoreSession();
  /// Report, study and selection of the last session, unless the user does not want that.
  void reopenLastSession();
  void saveSession();
  /// Run folders, reports and studies are opened, two dumps compared; for one dump the dialog asks
  /// for the other.
  void open(const QStringList& paths);
  /// Writes the open study; asks for a file where it has none.
  void saveStudy(const std::function<void()>& saved = {});
  /// Asks for a file first.
  void saveStudyAs(const std::function<void()>& saved = {});
  /// Brings a view up and gives it the focus.
  void raiseView(const QString& id);

  [[nodiscard]] views::ViewHost* host(const QString& id) const;
  [[nodiscard]] const ActionTable& actions() const { return m_actions; }
  [[nodiscard]] views::MessageBar& messages() { return *m_messages; }
  [[nodiscard]] WindowTools& tools() { return *m_tools; }
  [[nodiscard]] views::ViewportLink& link() { return *m_link; }
  [[nodiscard]] bool isStartPageShown() const;

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  struct Place {
    views::ViewDescriptor descriptor;
    QDockWidget* dock = nullptr;
    DockTitle* title = nullptr;
    views::ViewHost* host = nullptr;
  };

  void makeFileActions();
  void makeDumpActions();
  void makeEditActions();
  void makeRunActions();
  void makeNavigationActions();
  void makeCompareActions();
  void makeTabActions();
  void makeLayoutActions();
  void makeLayoutMenu();
  /// The views of a layout in their places, the others out of sight.
  void arrange(views::ViewLayout layout);
  /// Docks have reached their places: views that can be seen come to life.
  void finishArranging();
  void askToSaveLayout();
  void saveLayout(const QString& name);
  void applyLayout(const QString& name);
  void makeBookmarkActions();
  /// Another tab of a view behind the first one, so that it can be locked or put beside it. Null:
  /// there is no such view.
  const Place* addTab(const QString& id);
  /// Another tab beside the first one, with linked zoom.
  void addTabBeside(const QString& id);
  void toggleLink();
  [[nodiscard]] QStringList addedTabs() const;
  void restoreTabs(const QStringList& tabs);
  /// Exactly these of the added tabs, made where they are missing.
  void showTabs(const QStringList& tabs);
  /// The place that has the focus, else that of the first view of the report; null: none.
  [[nodiscard]] const Place* currentPlace() const;
  void makeFindingActions();
  void makeMenus();
  void makeFileMenu();
  void makeViewMenu();
  void makeGoMenu();
  void makeHelpMenu();
  void makeToolBar();
  void makeMessageBar();
  void makeDocks();
  void makeDock(const views::ViewDescriptor& descriptor);
  void connectSession();
  void connectStartPage();
  void updateRecent();
  void connectDocuments();
  void makeDropOverlay();
  void arrangeDocks(views::ViewLayout layout = views::ViewLayout::Analyse);
  void updateDockTitles();
  void showWorkspace();
  void showStartPage();
  void raisePurpose(views::ViewPurpose purpose);
  /// Shows the tab of a view without bringing it to the front.
  void offerView(const QString& id);
  void offerPurpose(views::ViewPurpose purpose);
  void updateActions();
  void updateTitle();
  void fillRecentMenu(QMenu& menu);
  void addRecentComparisons(QMenu& menu);
  void openDropped(const QStringList& paths);
  void compareDropped(const QStringList& paths);
  using UseSorted = std::function<void(const SortedPaths&)>;
  /// Looks into the files in the background and hands them on by what they hold.
  void openSorted(const QStringList& paths, const UseSorted& use);
  /// askForDumps() with the first two of them; says which others were left out. None: nothing.
  void askForOtherDump(const QStringList& dumps);
  /// Asks which dumps to compare; what is known already is filled in.
  void askForDumps(const report::DumpOrigin& origin);
  void saveComparison();
  void askForFile();
  void askForReportBeside();
  void saveStudyTo(const QString& path, const std::function<void()>& saved);
  void askForFolder();
  void stopRunning();
  /// What closing the window would end or lose of what runs and waits; empty: nothing.
  [[nodiscard]] QString workQuestion() const;
  /// What it would lose of what the user has edited; empty: nothing.
  [[nodiscard]] QString editsQuestion() const;
  void askForStudies();
  /// What waits in the queue, as it is kept for the next session.
  [[nodiscard]] std::vector<queue::JobRequest> waitingRequests() const;
  /// Puts back what waited when the last session ended; the queue is paused until the user says go.
  void restoreQueue(const std::vector<queue::JobRequest>& waiting);
  void setTheme(views::ThemeChoice choice);
  /// True when the window may close now; otherwise a question is on the screen.
  [[nodiscard]] bool confirmClose();
  void askBeforeClosing(const QString& text,
                        const QString& proceed,
                        const std::function<void()>& accepted);

  Session& m_session;
  ActionTable m_actions;
  std::vector<Place> m_places;
  StartPage* m_start;
  views::MessageBar* m_messages;
  views::ViewportLink* m_link;
  WindowTools* m_tools;
  QMenu* m_viewMenu = nullptr;
  SavedSession m_saved;
  bool m_isArranging = false;
  bool m_isReopening = false;
  std::uint64_t m_sortedPaths = 0;  ///< requests to openSorted()
  bool m_runStopConfirmed = false;
  bool m_discardConfirmed = false;
};

}  // namespace ulp::app
