#pragma once

#include <QtWidgets/QWidget>

namespace ulp::app {

/// Covers the window while a file is dragged over it.
class DropOverlay : public QWidget {
  Q_OBJECT

 public:
  explicit DropOverlay(QWidget* parent);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace ulp::app
