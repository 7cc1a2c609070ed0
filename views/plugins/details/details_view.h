#pragma once

#include <utility>

#include "views/framework/view/view.h"
#include "views/plugins/details/details_model.h"
#include "views/plugins/details/details_spread.h"

class QFormLayout;
class QLabel;
class QTableView;

namespace ulp::views {

class DumpRecordPane;
class FrozenColumn;

/// Everything that is known of the selected tensor.
class DetailsView : public View {
  Q_OBJECT

 public:
  static constexpr int kDrillLevel = 3;

  explicit DetailsView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;

 protected:
  Sight bringIntoSight() override;

 private:
  void makePage();
  void connectTables();
  void showTensor(int variant, int site);
  /// Brings the selected number into sight, also once its column has got the room that it needs.
  void uncoverNumber();
  void showSpread(int variant, int site);
  /// Makes a table whose object name is the id of its exhibit.
  [[nodiscard]] QTableView* makeNamedTable(QAbstractItemModel* model,
                                           const QString& name,
                                           const char* id);
  [[nodiscard]] QWidget* titled(QLabel* title, QTableView* table);
  void showEmpty();
  void onMetricClicked(const QModelIndex& index);

  DocumentPtr m_document;
  Selection m_selection;
  bool m_columnsStale = true;
  bool m_isNumberWanted = false;  ///< until the user looks elsewhere
  int m_shownSite = -1;
  QString m_shownMetric;
  NoiseRuns m_noise;
  std::pair<int, int> m_shownWorst{-1, -1};  ///< site and variant of the list
  QLabel* m_title;
  QLabel* m_subtitle;
  QFormLayout* m_facts;
  QLabel* m_worstTitle;
  DetailsModel* m_metrics;
  QTableView* m_metricsTable;
  FrozenColumn* m_frozen = nullptr;  ///< of the metrics
  QLabel* m_spreadTitle;
  SpreadModel* m_spread;
  QTableView* m_spreadTable;
  WorstModel* m_worst;
  QTableView* m_worstTable;
  DumpRecordPane* m_record;
};

}  // namespace ulp::views
