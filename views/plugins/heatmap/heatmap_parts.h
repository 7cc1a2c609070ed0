#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QtCore/QElapsedTimer>
#include <QtWidgets/QWidget>

#include "views/framework/view/view.h"
#include "views/plugins/heatmap/part_errors.h"

class QLabel;
class QPushButton;

namespace ulp::views {

/// Why there is no heatmap, with the button that brings one.
struct HeatmapGap {
  QString title;
  QString text;
  QString button{};  ///< empty: none
  std::function<void()> onClick{};
  bool isBrief = false;  ///< what is shown of the same mode stays meanwhile
};

/// Makes the heatmaps of tokens and heads from kept tensors, column by column in the background,
/// and says above the picture how far it has come.
class HeatmapParts : public QWidget {
  Q_OBJECT

 public:
  /// `kind`: one of charts::rowKinds() for tokens, HeadTensor::id for heads.
  struct Request {
    DocumentPtr document;
    Selection selection;
    HeatmapMode mode = HeatmapMode::Tokens;
    int variant = 0;
    QString kind;
  };

  explicit HeatmapParts(const ViewContext& context, QWidget* parent = nullptr);

  /// Replaces what is being made; made() and missing() follow.
  void request(Request request);
  /// Drops what is being made, without a signal.
  void abandon();
  [[nodiscard]] bool isBusy() const { return m_isBusy; }

 Q_SIGNALS:
  /// More and more columns of the same heatmap.
  void made(const ulp::views::Heatmap& heatmap);
  void missing(const ulp::views::HeatmapGap& gap);

 private:
  /// Finds out which tensors to compare; returns a gap where the report cannot have such parts.
  [[nodiscard]] std::optional<HeatmapGap> findTensors(PartRequest& parts);
  /// Goes on from the columns that there are; a batch at a time, so that the picture fills in.
  void compareNext();
  /// Adds what a batch found, and goes on with the next one.
  void take(PartBatch batch);
  /// Stops comparing and says so; what has been compared stays.
  void stop();
  void onProgressed();
  void showState();
  [[nodiscard]] QString stateText() const;
  /// Says why nothing is shown although all is done.
  [[nodiscard]] HeatmapGap gap() const;

  ViewContext m_context;
  QString m_tag;  ///< of the work of this object alone
  Request m_request;
  charts::DepthAxis m_axis;
  std::shared_ptr<const PartRequest> m_parts;  ///< null: nothing was compared yet
  std::shared_ptr<KeptTensors> m_tensors;
  PartBatch m_results;  ///< but for its tensors; one column for each site from the first on
  bool m_isBusy = false;
  bool m_isShown = false;  ///< columns of this request
  QElapsedTimer m_shownFor;
  QLabel* m_progress;
  QPushButton* m_stop;
};

}  // namespace ulp::views
