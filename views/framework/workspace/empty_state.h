#pragma once

#include <functional>

#include <QtWidgets/QStackedLayout>
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

/// Shows a page, or in its place why there is nothing on it. The page is not shown at first.
class PageStack : public QStackedLayout {
  Q_OBJECT

 public:
  /// The layout of `parent`.
  PageStack(QWidget* parent, QWidget* page);

  void showPage() { setCurrentIndex(1); }
  [[nodiscard]] bool showsPage() const { return currentIndex() == 1; }
  /// `button`: brings what is missing; empty: nothing can.
  void showEmpty(const QString& title,
                 const QString& text,
                 const QString& button = {},
                 std::function<void()> onClick = {});
  /// As EmptyState::setNoReport().
  void showNoReport(const QString& text, WindowRequests& requests);

  [[nodiscard]] EmptyState& empty() const { return *m_empty; }
  [[nodiscard]] QWidget& page() const { return *widget(1); }

 private:
  EmptyState* m_empty;
};

}  // namespace ulp::views
