#include "core/remote/install/installation.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include "core/base/files/mapped_file.h"
#include "core/base/files/plugin_library.h"
#include "core/base/list_of.h"
#include "core/base/stop_pace.h"
#include "core/base/text/shell_quoted.h"
#include "core/base/text/visible_text.h"
#include "core/remote/ssh/ssh_process.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInstalled = "ulpscope-installed";
constexpr std::string_view kNotInstalled = "ulpscope-refused: ";
constexpr int kInstallGlanceMs = 50;
constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16;

/// Writes as much as goes through, and closes the input behind the last.
void writeSome(std::span<const std::byte>& left, SshProcess& ssh) {
  const ssize_t size = ::write(ssh.input(), left.data(), std::min(kWrittenAtOnce, left.size()));
  // Where nobody reads any more, what was said tells why.
  left = size < 0 && errno != EAGAIN && errno != EINTR
             ? std::span<const std::byte>()
             : left.subspan(size > 0 ? static_cast<std::size_t>(size) : 0);
  if (left.empty()) {
    ssh.closeInput();
  }
}

/// What is said on the host until it ends, while it is given these bytes.
Result<std::string> answerTo(std::span<const std::byte> left, SshProcess& ssh, int wake) {
  std::string said;
  while (true) {
    if (currentStop().stop_requested()) {
      return stopped();
    }
    std::array<pollfd, 3> waiting{{{ssh.output(), POLLIN, 0},
                                   {left.empty() ? -1 : ssh.input(), POLLOUT, 0},
                                   {wake, POLLIN, 0}}};
    ::poll(waiting.data(), waiting.size(), kInstallGlanceMs);
    ssh.readMessages();
    if (waiting[2].revents != 0) {
      return stopped();
    }
    if (waiting[1].revents != 0) {
      writeSome(left, ssh);
    }
    std::array<char, 4096> piece{};
    const ssize_t size =
        waiting[0].revents == 0 ? -1 : ::read(ssh.output(), piece.data(), piece.size());
    if (size == 0) {
      return said;
    }
    said.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  }
}

}  // namespace

std::string_view ownVersion() {
  return ULP_VERSION;
}

Result<fs::path> findArchive() {
  const std::string name = fmt::format("ulpscope-headless-{}-linux-x86_64.tar.xz", ULP_VERSION);
  std::vector<fs::path> places = installedAt("ULP_HEADLESS", name, "share/ulpscope");
  for (const fs::path& place : places) {
    std::error_code missing;
    if (fs::is_regular_file(place, missing)) {
      return place;
    }
  }
  return fail(
      ErrorCode::NotFound,
      fmt::format(
          "{}: was not found ({}); `make packages` makes it; name it with "
          "--install-from",
          name,
          fmt::join(listOf(places, [](const fs::path& each) { return each.string(); }), ", ")));
}

std::string installScript(std::string_view version) {
  // Says in one line what is wrong; leaves nothing of an attempt that failed.
  return fmt::format(
      "no() {{ echo \"{1}$1\"; rm -rf \"$t\"; exit 1; }}\n"
      "umask 022\n"
      "d=${{XDG_DATA_HOME:-$HOME/.local/share}}/ulpscope\n"
      "mkdir -p \"$d\" || no \"$d: no folder can be made\"\n"
      "t=$(mktemp -d \"$d/.install-XXXXXX\") || no \"$d: no folder can be made in it\"\n"
      "command -v xz >/dev/null || no \"there is no xz; install xz-utils\"\n"
      "xz -dc | tar -xf - -C \"$t\" || no \"the bundle cannot be unpacked: is the disk full?\"\n"
      "set -- \"$t\"/*/bin/ulpscope-cli\n"
      "[ -x \"$1\" ] || no \"the bundle holds no bin/ulpscope-cli\"\n"
      "v=$(\"$1\" --version 2>&1) || no \"its ulpscope-cli does not run there: $v\"\n"
      "[ \"$v\" = \"ulpscope-cli {0}\" ] || no \"the bundle is of another version: $v\"\n"
      "f=${{1%/bin/ulpscope-cli}}\n"
      "if [ -e \"$d/{0}\" ]; then mv \"$d/{0}\" \"$t/.old\" || no \"$d/{0}: is in the way\"; fi\n"
      "mv \"$f\" \"$d/{0}\" || no \"$d/{0}: cannot be made\"\n"
      "rm -rf \"$t\"\n"
      "echo {2}\n",
      version,
      kNotInstalled,
      kInstalled);
}

Result<> install(const Host& host, const InstallOptions& options) {
  const fs::path archive = options.archive.empty() ? ULP_TRY(findArchive()) : options.archive;
  const auto file = ULP_TRY(MappedFile::open(archive));
  const auto ssh = ULP_TRY(SshProcess::start(
      host, "exec sh -c " + shellQuoted(installScript(ULP_VERSION)), Packing::AsItIs));
  const std::string said = ULP_TRY(answerTo(file->bytes(), *ssh, options.wake));
  ULP_TRY(file->checkIntact());
  if (said.find(kInstalled) != std::string::npos) {
    return {};
  }
  const std::size_t at = said.rfind(kNotInstalled);
  if (at == std::string::npos) {
    return tl::unexpected(ssh->problem());
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("{}: {}: {}",
                          host.destination,
                          archive.string(),
                          visibleText(said.substr(at + kNotInstalled.size()))));
}

}  // namespace ulp::remote
