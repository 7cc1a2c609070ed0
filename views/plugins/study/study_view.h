#pragma once

#include <QtCore/QTimer>

#include "core/study/editing/study_edit.h"
#include "core/study/editing/variant_grid.h"
#include "views/framework/tables/row_table_model.h"
#include "views/framework/view/view.h"
#include "views/framework/workspace/study_history.h"
#include "views/plugins/study/study_forecast.h"
#include "views/plugins/study/text/study_check.h"

class QLabel;
class QPushButton;
class QSplitter;
class QTabWidget;
class QTableView;

namespace ulp::views {

class EffectivePanel;
class StudyForm;
class VariantsPanel;
class YamlEditor;

/// The study as a form and as YAML, side by side: each shows the other's changes at once. What is
/// wrong stands at its place and in a list; one click runs it. Where only a report is open, the
/// study that made it, to read.
class StudyView : public View {
  Q_OBJECT

 public:
  explicit StudyView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& /*selection*/) override {}
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;

 private:
  void makePage();
  QWidget* makeHead();
  QWidget* makeText();
  void keepState();
  void connectForm();
  /// Names the GPUs of this machine in the list of devices, when the driver has told them.
  void offerGpus();
  void connectVariants();
  void showStudy();
  void onTyped();
  void onStudyEdited();
  void updateTitle();
  void check();
  void showCheck(const StudyCheckPtr& check);
  void showProblems(const StudyCheck& check);
  void forecast();
  void showForecast(const StudyForecast& forecast);
  void goToProblem(int row);
  void showKeyHelp();
  /// Takes the new text over as one step of the history, or says why there is none.
  void apply(const Result<std::string>& text, const QString& step, const EditMerge& merge = {});
  void setKey(const study::KeyOwner& owner,
              const QString& key,
              const study::YamlNode& value,
              const EditMerge& merge = {});
  void clearKey(const study::KeyOwner& owner, const QString& key);
  void addVariant();
  void duplicateVariant(const QString& name);
  void openGrid();
  void addGrid(std::vector<study::GridVariant> variants);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::vector<std::string> names() const;

  DocumentPtr m_document;
  StudyCheckPtr m_check;
  std::shared_ptr<ForecastCache> m_cache = std::make_shared<ForecastCache>();
  bool m_isReadOnly = true;
  bool m_wasSplit = false;  ///< the user chose how wide form and text are
  int m_visits = 0;         ///< of the form's fields; edits of one visit may be one step
  QTimer m_checkTimer{this};
  QLabel* m_title;
  QLabel* m_estimate;
  QPushButton* m_runButton;
  QPushButton* m_copyButton;  ///< in the place of Run where the study is for reading
  YamlEditor* m_editor;
  QLabel* m_keyHelp;
  StudyForm* m_form;
  VariantsPanel* m_variants;
  EffectivePanel* m_effective;
  QTabWidget* m_tabs;
  QSplitter* m_split;
  RowTableModel<StudyProblem>* m_problems;
  QTableView* m_problemsTable;
  QAction* m_save;
};

}  // namespace ulp::views
