#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/remote/hosts/host.h"

namespace ulp::remote {

class Session;

/// Where what lies on hosts is kept here for as long as there is room:
/// $XDG_CACHE_HOME/ulpscope/hosts, or below ~/.cache. Error: NotFound, the user has no home.
[[nodiscard]] Result<std::filesystem::path> hostCacheFolder();

/// Told of each file that is fetched, by its name on the host, and how much of all is here.
using SeeFetched =
    std::function<void(const std::string& name, std::uint64_t bytes, std::uint64_t total)>;

struct FetchOptions {
  std::string program{};          ///< ulpscope-cli on the host
  std::filesystem::path cache{};  ///< empty: hostCacheFolder()
  std::uint64_t mostBytes = std::uint64_t{32} << 30;
  bool wholeDumps = false;  ///< copies their files, for who reads these by himself
  SeeFetched see{};
};

/// Makes what lies on a host readable here, and gives its path: of a run folder, or its report, the
/// folder with all but the tensors, which are fetched when they are read (openCaptures()); of a
/// folder or file that the host reads as a dump a mark, by which dumps::openDump() asks there; any
/// other file or folder as a whole. What is here already and has not changed there is not fetched
/// again. FOLDER#RUN becomes the same of the folder here. Errors: those of a connection; NotFound;
/// Unsupported, it is more than `mostBytes`; Io; Cancelled (currentStop()).
[[nodiscard]] Result<std::filesystem::path> fetch(const Location& location,
                                                  const FetchOptions& options = {});

/// The place on a host that a path below the cache stands for; nothing: none.
[[nodiscard]] std::string placeOnHost(const std::filesystem::path& fetched);

/// Removes what was used longest ago until a folder holds no more than `mostBytes`.
void keepBelow(const std::filesystem::path& folder, std::uint64_t mostBytes);

}  // namespace ulp::remote
