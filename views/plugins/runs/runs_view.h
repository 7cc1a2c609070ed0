#pragma once

#include <array>

#include "runner/queue/job_state.h"
#include "views/framework/view/view.h"
#include "views/plugins/runs/job_rows.h"
#include "views/plugins/runs/run_rows.h"

class QLabel;
class QSplitter;
class QStackedLayout;
class QTableView;

namespace ulp::views {

class EmptyState;
class JobSummary;
class LogPane;

/// The queue of studies, and of the chosen one its runs, its worker and its log.
class RunsView : public View {
  Q_OBJECT

 public:
  explicit RunsView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] QList<QAction*> viewActions() const override;
  [[nodiscard]] QJsonObject saveState() const override;
  void restoreState(const QJsonObject& state) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  /// What can be done, with its icon; in the title bar, a context menu, or both.
  struct Actions {
    QAction* pause = nullptr;
    QAction* add = nullptr;
    QAction* stop = nullptr;
    QAction* skip = nullptr;
    QAction* resume = nullptr;
    QAction* runVariant = nullptr;
    QAction* edit = nullptr;
    QAction* show = nullptr;
    QAction* moveUp = nullptr;
    QAction* moveDown = nullptr;
    QAction* remove = nullptr;
    QAction* copyLog = nullptr;
  };

  QAction* makeAction(const QString& icon, const QString& text, const QString& toolTip);
  void makeActions();
  void connectActions();
  void connectQueueActions();
  void makePage();
  void setUpJobs();
  void setUpVariants();
  void refresh();
  void refreshJobs();
  void refreshVariants();
  void updateActions();
  void updatePaused();
  void onJobRowChanged();
  void onVariantRowChanged();
  void showVariant(const QModelIndex& index);
  void arrange();
  void applySizes();
  [[nodiscard]] queue::JobStatePtr currentJob() const;
  /// The run that a command is about: the chosen one, else the one that goes on; null: none.
  [[nodiscard]] const queue::JobRun* currentRun(const queue::JobState& job) const;

  queue::JobId m_job = 0;  ///< that is shown; 0: none
  QString m_variant;       ///< that the user chose in it; empty: none
  bool m_isRefreshing = false;
  JobsModel* m_jobsModel;
  RunsModel* m_runsModel;
  QTableView* m_jobs;
  QTableView* m_variants;
  JobSummary* m_summary;
  LogPane* m_log;
  QLabel* m_paused;
  QSplitter* m_split;
  std::array<QList<int>, 2> m_sizes;  ///< side by side, one above the other; empty: as they come
  Actions m_actions;
  EmptyState* m_empty;
  QWidget* m_page;
  QStackedLayout* m_pages;
};

}  // namespace ulp::views
