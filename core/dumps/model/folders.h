#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace ulp::dumps {

/// While one is there, the functions here read a folder once, look at a path once, and keep what
/// they saw, for the thread that made it: what is not in a folder that was read is not asked for.
/// Each importer asks for much the same, and folders in a network answer slowly.
class OneLook {
 public:
  OneLook();
  ~OneLook();
  OneLook(const OneLook&) = delete;
  OneLook& operator=(const OneLook&) = delete;

 private:
  bool m_isOuter;
};

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

/// Files below a folder that are looked at to tell what it holds.
inline constexpr std::size_t kMostLookedAt = 2000;

/// Calls `use` with what is below a folder, in any order, until it returns false. Folders that must
/// not be read, or lie more than `deepest` below it, are passed over.
void eachEntry(const std::filesystem::path& folder,
               const std::function<bool(const std::filesystem::directory_entry&)>& use,
               int deepest = std::numeric_limits<int>::max());
/// The same with the regular files alone.
void eachFile(const std::filesystem::path& folder,
              const std::function<bool(const std::filesystem::path&)>& use);

/// Names of the tensors in files of one tensor each: their paths from `root` without extension
/// where `hasFormat` says that it names only the format, but with it where two files would have one
/// name. A `root` that is a file itself has its own name.
[[nodiscard]] std::vector<std::string> namesOfFiles(
    const std::filesystem::path& root,
    const std::vector<std::filesystem::path>& files,
    const std::function<bool(const std::filesystem::path&)>& hasFormat);

/// Whether `a` comes before `b` as a person would sort them: runs of digits count as numbers, so
/// that layers.2 comes before layers.10. Equal numbers of different length ("1", "01") are in the
/// order of their texts.
[[nodiscard]] bool naturallyBefore(std::string_view a, std::string_view b);

}  // namespace ulp::dumps
