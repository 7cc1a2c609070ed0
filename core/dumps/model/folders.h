#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::dumps {

/// Whether a regular file is there, or a link to one; false where that cannot be told.
[[nodiscard]] bool isFile(const std::filesystem::path& path);
/// The same of a folder.
[[nodiscard]] bool isFolder(const std::filesystem::path& path);

/// Makes a path absolute, without "..", and without a separator at its end.
[[nodiscard]] std::filesystem::path normalPath(const std::filesystem::path& path);

/// Lists the names in a folder, sorted: the order in which a folder lists its files is not the same
/// everywhere. Empty where it cannot be read.
[[nodiscard]] std::vector<std::string> folderNames(const std::filesystem::path& folder);
/// Lists the folders in a folder whose names begin with `prefix`, sorted.
[[nodiscard]] std::vector<std::filesystem::path> foldersIn(const std::filesystem::path& folder,
                                                           std::string_view prefix = {});

}  // namespace ulp::dumps
