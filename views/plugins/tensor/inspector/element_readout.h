#pragma once

#include <optional>
#include <vector>

#include <QtWidgets/QWidget>

#include "core/analysis/tensors/bit_pattern.h"
#include "core/analysis/tensors/tensor_pair.h"
#include "core/report/tables/data_table.h"
#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views {

/// An element of a pair, with everything that is said of it.
struct ElementFacts {
  std::vector<std::int64_t> index;
  double reference = 0;
  double variant = 0;
  double difference = 0;  ///< b − a
  double relative = 0;
  double ulp = 0;  ///< NaN where it says nothing
  DType referenceType = DType::Float32;
  DType variantType = DType::Float32;
  analysis::BitPattern referenceBits;
  analysis::BitPattern variantBits;
  analysis::DifferingBits differing;
  bool isOne = false;  ///< A and B are one tensor
};

/// `flat` is below the count of the pair.
[[nodiscard]] ElementFacts factsOf(const analysis::TensorPair& pair,
                                   std::int64_t flat,
                                   std::vector<std::int64_t> index);
/// "1 10000010 0110…": sign, exponent and mantissa apart.
[[nodiscard]] QString bitText(const analysis::BitPattern& pattern);

/// The element under the cursor and the selected one beside each other, with the bits of both
/// tensors: sign, exponent and mantissa apart, those that differ marked.
class ElementReadout : public QWidget {
  Q_OBJECT

 public:
  explicit ElementReadout(QWidget* parent = nullptr);

  void setTheme(const Theme& theme);
  void setCursorElement(const std::optional<ElementFacts>& facts);
  void setSelectedElement(const std::optional<ElementFacts>& facts);

  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const;
  [[nodiscard]] report::DataTable table() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void describe();
  void paintValues(QPainter& painter, const QRectF& area, const Theme& theme) const;
  void paintBits(QPainter& painter, const QRectF& area, const Theme& theme) const;

  Theme m_theme;
  std::optional<ElementFacts> m_cursor;
  std::optional<ElementFacts> m_selected;
};

}  // namespace ulp::views
