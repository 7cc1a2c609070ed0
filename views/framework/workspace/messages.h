#pragma once

#include <QtCore/QObject>

#include "views/framework/widgets/message.h"

namespace ulp::views {

/// Carries what the program says to the user from whoever says it to the message bar. Both signals
/// are emitted by others, on the GUI thread: `messages.raise(messageOf(error, topic))`.
class Messages : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

 Q_SIGNALS:
  void raise(const ulp::views::Message& message);
  /// Takes back what was said of a topic.
  void dismiss(const QString& topic);
};

}  // namespace ulp::views
