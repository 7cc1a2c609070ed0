#pragma once

#include <QtWidgets/QWidget>

#include "views/framework/widgets/message.h"

class QVBoxLayout;

namespace ulp::views {

/// Shows up to three messages, newest first, each with its actions, a copy button and a close
/// button. Takes no space while it is empty.
class MessageBar : public QWidget {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void show(const Message& message);
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
  [[nodiscard]] int count() const;

  void setSeverityColors(const Theme& theme);

 Q_SIGNALS:
  void countChanged();

 private:
  void removeRow(QWidget* row);

  static constexpr int kMaxMessages = 3;

  QVBoxLayout* m_rows;
  Theme m_theme;
};

}  // namespace ulp::views
