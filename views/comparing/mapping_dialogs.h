#pragma once

#include <functional>

class QString;
class QWidget;

namespace ulp::views {

/// Asks for a mapping file without blocking; `chosen` gets its path, unless the dialog is dismissed
/// or `parent` goes first.
void askForMapping(QWidget* parent, const std::function<void(const QString& path)>& chosen);

/// Asks in the same way where to write one.
void askWhereToSaveMapping(QWidget* parent, const std::function<void(const QString& path)>& chosen);

}  // namespace ulp::views
