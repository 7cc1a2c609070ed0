#include "core/remote/jobs/process_identity.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/files/file_descriptor.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"

namespace ulp::remote {
namespace {

std::string wholeText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string bootIdentity() {
  std::string boot = wholeText("/proc/sys/kernel/random/boot_id");
  while (!boot.empty() && boot.back() == '\n') {
    boot.pop_back();
  }
  return boot;
}

/// The field "starttime" of /proc/PID/stat: the 20th behind the name, which may hold anything.
std::uint64_t startOf(pid_t pid) {
  const std::string stat = wholeText(fmt::format("/proc/{}/stat", pid));
  const std::size_t behindName = stat.rfind(") ");
  if (behindName == std::string::npos) {
    return 0;
  }
  const auto fields = split(std::string_view(stat).substr(behindName + 2), ' ');
  constexpr std::size_t kStarted = 19;
  return fields.size() > kStarted ? parseNumber<std::uint64_t>(fields[kStarted]).value_or(0) : 0;
}

}  // namespace

std::string machineName() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

Result<ProcessIdentity> identityOf(pid_t pid) {
  const std::uint64_t started = startOf(pid);
  if (pid <= 0 || started == 0) {
    return fail(ErrorCode::NotFound, fmt::format("process {}: has ended", pid));
  }
  return ProcessIdentity{pid, started, bootIdentity(), machineName()};
}

Result<> signalProcess(const ProcessIdentity& process, int signal) {
  if (process.machine != machineName()) {
    return fail(
        ErrorCode::Unsupported,
        fmt::format(
            "it runs on {}, and this is {}; name that machine", process.machine, machineName()));
  }
  // The descriptor names one process, whatever becomes of its number from here on.
  const FileDescriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  const auto now = identityOf(process.pid);
  if (!handle || !now || !(*now == process)) {
    return fail(ErrorCode::NotFound, fmt::format("process {}: has ended", process.pid));
  }
  return ::syscall(SYS_pidfd_send_signal, handle.get(), signal, nullptr, 0) == 0
             ? Result<>()
             : fail(systemError(fmt::format("process {}", process.pid), "cannot be told", errno));
}

json::Value toJson(const ProcessIdentity& process) {
  return json::Object{{"pid", process.pid},
                      {"started", process.started},
                      {"boot", process.boot},
                      {"machine", process.machine}};
}

ProcessIdentity identityIn(const json::Value& value) {
  return {static_cast<pid_t>(value.at("pid").integer()),
          static_cast<std::uint64_t>(value.at("started").integer()),
          value.at("boot").text(),
          value.at("machine").text()};
}

}  // namespace ulp::remote
