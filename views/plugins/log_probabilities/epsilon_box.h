#pragma once

#include <QtWidgets/QDoubleSpinBox>

namespace ulp::views {

/// A field for ε in nats, from 1e-6 to 100, that writes no zeros behind the last digit.
class EpsilonBox final : public QDoubleSpinBox {
 public:
  explicit EpsilonBox(double value, QWidget* parent = nullptr) : QDoubleSpinBox(parent) {
    constexpr int kDecimals = 6;
    constexpr double kLargest = 100;
    setDecimals(kDecimals);
    setRange(0, kLargest);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setKeyboardTracking(false);
    setValue(value);
  }

 protected:
  [[nodiscard]] QString textFromValue(double value) const override {
    return locale().toString(value, 'g', decimals());
  }
};

}  // namespace ulp::views
