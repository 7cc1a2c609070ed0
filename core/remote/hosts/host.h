#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

/// Other machines, and what runs or lies there.
namespace ulp::remote {

/// Another machine, as the user's OpenSSH knows it: `name`, `user@name`, an alias of its
/// configuration, or `ssh://user@name:port`.
struct Host {
  std::string destination;

  bool operator==(const Host&) const = default;
};

/// Reads what a user wrote. Error: InvalidArgument for what ssh would take for an option, or no
/// name of a machine can be.
[[nodiscard]] Result<Host> parseHost(std::string_view text);

/// A file or folder on another machine.
struct Location {
  Host host;
  std::string path;  ///< from the root, or from the home there: "runs/tiny"; empty: the home
};

/// Whether a text is meant as such a place: it begins with ssh://.
[[nodiscard]] bool isLocation(std::string_view text);
/// Reads `ssh://[user@]name[:port]/path`; `/~/path` begins in the home. Error: InvalidArgument.
[[nodiscard]] Result<Location> parseLocation(std::string_view text);
/// Writes it as parseLocation() reads it.
[[nodiscard]] std::string toText(const Location& location);

}  // namespace ulp::remote
