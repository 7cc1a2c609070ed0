#include "core/base/processes/process_end.h"

#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <sys/wait.h>

namespace ulp {

bool wasKilled(int status) {
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

std::string endInWords(int status, std::string_view remedy) {
  if (wasKilled(status)) {
    return fmt::format("was killed, probably because memory ran out; {}", remedy);
  }
  if (!WIFSIGNALED(status)) {
    return fmt::format("ended with exit status {}", WEXITSTATUS(status));
  }
  const char* name = ::sigabbrev_np(WTERMSIG(status));
  return fmt::format(
      "was ended by signal {} (SIG{})", WTERMSIG(status), name == nullptr ? "?" : name);
}

}  // namespace ulp
