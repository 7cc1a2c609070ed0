#pragma once

#include <filesystem>

#include "core/base/files/file_descriptor.h"
#include "core/base/result.h"

namespace ulp {

/// Opens a file that is changed where it is, to read and write it, with `flags` of open()
/// (O_APPEND, O_CREAT). Its name is ours, but its folder may come from others: a link, a file that
/// has another name as well, and what is no file are refused, so that nothing outside of the folder
/// changes. Errors: InvalidArgument for these, Io; with the path.
[[nodiscard]] Result<FileDescriptor> openInPlace(const std::filesystem::path& path, int flags = 0);

}  // namespace ulp
