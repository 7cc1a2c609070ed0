#include "core/base/processes/pipe.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace ulp {

Result<Pipe> makePipe(const std::filesystem::path& user) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return fail(systemError(user, "no pipe can be made", errno));
  }
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace ulp
