#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "views/framework/view/view.h"
#include "views/plugins/compare/correspondence.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace ulp::views {

class EmptyState;

/// The reports that are open, and how the tensors of each correspond to those of the first one:
/// what only one of two has, and the rules and pairs by which names are matched.
class CompareView : public View {
  Q_OBJECT

 public:
  explicit CompareView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& /*selection*/) override {}
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;

 private:
  QWidget* makeLists();
  QWidget* makeMapping();
  void connectParts();
  void showReports();
  /// Computes and shows the correspondence of the chosen report.
  void refresh();
  void showCorrespondence(Correspondence found);
  void forgetCorrespondence();
  void sayWhatIsMissing();
  void updateButtons();
  [[nodiscard]] std::size_t chosen() const;  ///< in the open reports; 0: none to compare
  [[nodiscard]] const analysis::SiteMapping& mapping() const;
  void setMapping(analysis::SiteMapping mapping);
  void addRule();
  void pairChosen();
  void acceptSuggestions();
  void removeRow();
  void askToLoad();
  void askToSave();
  /// `of`: the report whose mapping it becomes, whatever is chosen when it has been read.
  void load(const QString& path, const std::filesystem::path& of);
  void save(const QString& path, const std::string& yaml);
  void setMappingOf(const std::filesystem::path& file, analysis::SiteMapping mapping);

  DocumentPtr m_document;
  std::shared_ptr<const OpenReports> m_shown;  ///< whose correspondence is on the screen
  std::filesystem::path m_listed;  ///< the chosen report, which the lists are about; empty: none
  Correspondence m_found;
  ReportModel* m_reports;
  TensorListModel* m_onlyFirst;
  TensorListModel* m_onlyOther;
  MappingModel* m_mapping;
  QTableView* m_reportTable;
  QTableView* m_firstTable;
  QTableView* m_otherTable;
  QTableView* m_mappingTable;
  QLabel* m_headline;
  QLabel* m_firstTitle;
  QLabel* m_otherTitle;
  QLineEdit* m_match;
  QLineEdit* m_replace;
  QPushButton* m_addRule;
  QPushButton* m_pair;
  QPushButton* m_accept;
  QPushButton* m_remove;
  QAction* m_add;
  QAction* m_close;
  QAction* m_load;
  QAction* m_save;
  QWidget* m_details;   ///< below the reports; hidden where the first is chosen
  EmptyState* m_alone;  ///< in its place
};

}  // namespace ulp::views
