#pragma once

#include "views/framework/view/view.h"
#include "views/plugins/experts/router_rows.h"
#include "views/plugins/experts/token_raster.h"

class QLabel;
class QSplitter;
class QTableView;

namespace ulp::views {

class FlipChart;
class NanLastProxy;
namespace charts {
class RasterWidget;
}

/// Which experts the routers of a model choose in each variant beside the reference: by layer, by
/// token, by the margin of the choice, and what that does to the outputs of their blocks.
class ExpertsView : public View {
  Q_OBJECT

 public:
  explicit ExpertsView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;

 protected:
  Sight bringIntoSight() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makePage();
  /// The routers and tokens of the variant that is looked at.
  void showVariant();
  /// Marks the selected router everywhere.
  void showPlace();
  void onPicked(int line, int router);
  void onCellPicked(int row, int column);
  void onRowChosen(const QModelIndex& index);
  void select(const QString& run, const QString& router);
  /// The selected variant where it has routers, else the first one that has; -1: none has.
  [[nodiscard]] int shownVariant() const;
  [[nodiscard]] int shownRouter() const;  ///< place among those of the variant; -1: none

  DocumentPtr m_document;
  Selection m_selection;
  int m_variant = -1;
  bool m_isFollowing = false;
  TokenFlipsPtr m_tokens;
  RouterModel* m_model;
  NanLastProxy* m_proxy;
  QTableView* m_table;
  QLabel* m_headline;
  FlipChart* m_chart;
  charts::RasterWidget* m_raster;
  QSplitter* m_split;
};

}  // namespace ulp::views
