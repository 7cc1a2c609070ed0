#pragma once

#include <QtWidgets/QToolButton>

namespace ulp::views {
class MessageBar;
}

namespace ulp::app {

/// What was said last, at the end of the status bar: a click shows the message again, after it has
/// faded or was closed. Absent while there is nothing to show.
class LastMessage : public QToolButton {
  Q_OBJECT

 public:
  explicit LastMessage(views::MessageBar& messages, QWidget* parent = nullptr);

 private:
  void refresh();

  views::MessageBar& m_messages;
};

}  // namespace ulp::app
