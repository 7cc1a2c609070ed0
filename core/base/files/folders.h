#pragma once

#include <filesystem>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"

namespace ulp {

/// Makes a folder and those above it that are missing, so that a power loss does not take them away
/// again. Tells whether the folder is new. Error: Io with the path.
[[nodiscard]] Result<bool> makeFolders(const std::filesystem::path& folder);

/// Opens a folder for calls that name files in it; one that may be written but not listed, too,
/// which syncFolder() then passes over. Where the system refuses, errno says why.
[[nodiscard]] FileDescriptor openFolder(const std::filesystem::path& folder);

/// Waits until the names in a folder are on the disk: only then does a file that was made or
/// renamed in it survive a power loss. Returns 0 or an errno.
[[nodiscard]] int syncFolder(int folder);
/// The same by path. Error: Io with the path.
[[nodiscard]] Result<> syncFolder(const std::filesystem::path& folder);

}  // namespace ulp
