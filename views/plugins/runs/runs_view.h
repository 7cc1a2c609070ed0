#pragma once

#include "runner/queue/job_state.h"
#include "views/framework/view.h"
#include "views/plugins/runs/runs_model.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QStackedLayout;
class QTableView;

namespace ulp::views {

class EmptyState;

/// The queue of studies: state, progress and time of every run, with the live log of one job.
class RunsView : public View {
  Q_OBJECT

 public:
  explicit RunsView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] QList<QAction*> viewActions() const override;

 private:
  void makeActions();
  void makePage();
  void refresh();
  void refreshLog();
  void updateActions();
  [[nodiscard]] queue::JobStatePtr currentJob() const;
  void onRowChanged();

  queue::JobId m_job = 0;  ///< whose log is shown; 0: none
  std::uint64_t m_loggedLines = 0;
  queue::JobId m_loggedJob = 0;
  bool m_isRefreshing = false;
  QueueModel* m_model;
  QTableView* m_table;
  QLineEdit* m_logFilter;
  QPlainTextEdit* m_log;
  QAction* m_stop = nullptr;
  QAction* m_retry = nullptr;
  QAction* m_show = nullptr;
  EmptyState* m_empty;
  QWidget* m_page;
  QStackedLayout* m_pages;
};

}  // namespace ulp::views
