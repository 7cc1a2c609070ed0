#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/files/file_writer.h"
#include "core/base/result.h"

namespace ulp {

/// Replaces `path` by `content` so that a reader, a crash or a power loss leaves the old or the new
/// file, never a part of one: as FileWriter does. Errors: Io (no space, no permission) with the
/// path; the old file is then untouched.
[[nodiscard]] Result<> writeFileAtomically(const std::filesystem::path& path,
                                           std::string_view content,
                                           LinkPolicy links = LinkPolicy::Replace);

/// Whole content of a small text file. Errors: those of MappedFile, and InvalidArgument above
/// `limitBytes`.
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path,
                                               std::size_t limitBytes = std::size_t{1} << 30);

/// Renames a file that cannot be used to `<path>.damaged`, or `.damaged-2` and so on where that
/// exists: it is out of the way and nothing is lost. Returns the new path. Errors: NotFound, Io.
[[nodiscard]] Result<std::filesystem::path> setAside(const std::filesystem::path& path);

}  // namespace ulp
