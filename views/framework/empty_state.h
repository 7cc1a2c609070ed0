#pragma once

#include <QtWidgets/QWidget>

class QLabel;
class QPushButton;

namespace ulp::views {

/// What a view shows instead of nothing: what would be here, and the button that brings it.
class EmptyState : public QWidget {
  Q_OBJECT

 public:
  explicit EmptyState(QWidget* parent = nullptr);

  void setText(const QString& title, const QString& text);
  /// No report is open: says so, what would be here, and offers to open one.
  void setNoReport(const QString& text);
  /// An empty text hides the button.
  void setButton(const QString& text);

 Q_SIGNALS:
  void buttonClicked();

 private:
  QLabel* m_title;
  QLabel* m_text;
  QPushButton* m_button;
};

}  // namespace ulp::views
