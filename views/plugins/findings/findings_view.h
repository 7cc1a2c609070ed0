#pragma once

#include <array>
#include <vector>

#include "views/framework/view/view.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/plugins/findings/finding_rows.h"

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace ulp::views {

class FilterRow;
class FindingPane;
class CauseProver;
class ThresholdPane;

/// What the rules of the analysis found, in order of execution, the first divergence on top.
class FindingsView : public View {
  Q_OBJECT

 public:
  explicit FindingsView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  /// The filter row: in a dock it stands in the title bar.
  [[nodiscard]] QList<QWidget*> titleControls() const override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeActions();
  void makePage();
  FilterRow* makeFilterRow();
  void fitBar();
  void connectTable();
  void fillVariants();
  /// Shows the findings about the selected tensor alone, or all again.
  void filterTensor();
  void showFindings();
  void sayWhyEmpty();
  void sayWhyOneDumpIsClear();
  void clearFindings();
  /// Gives the sentences the room that the other columns leave.
  void stretchFinding();
  void updateCounts();
  void updateActions();
  void askForCause();
  void showPane();
  void followCurrent(int index);
  void showMe();
  void showCause();
  void makeVariant();
  [[nodiscard]] const report::Finding* currentFinding() const;

  DocumentPtr m_document;
  FindingNavigator::Findings m_findings;
  FindingFilter m_filter;
  bool m_isFollowing = false;  ///< the table is being set to what another place shows
  FindingsModel* m_model;
  QTableView* m_table;
  std::array<QToolButton*, 3> m_severities{};
  QComboBox* m_variants;
  FilterRow* m_bar = nullptr;
  std::vector<QToolButton*> m_buttons;  ///< of its actions
  QLabel* m_count;
  QLabel* m_note;  ///< what the findings are about, where that is not what is shown
  QAction* m_showMe = nullptr;
  QAction* m_explain = nullptr;
  QAction* m_cause = nullptr;
  QAction* m_makeVariant = nullptr;
  QAction* m_thresholds = nullptr;
  QAction* m_ofTensor = nullptr;
  FindingPane* m_pane;
  CauseProver& m_prover;
  ThresholdPane* m_thresholdPane;
  QStackedWidget* m_side;
  QSplitter* m_split;
};

}  // namespace ulp::views
