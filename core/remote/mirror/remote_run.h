#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/remote/hosts/host.h"

namespace ulp::remote {

/// What of a run folder is here, and what is on a host: `remote.json` beside the report. A folder
/// may come from others, and must not choose where this user logs in and what is started there:
/// the file names a record of this user's, below ~/.local/share/ulpscope/remotes, which counts.
struct RemoteRun {
  Host host;
  std::string program{};  ///< ulpscope-cli there; empty: looked for
  std::string folder{};   ///< of the results there
  std::string job{};      ///< of a study that was started from here; empty: somebody else made it
  std::string sent{};     ///< digest of what the newest attempt was started with; empty: not known
  int attempt = 0;        ///< the newest one of which all that belongs here has come
};

inline constexpr std::string_view kRemoteFile = "remote.json";

/// Whether a folder has a part on a host.
[[nodiscard]] bool isRemoteRun(const std::filesystem::path& folder);
/// Errors: NotFound, also where this user has no record of it; CorruptData with the path.
[[nodiscard]] Result<RemoteRun> readRemoteRun(const std::filesystem::path& folder);
/// Error: Io.
[[nodiscard]] Result<> writeRemoteRun(const std::filesystem::path& folder, const RemoteRun& run);

/// The same of a dump on a host, of which nothing is here but such a file.
inline constexpr std::string_view kRemoteDumpFile = "remote_dump.json";
[[nodiscard]] bool isRemoteDump(const std::filesystem::path& folder);
/// Errors: those of readRemoteRun().
[[nodiscard]] Result<RemoteRun> readRemoteDump(const std::filesystem::path& folder);
/// Error: Io.
[[nodiscard]] Result<> writeRemoteDump(const std::filesystem::path& folder, const RemoteRun& dump);

}  // namespace ulp::remote
