#pragma once

#include <optional>
#include <stop_token>

#include <QtCore/QStringList>

#include "core/base/error.h"

namespace ulp::app {

/// Whether a path is that of a file or folder on another machine: ssh://host/path.
[[nodiscard]] bool isOnHost(const QString& path);

struct FetchedPaths {
  QStringList paths{};  ///< each where it can be read here; those that could not be are left out
  std::optional<Error> problem{};  ///< why one is left out
};

/// Has what lies on other machines copied to where it can be read (remote::fetch()): not on the GUI
/// thread.
[[nodiscard]] FetchedPaths fetchPaths(const QStringList& paths, const std::stop_token& stop);

}  // namespace ulp::app
