#pragma once

#include <QtWidgets/QWidget>

namespace ulp::views {

class YamlEditor;

/// Line numbers beside the text, and the sign of a problem in its line.
class EditorMargin : public QWidget {
  Q_OBJECT

 public:
  explicit EditorMargin(YamlEditor& editor);

  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  YamlEditor& m_editor;
};

}  // namespace ulp::views
