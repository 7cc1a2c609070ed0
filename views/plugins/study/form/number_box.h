#pragma once

#include <QtWidgets/QAbstractSpinBox>

#include "core/study/schema/schema.h"

namespace ulp::views {

/// The number `steps` steps from `text`, within the key's range. Whole numbers go by one, exact to
/// 64 bits; others by a tenth of what their first digit counts, so that 1e-9 becomes 1.1e-9.
/// Empty: `text` is no number.
[[nodiscard]] QString steppedNumber(const study::Key& key, const QString& text, int steps);

/// A number with the digits that were typed or written, in the notation of YAML whatever the
/// language ("2e-7"). What is no number yet may stay in it: whoever takes the text says so.
class NumberBox final : public QAbstractSpinBox {
  Q_OBJECT

 public:
  NumberBox(const study::Key& key, QWidget* parent);

  /// Emits nothing, and forgets what was typed before.
  void setText(const QString& text);
  /// What an empty box stands for; steps begin there.
  void setFallback(const QString& text);
  /// The user has changed the text since it was set.
  [[nodiscard]] bool isModified() const;
  [[nodiscard]] QLineEdit& line() const { return *lineEdit(); }

  QValidator::State validate(QString& input, int& position) const override;
  void stepBy(int steps) override;

 Q_SIGNALS:
  void stepped();

 protected:
  [[nodiscard]] StepEnabled stepEnabled() const override;

 private:
  [[nodiscard]] QString after(int steps) const;

  const study::Key& m_key;
};

}  // namespace ulp::views
