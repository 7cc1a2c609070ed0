#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtGui/QKeySequence>
#include <QtWidgets/QWidget>

#include "views/framework/document/report_document.h"
#include "views/framework/document/selection.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/view/place_mark.h"
#include "views/framework/view/viewpoint.h"

class QAction;

namespace ulp::queue {
class JobQueue;
}

namespace ulp::views {

class Background;
class Bookmarks;
class FindingNavigator;
class ExportJobs;
class PageStack;
class RunLauncher;
class SelectionContext;
class SettingsStore;
class ThemeManager;

struct Workspace;

/// What the window lends to its views. Everything outlives every view.
struct ViewContext {
  Workspace& workspace;
  SelectionContext& selection;
  ThemeManager& themes;
  SettingsStore& settings;
  Background& background;
  queue::JobQueue& queue;
  RunLauncher& runs;
  FindingNavigator& findings;
  ExportJobs& exports;
  Bookmarks& bookmarks;
};

/// What an action of a view shows, and the key that it has while the view has the focus.
struct ActionFace {
  const char* icon = "";  ///< name in resources/icons
  QString text;
  QKeySequence key{};
  QString toolTip{};  ///< empty: the text
};

/// One view of the open report. The window gives it the report and the selection while it can be
/// seen; what the user does in it goes to the SelectionContext and comes back from there.
class View : public QWidget {
  Q_OBJECT

 public:
  explicit View(const ViewContext& context, QWidget* parent = nullptr)
      : QWidget(parent), m_context(context) {}

  /// Null: nothing is open. A newer state of the same report must not move what the user reads.
  virtual void setReport(const DocumentPtr& document) = 0;
  /// Always called after setReport(), and whenever the selection changes.
  virtual void setSelection(const Selection& selection) = 0;
  /// For the title bar of its dock, most used first.
  [[nodiscard]] virtual QList<QAction*> viewActions() const { return m_titleActions; }
  /// Small controls for the title bar; parented to the view.
  [[nodiscard]] virtual QList<QWidget*> titleControls() const { return {}; }
  /// The charts and tables that it shows now.
  [[nodiscard]] virtual std::vector<Exhibit> exhibits() const { return {}; }
  /// How it looks (columns, toggles, zoom): written when the window closes. Values that
  /// restoreState() does not understand are ignored.
  [[nodiscard]] virtual QJsonObject saveState() const;
  virtual void restoreState(const QJsonObject& state);
  /// Where it marks the selected tensor; nothing: nowhere that can be seen now.
  [[nodiscard]] virtual std::optional<PlaceMark> placeMark() const { return std::nullopt; }
  /// Shows the selected tensor, whatever was shown before, and tells which settings that changed.
  /// Emits placeSought(), now or when what is being read has come.
  void seekPlace();
  /// What part of its data it shows. Views that can be linked (ViewDescriptor::hasViewport) say
  /// when it has changed: viewpointChanged() after the user has moved, contentReplaced() where the
  /// data are others.
  [[nodiscard]] virtual Viewpoint viewpoint() const { return {}; }
  /// Shows what a linked view shows, as far as it has that. Changes no selection.
  virtual void follow(const Viewpoint& /*viewpoint*/) {}
  /// What all linked views have to show: axes of these ids reach over it. Empty: not linked.
  virtual void shareExtents(const std::vector<AxisExtent>& /*extents*/) {}

 Q_SIGNALS:
  void viewpointChanged();
  void contentReplaced();
  /// Never Sight::Awaited.
  void placeSought(ulp::views::Sight sight);

 protected:
  [[nodiscard]] const ViewContext& context() const { return m_context; }

  /// Makes `page` what the view shows where there is something to show: until pages().showPage(),
  /// and after showNoReport() and pages().showEmpty(), it says in its place why there is nothing.
  void setPage(QWidget* page);
  /// Needs a page.
  [[nodiscard]] PageStack& pages() const { return *m_pages; }
  /// No report is open; `text` says what would be here.
  void showNoReport(const QString& text);

  /// Changes as little as lets the selected tensor be seen. What it changes of the user's settings
  /// it announces with noteChange().
  virtual Sight bringIntoSight() { return Sight::Absent; }
  /// What was awaited has come: tries again if a place is still being sought.
  void seekFurther();
  /// `what` completes the sentence that the view now shows …; `undo` changes it back.
  void noteChange(const QString& what, std::function<void()> undo);
  /// What can be seen of a rectangle of `part`, in the view; empty: nothing.
  [[nodiscard]] QRect seenOf(const QWidget& part, const QRect& area) const;

  /// Makes an action of the view.
  QAction* makeAction(const ActionFace& face);
  /// Makes one for the title bar, behind those that were made before.
  QAction* makeTitleAction(const ActionFace& face);
  /// Makes a switch there.
  QAction* makeTitleSwitch(const ActionFace& face, bool isOn = false);

  /// Keeps a switch in the state of the view, under a key that stays.
  void keep(const char* key, QAction* toggle);
  /// Keeps anything else there; `restore` gets what stands there, of whatever type, if anything.
  void keep(const char* key,
            std::function<QJsonValue()> save,
            std::function<void(const QJsonValue&)> restore);

  /// Tag of work in the background that is this view's alone: another tab of its kind does not
  /// replace it.
  [[nodiscard]] QString workTag(const char* what) const;

 private:
  struct KeptPart {
    QString key;
    std::function<QJsonValue()> save;
    std::function<void(const QJsonValue&)> restore;
  };

  /// A setting that was changed to show a place.
  struct Change {
    QString what;
    std::function<void()> undo;
  };

  void tellChanges();

  ViewContext m_context;
  PageStack* m_pages = nullptr;
  QList<QAction*> m_titleActions;
  std::vector<KeptPart> m_kept;
  bool m_isSeeking = false;
  std::vector<Change> m_changes;  ///< since seekPlace()
};

}  // namespace ulp::views
