#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ulp {

/// What names of files and folders end in that are not complete yet.
inline constexpr std::string_view kUnfinishedSuffix = ".ulp-part";

/// What a folder of such a name holds where the only copy of a user's files is in it: it is never
/// removed.
inline constexpr std::string_view kReplacedName = "old";

/// Makes a name that nobody can foresee for `name` while it is not complete:
/// ".report.json.k3v2x0qabcde.ulp-part". Never longer than a file system takes.
[[nodiscard]] std::string unfinishedName(std::string_view name);
/// Whether `entry` is such a name, of `name` where that is not empty.
[[nodiscard]] bool isUnfinishedName(std::string_view entry, std::string_view name = {});

/// Marks what was just made as `name` in `folder` as being written for as long as `fd` is open.
/// False: somebody is removing it. Where the file system knows no locks, nobody ever does.
[[nodiscard]] bool markUnfinished(int fd, int folder, const std::string& name);

/// Removes what programs that are gone left in `folder` of `name`, or of anything. What a program
/// is writing stays, and so do links, and all that unfinishedName() did not name.
void removeUnfinished(const std::filesystem::path& folder, std::string_view name = {});

}  // namespace ulp
