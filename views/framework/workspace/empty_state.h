#pragma once

#include <functional>

#include <QtWidgets/QWidget>

class QLabel;
class QPushButton;

namespace ulp::views {

class WindowRequests;

/// What a view shows instead of nothing: what would be here, and the button that brings it.
class EmptyState : public QWidget {
  Q_OBJECT

 public:
  explicit EmptyState(QWidget* parent = nullptr);

  void setText(const QString& title, const QString& text);
  /// No report is open: says so, what would be here, and offers to open one.
  void setNoReport(const QString& text, WindowRequests& requests);
  /// What a click on the button does.
  void setButton(const QString& text, std::function<void()> onClick);
  void hideButton();

 private:
  QLabel* m_title;
  QLabel* m_text;
  QPushButton* m_button;
  std::function<void()> m_onClick;
};

}  // namespace ulp::views
