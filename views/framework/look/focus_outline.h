#pragma once

#include <QtCore/QObject>
#include <QtCore/QPointer>

class QWidget;

namespace ulp::views {

/// Outlines what the keyboard is in where that shows nothing by itself: charts, tables without a
/// current cell, texts. Buttons and fields of the style do. Appears once somebody has moved by
/// keys (Qt::WA_KeyboardFocusChange), so that a click draws none. Owned by the window.
class FocusOutline : public QObject {
  Q_OBJECT

 public:
  /// Follows the keyboard in `window`, its docks and its dialogs.
  static void follow(QWidget& window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  explicit FocusOutline(QWidget& window);

  void moveTo(QWidget* focused);

  QWidget& m_window;
  QPointer<QWidget> m_outlined;
  QPointer<QWidget> m_frame;  ///< a child of m_outlined
};

}  // namespace ulp::views
