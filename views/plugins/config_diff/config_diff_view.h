#pragma once

#include "views/framework/view/view.h"
#include "views/plugins/config_diff/config_rows.h"

class QLabel;
class QLineEdit;
class QTableView;

namespace ulp::views {

/// What every run was configured with, side by side, and who set it.
class ConfigDiffView : public View {
  Q_OBJECT

 public:
  explicit ConfigDiffView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  /// The filter row: in a dock it stands in the title bar.
  [[nodiscard]] QList<QWidget*> titleControls() const override { return {m_bar}; }
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;

 private:
  void makePage();
  void showRows();
  void onCurrentChanged(const QModelIndex& index);
  void showRun();

  DocumentPtr m_document;
  ConfigTable m_configuration;
  QString m_run;  ///< selected
  bool m_isFollowing = false;
  ConfigModel* m_model;
  QTableView* m_table;
  QLineEdit* m_filter;
  QLabel* m_count;
  QAction* m_differences;
  QWidget* m_bar;
};

}  // namespace ulp::views
