#pragma once

#include <optional>

#include <QtCore/QElapsedTimer>

#include "views/framework/document/tensor_pair_source.h"
#include "views/framework/view/view.h"
#include "views/plugins/tensor/inspector/reading_bar.h"
#include "views/plugins/tensor/inspector/tensor_inspector.h"
#include "views/plugins/tensor/pictures/slice_bar.h"
#include "views/plugins/tensor/pictures/tensor_panes.h"

class QActionGroup;
class QLabel;
class QLineEdit;
class QSplitter;

namespace ulp::views {

/// The selected tensor element by element: reference, variant and their difference as pictures,
/// with read-out, worst elements, and how the values are distributed.
class TensorView : public View {
  Q_OBJECT

 public:
  static constexpr int kDrillLevel = 4;

  explicit TensorView(const ViewContext& context, QWidget* parent = nullptr);
  ~TensorView() override;
  TensorView(const TensorView&) = delete;
  TensorView& operator=(const TensorView&) = delete;

  void setReport(const DocumentPtr& document) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] std::vector<Exhibit> exhibits() const override;
  [[nodiscard]] Viewpoint viewpoint() const override;
  void follow(const Viewpoint& viewpoint) override;
  void shareExtents(const std::vector<AxisExtent>& extents) override;
  /// The selected element where it is seen, else the whole picture of the tensor.
  [[nodiscard]] std::optional<PlaceMark> placeMark() const override;

  [[nodiscard]] bool showsTensor() const;
  /// Pictures or statistics are being read.
  [[nodiscard]] bool isReading() const { return m_reading->isReading(); }

 protected:
  Sight bringIntoSight() override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;

 private:
  void makeActions();
  void makeQuantities();
  void makePage();
  [[nodiscard]] QWidget* makeTopBar();
  void connectParts();
  void showProblem(const TensorPairProblem& problem);
  /// The study of the report can be opened, if it lies beside it.
  void offerStudy();
  void showPair(const analysis::TensorPairPtr& pair);
  /// Of a tensor that is compared with none there is one picture, and no difference.
  void showAsOne(bool isOne);
  void applySlice();
  void applyElement();
  void hover(const std::optional<analysis::PlanePoint>& at);
  void showCursor(const std::optional<analysis::PlanePoint>& at);
  [[nodiscard]] std::optional<analysis::PlanePoint> placeOf(
      const std::vector<std::int64_t>& element) const;
  /// A locked view shows another tensor or slice than the window's selection.
  [[nodiscard]] bool showsWindowSelection() const;
  void readProfilesAt(const std::optional<analysis::PlanePoint>& at);
  void goTo(const std::vector<std::int64_t>& index);
  void onElementField();
  [[nodiscard]] std::vector<analysis::Dimension> dimensions() const;
  /// Nothing: it is on another machine yet.
  [[nodiscard]] std::optional<ElementFacts> factsAt(std::int64_t flat) const;
  /// Brings an element from another machine, and shows it.
  void fetchElement(std::int64_t flat);

  DocumentPtr m_document;
  Selection m_selection;
  bool m_isRequested = false;  ///< the source was asked for this selection's tensor
  bool m_isAwaited = false;    ///< and has not answered yet
  analysis::TensorPairPtr m_pair;
  std::optional<analysis::TensorPlane> m_plane;
  analysis::PlaneAxes m_axes;
  std::optional<analysis::PlanePoint> m_selected;
  std::vector<std::int64_t> m_cursor;  ///< element under the mouse; empty: none
  analysis::Quantity m_beforeBlink = analysis::Quantity::Reference;
  analysis::Quantity m_chosen = analysis::Quantity::AbsoluteDifference;  ///< of a pair
  bool m_isOne = false;                                                  ///< showAsOne()
  QWidget* m_quantityButtons = nullptr;
  QAction* m_quad = nullptr;
  QAction* m_blink = nullptr;
  QElapsedTimer m_blinkHeld;

  TensorPairSource* m_source;
  QActionGroup* m_quantities;
  SliceBar* m_slices;
  QLineEdit* m_elementField;
  TensorPanes* m_panes;
  TensorInspector* m_inspector;
  QSplitter* m_split;
  QLabel* m_sample;
  ReadingBar* m_reading;
};

}  // namespace ulp::views
