#pragma once

#include "views/framework/view/view.h"
#include "views/plugins/config_diff/config_rows.h"

class QLabel;
class QLineEdit;
class QStackedLayout;
class QTableView;

namespace ulp::views {

class EmptyState;

/// What every run was configured with, side by side, and who set it.
class ConfigDiffView : public View {
  Q_OBJECT

 public:
  explicit ConfigDiffView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  /// The filter row: in a dock it stands in the title bar.
  [[nodiscard]] QList<QWidget*> titleControls() const override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] QJsonObject saveState() const override;
  void restoreState(const QJsonObject& state) override;

 private:
  void makePage();
  void showRows();
  void showEmpty(const QString& title, const QString& text);
  void onCurrentChanged(const QModelIndex& index);
  void showRun();

  DocumentPtr m_document;
  ConfigTable m_configuration;
  QString m_run;  ///< selected
  bool m_isFollowing = false;
  ConfigModel* m_model;
  QTableView* m_table;
  QWidget* m_bar = nullptr;
  QLineEdit* m_filter;
  QLabel* m_count;
  QAction* m_differences;
  EmptyState* m_empty;
  QWidget* m_page;
  QStackedLayout* m_pages;
};

}  // namespace ulp::views
