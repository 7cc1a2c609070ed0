#pragma once

#include <optional>
#include <vector>

#include <QtCore/QStringList>

#include "views/framework/view/view.h"
#include "views/plugins/log_probabilities/gap_exhibits.h"

class QLabel;
class QPushButton;
class QSplitter;
class QTabWidget;
class QTableView;

namespace ulp::views {

class EpsilonBox;
class NanLastProxy;
namespace charts {
class HistogramView;
}

/// Log-probabilities of the chosen tokens: every run, or the file of another engine, beside the
/// baseline, what is known as the gap of trainer and sampler; and beside it the losses and clip
/// decisions of the runs.
class LogProbabilitiesView : public View {
  Q_OBJECT

 public:
  explicit LogProbabilitiesView(const ViewContext& context, QWidget* parent = nullptr);
  ~LogProbabilitiesView() override;
  LogProbabilitiesView(const LogProbabilitiesView&) = delete;
  LogProbabilitiesView& operator=(const LogProbabilitiesView&) = delete;

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;

  /// Compares a file of another engine (.safetensors, .npy, .pt, …) with the baseline, too.
  void addFile(const QString& file);

 protected:
  Sight bringIntoSight() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Outcome = Result<GapDataPtr>;

  void makeActions();
  void makePage();
  [[nodiscard]] QWidget* makeHeading();
  [[nodiscard]] QWidget* makeProgressRow();
  void makeTables();

  void load();
  void finishLoading(const Outcome& outcome);
  void compareLogits();
  void showProblem(const Error& error);
  void showGaps();
  void showHeadline();
  void showLosses();
  /// The run that is looked at: the chart and the tokens follow it.
  void showRun();
  void markRun();
  /// Says above the tokens whose they are, or in their place why there are none.
  void nameTokens();
  void showHistogram();
  void showTokens();
  /// By the column that is marked in the header, if any.
  void sortTokens();
  void showToken();
  void followToken();
  [[nodiscard]] bool isOfLogits() const;
  void shareSpace();

  void onRunChosen(const QModelIndex& index);
  void onTokenChosen(const QModelIndex& index);
  void onBinPicked(int bin);
  void selectToken(const TokenRow& row);
  void askForFile();

  [[nodiscard]] const TokenRows& tokenRows() const;
  /// Place in m_data->runs of what is looked at; nothing where no run can be compared.
  [[nodiscard]] std::optional<std::size_t> currentRun() const;
  /// The same of what is chosen, whether it can be compared or not.
  [[nodiscard]] std::optional<std::size_t> chosenRun() const;

  DocumentPtr m_document;
  Selection m_selection;
  QStringList m_files;
  GapDataPtr m_data;
  std::vector<LogitsGap> m_logits;
  TokenOrders m_orders;
  TokenRows m_sorted;                  ///< by a column; null: m_orders counts
  QString m_chosen;                    ///< a file that is looked at in place of the selected run
  std::optional<std::size_t> m_token;  ///< that is looked at
  bool m_isFollowing = false;

  GapModel* m_gaps;
  NanLastProxy* m_gapOrder;
  TokenModel* m_tokens;
  LossModel* m_losses;
  NanLastProxy* m_lossOrder;
  QTableView* m_gapTable;
  QTableView* m_tokenTable;
  QTableView* m_lossTable;
  charts::HistogramView* m_histogram;
  QLabel* m_headline;
  QLabel* m_tokensOf;
  EpsilonBox* m_epsilon;
  QLabel* m_progress;
  QPushButton* m_stop;
  QWidget* m_progressRow;
  QAction* m_worstFirst;
  QAction* m_logScale;
  QAction* m_allRuns;
  QAction* m_open;
  QAction* m_close;
  QSplitter* m_split;
  QSplitter* m_below;
  QWidget* m_gapPage;
  PageStack* m_gapPages = nullptr;    ///< of the tab of the gaps
  PageStack* m_tokenPages = nullptr;  ///< beside the histogram
  QTabWidget* m_tabs;
};

}  // namespace ulp::views
