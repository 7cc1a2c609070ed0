#pragma once

#include <QtCore/QJsonObject>

#include "views/framework/document/selection.h"

namespace ulp::views {

/// A selection as it is written to files of the window: session, bookmarks.
[[nodiscard]] QJsonObject toJson(const Selection& selection);
/// What cannot be read is as in a fresh selection.
[[nodiscard]] Selection selectionFromJson(const QJsonObject& json);

}  // namespace ulp::views
