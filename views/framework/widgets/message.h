#pragma once

#include <functional>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "core/base/error.h"
#include "core/base/result.h"
#include "views/framework/look/theme.h"

namespace ulp::views {

/// A choice that a message offers.
struct MessageAction {
  QString text;
  std::function<void()> run;
};

/// What happened, where, and what to do. Shown in the message bar, never in a box of its own.
struct Message {
  Severity severity = Severity::Look;
  QString text;
  QString topic{};  ///< a newer message of the same topic replaces the older; empty: none
  std::vector<MessageAction> actions{};
  bool stays = false;  ///< good news, too, until it is taken back: what it says goes on
};

[[nodiscard]] QString errorText(const Error& error);
[[nodiscard]] Message messageOf(const Error& error, const QString& topic = {});

/// Carries what the program says to the user from whoever says it to the message bar. Both signals
/// are emitted by others, on the GUI thread: `messages.raise(messageOf(error, topic))`.
class Messages : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Raises the error of a result, or takes back what was said of the topic. Returns whether there
  /// was no error.
  template <class T>
  bool settle(const Result<T>& result, const QString& topic) {
    if (result) {
      Q_EMIT dismiss(topic);
    } else {
      Q_EMIT raise(messageOf(result.error(), topic));
    }
    return result.has_value();
  }

 Q_SIGNALS:
  void raise(const ulp::views::Message& message);
  /// Takes back what was said of a topic.
  void dismiss(const QString& topic);
};

}  // namespace ulp::views
