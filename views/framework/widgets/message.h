#pragma once

#include <functional>
#include <vector>

#include <QtCore/QString>

#include "core/base/error.h"
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
};

[[nodiscard]] QString errorText(const Error& error);
[[nodiscard]] Message messageOf(const Error& error, const QString& topic = {});

}  // namespace ulp::views
