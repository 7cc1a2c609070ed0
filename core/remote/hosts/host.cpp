#include "core/remote/hosts/host.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/text/visible_text.h"

namespace ulp::remote {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr std::string_view kOfHome = "~/";

/// Letters of names, addresses, users (DOMAIN\user), ports, and bytes of UTF-8.
bool isOfHost(char c) {
  constexpr std::string_view kOthers = "._-@:[]%+\\/";
  const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return isLetter || static_cast<unsigned char>(c) >= 0x80 ||
         kOthers.find(c) != std::string_view::npos;
}

}  // namespace

Result<Host> parseHost(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}': {}; name a machine as ssh does: name, user@name or an alias of "
                            "~/.ssh/config",
                            visibleText(text),
                            why));
  };
  std::string_view name = text;
  const bool isAddress = name.starts_with(kScheme);
  if (isAddress) {
    name.remove_prefix(kScheme.size());
  }
  if (isAddress && name.ends_with('/')) {
    name.remove_suffix(1);
  }
  constexpr std::size_t kLongest = 512;
  if (name.empty() || name.size() > kLongest) {
    return refuse("no name of a machine");
  }
  // What begins so is an option of ssh, wherever ssh looks for one.
  const std::size_t at = name.rfind('@');
  const std::string_view machine = at == std::string_view::npos ? name : name.substr(at + 1);
  if (text.starts_with('-') || name.starts_with('-') || machine.starts_with('-')) {
    return refuse("a name does not begin with a dash");
  }
  if (machine.empty() || name.starts_with('@') || !std::ranges::all_of(name, isOfHost) ||
      name.find('/') != std::string_view::npos) {
    return refuse("no name of a machine");
  }
  return Host{isAddress ? fmt::format("{}{}", kScheme, name) : std::string(name)};
}

bool isLocation(std::string_view text) {
  return text.starts_with(kScheme);
}

Result<Location> parseLocation(std::string_view text) {
  if (!isLocation(text)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}': begins with no ssh://", visibleText(text)));
  }
  const std::size_t slash = text.find('/', kScheme.size());
  Location location{.host = ULP_TRY(parseHost(text.substr(0, slash)))};
  // A name alone is what the configuration of ssh may know; an address has to be one of ssh.
  const std::string_view name = std::string_view(location.host.destination).substr(kScheme.size());
  if (name.find(':') == std::string_view::npos) {
    location.host.destination = std::string(name);
  }
  std::string_view path = slash == std::string_view::npos ? std::string_view() : text.substr(slash);
  if (path.find('\0') != std::string_view::npos) {
    return fail(ErrorCode::InvalidArgument, "ssh://: a path holds no zero byte");
  }
  if (path.size() > 1 && path.substr(1).starts_with(kOfHome)) {
    path.remove_prefix(1 + kOfHome.size());
  } else if (path == "/~") {
    path = {};
  }
  location.path = std::string(path);
  return location;
}

std::string toText(const Location& location) {
  const std::string_view name = location.host.destination;
  const std::string host =
      name.starts_with(kScheme) ? std::string(name) : fmt::format("{}{}", kScheme, name);
  return location.path.starts_with('/') ? host + location.path
                                        : fmt::format("{}/{}{}", host, kOfHome, location.path);
}

}  // namespace ulp::remote
