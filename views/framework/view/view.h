#pragma once

#include <vector>

#include <QtCore/QJsonObject>
#include <QtCore/QList>
#include <QtWidgets/QWidget>

#include "views/framework/document/report_document.h"
#include "views/framework/document/selection.h"
#include "views/framework/exports/exhibit.h"
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
  [[nodiscard]] virtual QList<QAction*> viewActions() const { return {}; }
  /// Small controls for the title bar; parented to the view.
  [[nodiscard]] virtual QList<QWidget*> titleControls() const { return {}; }
  /// The charts and tables that it shows now.
  [[nodiscard]] virtual std::vector<Exhibit> exhibits() const { return {}; }
  /// How it looks (columns, toggles, zoom): written when the window closes. Values that
  /// restoreState() does not understand are ignored.
  [[nodiscard]] virtual QJsonObject saveState() const { return {}; }
  virtual void restoreState(const QJsonObject& /*state*/) {}
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

 protected:
  [[nodiscard]] const ViewContext& context() const { return m_context; }
  /// Tag of work in the background that is this view's alone: another tab of its kind does not
  /// replace it.
  [[nodiscard]] QString workTag(const char* what) const {
    return QStringLiteral("%1-%2").arg(QLatin1String(what)).arg(reinterpret_cast<quintptr>(this));
  }

 private:
  ViewContext m_context;
};

}  // namespace ulp::views
