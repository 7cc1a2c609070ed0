#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ulp::dumps {

/// Files below a folder that are looked at to tell what it holds.
inline constexpr std::size_t kMostLookedAt = 2000;

/// Calls `use` with the regular files below a folder, in any order, until it returns false. Folders
/// that must not be read are passed over.
void eachFile(const std::filesystem::path& folder,
              const std::function<bool(const std::filesystem::path&)>& use);

/// Names of the tensors in files of one tensor each: their paths from `root` without extension
/// where `hasFormat` says that it names only the format, but with it where two files would have one
/// name. A `root` that is a file itself has its own name.
[[nodiscard]] std::vector<std::string> namesOfFiles(
    const std::filesystem::path& root,
    const std::vector<std::filesystem::path>& files,
    const std::function<bool(const std::filesystem::path&)>& hasFormat);

}  // namespace ulp::dumps
