#pragma once

#include <QtCore/QTimer>

#include "views/framework/row_table_model.h"
#include "views/framework/view.h"
#include "views/plugins/study/study_check.h"

class QLabel;
class QPlainTextEdit;
class QStackedLayout;
class QTableView;

namespace ulp::views {

class EmptyState;
class YamlHighlighter;

/// The study: its YAML, what is wrong with it, its variants, and the button that runs it. Where
/// only a report is open, the study that made it, to read and to copy into a new one.
class StudyView : public View {
  Q_OBJECT

 public:
  explicit StudyView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] QList<QAction*> viewActions() const override;

 private:
  void makeActions();
  void makePage();
  QWidget* makeSide();
  void showStudy();
  void showText(const QString& text);
  void onEdited();
  void updateTitle();
  void check();
  void showCheck(const StudyCheck& check);
  void goToLine(int line);

  DocumentPtr m_document;
  bool m_isShowing = false;
  QTimer m_checkTimer;
  QLabel* m_title;
  QPlainTextEdit* m_editor;
  YamlHighlighter* m_highlighter;
  QLabel* m_status;
  RowTableModel<StudyProblem>* m_problems;
  QTableView* m_problemsTable;
  RowTableModel<StudyVariant>* m_variants;
  QTableView* m_variantsTable;
  QAction* m_save = nullptr;
  QAction* m_run = nullptr;
  EmptyState* m_empty;
  QWidget* m_page;
  QStackedLayout* m_pages;
};

}  // namespace ulp::views
