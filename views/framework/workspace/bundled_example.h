#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace ulp::views {

/// Tells whether a report is the example that the program brings: inside the program, or unpacked
/// by this or another version.
[[nodiscard]] bool isExample(const std::filesystem::path& file);

/// Unpacks the example into a folder of the user's cache that is named after its content, and
/// returns its report there. Each file appears at once and whole; those that are there stay, with
/// the bookmarks beside them. Reads and writes megabytes; any thread. Errors: Io with the path.
[[nodiscard]] Result<std::filesystem::path> unpackExample();

}  // namespace ulp::views
