#pragma once

#include <QtWidgets/QLabel>

namespace ulp::views {

/// Makes a label for text of any length and origin: wrapped, plain, and to be selected and copied.
[[nodiscard]] inline QLabel* makeTextLabel(QWidget* parent = nullptr) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setWordWrap(true);
  return label;
}

}  // namespace ulp::views
