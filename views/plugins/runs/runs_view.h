#pragma once

#include <array>

#include <QtCore/QList>

#include "runner/queue/job_state.h"
#include "views/framework/view/view.h"
#include "views/plugins/runs/run_rows.h"

class QLabel;
class QSplitter;
class QTableView;

namespace ulp::views {

class JobSummary;
class LogPane;

/// The queue of studies, and of the chosen one its runs, its worker and its log.
class RunsView : public View {
  Q_OBJECT

 public:
  explicit RunsView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& /*document*/) override {}
  void setSelection(const Selection& /*selection*/) override {}
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] QList<QAction*> viewActions() const override;

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
    QAction* resumeRest = nullptr;
    QAction* runVariant = nullptr;
    QAction* edit = nullptr;
    QAction* show = nullptr;
    QAction* moveUp = nullptr;
    QAction* moveDown = nullptr;
    QAction* remove = nullptr;
    QAction* copyLog = nullptr;
  };

  void makeActions();
  void connectActions();
  void makePage();
  void setUpTables();
  void keepSizes(const char* key, Qt::Orientation orientation);
  void refresh();
  void refreshJobs();
  void refreshVariants();
  void updateActions();
  void onJobRowChanged();
  void onVariantRowChanged();
  void showVariant(const QModelIndex& index);
  void applySizes();
  [[nodiscard]] queue::JobStatePtr currentJob() const;
  /// The run that a command is about: the chosen one, else the one that goes on; null: none.
  [[nodiscard]] const queue::JobRun* currentRun(const queue::JobState& job) const;

  queue::JobId m_job = 0;  ///< that is shown; 0: none
  QString m_variant;       ///< that the user chose in it; empty: none
  bool m_isRefreshing = false;
  RunsModel* m_jobsModel;
  RunsModel* m_runsModel;
  QTableView* m_jobs;
  QTableView* m_variants;
  JobSummary* m_summary;
  LogPane* m_log;
  QLabel* m_paused;
  QSplitter* m_split;
  std::array<QList<int>, 2> m_sizes;  ///< side by side, one above the other; empty: as they come
  Actions m_actions;
};

}  // namespace ulp::views
