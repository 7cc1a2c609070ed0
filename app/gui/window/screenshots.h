#pragma once

#include <QtCore/QSize>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include "core/base/result.h"

namespace ulp::app {

class MainWindow;
class Session;

/// Waits until nothing is loading, then writes window.png, <view>.png for every registered view,
/// and pictures of the command palette, the shortcuts and the settings to `dir`. Returns the files.
/// Errors: Io with the path.
[[nodiscard]] Result<QStringList> writeScreenshots(Session& session,
                                                   MainWindow& window,
                                                   const QString& dir,
                                                   const QSize& size);

}  // namespace ulp::app
