#pragma once

#include <optional>

#include <QtWidgets/QWidget>

#include "views/framework/widgets/message.h"

class QVBoxLayout;

namespace ulp::views {

class MessageRow;

/// Shows the two newest messages over the lower right corner of a window, newest first, each with
/// its actions, a copy button and a close button. Good news fades; problems stay until they are
/// closed, and where there are more than two the older ones wait. Being an overlay it moves nothing
/// and makes no window larger. Lives on the GUI thread, owned by the window that it lies over.
class MessageBar : public QWidget {
  Q_OBJECT

 public:
  /// `floor`: the part of `over` that stays uncovered, with all that lies below it; null: none.
  explicit MessageBar(QWidget* over, QWidget* floor = nullptr);

  void show(const Message& message);
  /// Takes back what was said of a topic.
  void dismiss(const QString& topic);
  /// Shows the error of a result, or takes back what was said of the topic; returns whether there
  /// was none.
  template <class T>
  bool settle(const Result<T>& result, const QString& topic) {
    if (result) {
      dismiss(topic);
    } else {
      show(messageOf(result.error(), topic));
    }
    return result.has_value();
  }
  void clear();
  /// Returns the number of messages that are shown or wait.
  [[nodiscard]] int count() const;

  /// Returns what was said last, also after it has faded; nothing where it was taken back or one of
  /// its actions was chosen.
  [[nodiscard]] const std::optional<Message>& last() const { return m_last; }
  /// Shows the last message again, unless it can be seen.
  void showLast();

  void setSeverityColors(const Theme& theme);

 Q_SIGNALS:
  void lastChanged();

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addRow(const Message& message);
  void addAction(MessageRow& row, const MessageAction& action);
  [[nodiscard]] MessageRow& rowAt(int index) const;
  void removeRow(MessageRow& row);
  void setLast(std::optional<Message> message);
  /// Shows the newest rows and hides the others.
  void arrange();
  void place();

  QWidget* m_floor;
  QVBoxLayout* m_rows;
  Theme m_theme;
  std::optional<Message> m_last;
  MessageRow* m_lastRow = nullptr;  ///< of m_last; null: gone
};

}  // namespace ulp::views
