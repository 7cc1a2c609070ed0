#pragma once

#include <vector>

#include <QtWidgets/QWidget>

#include "core/analysis/tensors/dimension_names.h"
#include "core/analysis/tensors/tensor_slice.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ulp::views {

/// Which part of an n-dimensional tensor is looked at: the dimensions of rows and columns, a
/// position in each of the others, or the slice as NumPy writes it.
class SliceBar : public QWidget {
  Q_OBJECT

 public:
  explicit SliceBar(QWidget* parent = nullptr);

  /// Another tensor; the slice is whole again.
  void setTensor(const std::vector<std::int64_t>& shape,
                 const std::vector<analysis::Dimension>& names);
  /// Shows a slice and the plane that is drawn of it, without emitting anything.
  void setPlane(const analysis::TensorPlane& plane);
  /// Marks the text as no slice of this tensor and says why; empty: it is one.
  void setProblem(const QString& problem);
  [[nodiscard]] QString dimensionName(int dimension) const;
  [[nodiscard]] QLineEdit& text() const { return *m_text; }
  [[nodiscard]] QComboBox& rows() const { return *m_rows; }
  [[nodiscard]] QComboBox& columns() const { return *m_columns; }
  /// Of dimensions that are neither rows nor columns; null: the dimension has none.
  [[nodiscard]] QSpinBox* position(int dimension) const;

 Q_SIGNALS:
  void sliceEdited(const QString& slice);
  void axesEdited(const ulp::analysis::PlaneAxes& axes);

 private:
  void fillAxes(QComboBox& box, int current, bool withFolded);
  void rebuildPositions();
  void onPosition(int dimension, int position);
  void onAxes();

  std::vector<std::int64_t> m_shape;
  std::vector<analysis::Dimension> m_names;
  analysis::TensorPlane m_plane;
  QComboBox* m_rows;
  QComboBox* m_columns;
  QWidget* m_axes;
  QWidget* m_positions;
  std::vector<QSpinBox*> m_spins;  ///< one a dimension, null where it has none
  QLineEdit* m_text;
  QLabel* m_problem;
};

}  // namespace ulp::views
