#pragma once

#include <optional>
#include <vector>

#include "core/base/error.h"
#include "views/framework/view/view.h"
#include "views/plugins/dump/dump_rows.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace ulp::views {

class FindingLine;

/// A dump that is compared with none: the calls of one of its units in order of execution, with
/// what was recorded of every tensor, and what to look at first above them.
class DumpView : public View {
  Q_OBJECT

 public:
  static constexpr int kDrillLevel = 2;

  explicit DumpView(const ViewContext& context, QWidget* parent = nullptr);
  ~DumpView() override;

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;

  /// Nothing is being read or sought in the background.
  [[nodiscard]] bool isSettled() const;
  [[nodiscard]] const DumpModel& model() const { return *m_model; }

 protected:
  Sight bringIntoSight() override;

 private:
  void makePage();
  [[nodiscard]] QWidget* makeFilterRow();
  void addRowActions();
  void fillUnits();
  /// Reads the selected unit unless it is shown.
  void read();
  void showDump(const Result<DumpTablePtr>& table);
  void showWrongReport();
  void query();
  void showLines(std::vector<DumpLine> lines);
  void showSelection();
  void showFindings();
  void fitLines();
  void updateCount();
  void onCurrentChanged(const QModelIndex& index);
  void compareWith();
  [[nodiscard]] DumpQuery wantedQuery() const;
  [[nodiscard]] int selectedRow() const;

  DocumentPtr m_document;
  Selection m_selection;
  std::optional<CaptureOrigin> m_place;  ///< of the selected run; nothing: it is none of one dump
  QString m_run;                         ///< that is read or shown
  DumpTablePtr m_dump;
  DumpModel* m_model;
  QTableView* m_table;
  QComboBox* m_units;
  QLineEdit* m_filter;
  QToolButton* m_notFinite;
  QLabel* m_count;
  FindingLine* m_overflow;
  FindingLine* m_further;  ///< of whatever else was found
  int m_sortColumn = -1;
  Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
  bool m_isReading = false;
  bool m_isQuerying = false;
  bool m_isFollowing = false;  ///< the selection, rather than the user
  bool m_columnsFitted = false;
};

}  // namespace ulp::views
