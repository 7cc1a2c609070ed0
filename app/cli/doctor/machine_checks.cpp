#include <filesystem>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <system_error>

#include "app/cli/doctor/checks.h"
#include "core/base/text/format_number.h"

namespace ulp::cli {
namespace {

/// The engine in Python, and the package, hand tensors over in files of it.
Check sharedMemoryCheck() {
  constexpr const char* kPlace = "/dev/shm";
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 30;
  std::error_code error;
  const auto space = std::filesystem::space(kPlace, error);
  if (error) {
    return {"shared memory",
            CheckState::Absent,
            fmt::format("{}: {}", kPlace, error.message()),
            "engine: python needs it; mount a tmpfs there"};
  }
  const bool isSmall = space.available < kLeast;
  return {
      "shared memory",
      isSmall ? CheckState::Absent : CheckState::Fine,
      fmt::format(
          "{} of {} free in {}", formatBytes(space.available), formatBytes(space.capacity), kPlace),
      isSmall ? "a tensor that engine: python hands over must fit; docker run --shm-size=8g" : ""};
}

}  // namespace

std::vector<Check> machineChecks() {
  utsname system{};
  static_cast<void>(::uname(&system));
  return {{"system",
           CheckState::Fine,
           fmt::format("{} {} {}, glibc {}",
                       system.sysname,
                       system.release,
                       system.machine,
                       ::gnu_get_libc_version())},
          sharedMemoryCheck()};
}

}  // namespace ulp::cli
