#pragma once

#include <memory>

#include "views/framework/view/view.h"
#include "views/plugins/bit_by_bit/difference_rows.h"

class QComboBox;
class QLabel;
class QTableView;

namespace ulp::views {

class CausePane;
class CauseProver;

/// Two runs of the open reports number by number: where they differ first, what still agreed there,
/// what becomes of it, and, once it is proved, why.
class BitByBitView : public View {
  Q_OBJECT

 public:
  explicit BitByBitView(const ViewContext& context, QWidget* parent = nullptr);

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  /// The two choosers: in a dock they stand in the title bar.
  [[nodiscard]] QList<QWidget*> titleControls() const override { return {m_bar}; }
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;

 private:
  void makePage();
  void fillChoosers();
  /// The run that a chooser names; its first entry follows the selection.
  [[nodiscard]] QString chosen(const QComboBox& chooser, const QString& followed) const;
  [[nodiscard]] QString followedVariant() const;
  void compare();
  /// Unless an older state of the same runs is shown.
  void showProgress(double fraction);
  void startComparing(const QString& baseline, const QString& candidate);
  void receive(const Result<ComparedPairPtr>& compared);
  void show(const ComparedPairPtr& compared);
  void goTo(const report::Comparison& row);
  void selectCurrent();
  void followSite();

  CauseProver& m_prover;
  DocumentPtr m_document;
  QString m_asked;  ///< the pair that was asked for last, baseline first; empty: none
  QString m_shown;  ///< the one of m_compared
  ComparedPairPtr m_compared;
  bool m_isFollowing = false;  ///< widgets are being set to what was chosen elsewhere
  QWidget* m_bar;
  QComboBox* m_first;
  QComboBox* m_second;
  QLabel* m_heading;
  QLabel* m_notes;
  QLabel* m_account;
  CausePane* m_cause;
  DifferenceModel* m_model;
  QTableView* m_table;
};

}  // namespace ulp::views
