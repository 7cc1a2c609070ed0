#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace ulp::app {

/// The folder for sockets of this user, which nobody else can enter: $XDG_RUNTIME_DIR, where that
/// is the user's own and closed to others; else `ulpscope-UID` in the folder of temporary files,
/// made where it is missing. Errors: Io, where somebody else has made that, or it cannot be made.
[[nodiscard]] Result<std::filesystem::path> runtimeFolder();

}  // namespace ulp::app
