#pragma once

#include <QtCore/QTimer>
#include <QtWidgets/QFrame>

#include "views/framework/widgets/message.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace ulp::views {

/// One message of a MessageBar: glyph, text, actions, copy, close. Good news ends by itself after
/// five seconds, unless the pointer or the keyboard is in it. A row that was withdrawn is an empty
/// place: it takes in the second click of a double click, which would press what lies below.
class MessageRow : public QFrame {
  Q_OBJECT

 public:
  MessageRow(const Message& message, const Theme& theme, QWidget* parent);

  [[nodiscard]] bool isOf(const QString& topic) const { return m_topic == topic; }
  [[nodiscard]] bool isWithdrawn() const { return m_isWithdrawn; }

  QPushButton* addAction(const QString& text);
  void setColors(const Theme& theme);
  /// Makes the row an empty place, which ends when the pointer leaves it, or after a second.
  void withdraw();

 Q_SIGNALS:
  void closed();  ///< by its close button
  void ended();   ///< faded, or withdrawn and left: it can go

 protected:
  void showEvent(QShowEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  QToolButton* addButton(const char* icon, const QString& name);
  void fade();

  Severity m_severity;
  QString m_topic;
  bool m_fades;
  bool m_isWithdrawn = false;
  QLabel* m_glyph;
  QHBoxLayout* m_layout;
  int m_actionPlace;  ///< in the layout: before the buttons of every message
  QTimer m_timer;
};

}  // namespace ulp::views
