#pragma once

#include "views/framework/view/view.h"
#include "views/plugins/table/table_order.h"
#include "views/plugins/table/tensor_table_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace ulp::views {

class ReportRules;

/// Every tensor with every metric: filter, sort, choose columns, copy.
class TableView : public View {
  Q_OBJECT

 public:
  static constexpr int kDrillLevel = 2;

  explicit TableView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  void restoreState(const QJsonObject& state) override;
  /// The rows that the filter leaves, in the order and with the columns that are shown.
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;

 protected:
  Sight bringIntoSight() override;

 private:
  void makePage();
  QWidget* makeFilterRow();
  QWidget* makeHint();
  void makeColumnMenu();
  void setUpHeader();
  [[nodiscard]] TableQuery wantedQuery() const;
  void query();
  void showRows(TableRows rows);
  /// Of the selected tensor in the selected variant; -1: it is not among them.
  [[nodiscard]] int selectedRow() const;
  void showSelection();
  void showMetric();
  void showVerdicts();
  void updateRulesColumn();
  void updateCount();
  void updateHint();
  void addRowActions();
  [[nodiscard]] bool showsSeveralVariants() const;
  void updateVariantColumn();
  void fillColumnMenu();
  [[nodiscard]] QStringList hiddenColumns() const;
  [[nodiscard]] std::vector<int> shownColumns() const;
  void applyHiddenColumns();
  void onCurrentChanged(const QModelIndex& index);

  DocumentPtr m_document;
  RuleVerdictsPtr m_verdicts;  ///< of the document; null: none
  Selection m_selection;
  std::optional<TableQuery> m_shownQuery;
  TableQuery m_pendingQuery;
  bool m_pending = false;      ///< rows are being sorted or filtered in the background
  bool m_isFollowing = false;  ///< the table is being set to the selection
  bool m_columnsFitted = false;
  std::size_t m_total = 0;
  std::optional<Error> m_problem;  ///< why the filter could not be asked
  bool m_ofNamedVariants = false;  ///< the filter says which variants are shown
  int m_shownMetric = -1;          ///< beside which its interval stands
  QStringList m_hidden;            ///< titles are translated, so columns are known by id
  int m_sortColumn = -1;
  Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
  ReportRules& m_rules;
  TensorTableModel* m_model;
  QTableView* m_table;
  QLineEdit* m_filter;
  QToolButton* m_regex;
  QComboBox* m_scope;
  QToolButton* m_columns;
  QLabel* m_count;
  QWidget* m_hint;  ///< below the filter: why it finds nothing
  QLabel* m_hintText;
  QToolButton* m_asExpression;  ///< takes the words for a regular expression
};

}  // namespace ulp::views
