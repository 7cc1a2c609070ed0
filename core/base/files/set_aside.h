#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace ulp {

/// Renames a file that cannot be used to `<path>.damaged`, or `.damaged-2` and so on where that
/// exists: it is out of the way and nothing is lost. Returns the new path. Errors: NotFound, Io.
[[nodiscard]] Result<std::filesystem::path> setAside(const std::filesystem::path& path);

}  // namespace ulp
