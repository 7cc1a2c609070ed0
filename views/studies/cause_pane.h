#pragma once

#include <optional>

#include <QtWidgets/QWidget>

#include "core/analysis/studies/proof.h"
#include "views/framework/exports/exhibit.h"
#include "views/framework/tables/row_table_model.h"
#include "views/framework/view/view.h"
#include "views/studies/cause_prover.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace ulp::views {

using VerdictModel = RowTableModel<analysis::CounterfactualVerdict>;

/// What was changed and how much is equal then; `site`: where the runs differ first.
[[nodiscard]] std::vector<Column<analysis::CounterfactualVerdict>> verdictColumns(
    const QString& site);

/// Why two runs differ: the button that has it proved, how far that is, and the answer with the
/// lines of the study that matter.
class CausePane : public QWidget {
  Q_OBJECT

 public:
  explicit CausePane(const ViewContext& context, QWidget* parent = nullptr);

  /// None: hidden.
  void setQuestion(const std::optional<CauseQuestion>& question);
  /// The runs that were made, once there is an answer.
  [[nodiscard]] std::optional<Exhibit> exhibit() const;

 Q_SIGNALS:
  /// What is shown has become longer or shorter.
  void resized();

 private:
  void makePage();
  void refresh();
  void openOptions();
  void showWork(const CauseState& state);
  void showAnswer(const CauseAnswer* answer);
  void fitTable();

  Background& m_background;
  queue::JobQueue& m_queue;
  ReportSet& m_reports;
  CauseProver& m_prover;
  std::optional<CauseQuestion> m_question;
  CauseAnswerPtr m_answer;
  QPushButton* m_prove;
  QPushButton* m_newFolder;
  QPushButton* m_options;
  QLabel* m_hint;
  QWidget* m_work;
  QLabel* m_progress;
  QProgressBar* m_bar;
  QPushButton* m_stop;
  QWidget* m_found;
  QLabel* m_cause;
  QLabel* m_proved;
  VerdictModel* m_model;
  QTableView* m_table;
  QLabel* m_linesTitle;
  QLabel* m_lines;
  QPushButton* m_open;
};

}  // namespace ulp::views
