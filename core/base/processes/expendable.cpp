#include "core/base/processes/expendable.h"

#include <algorithm>
#include <fstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ulp {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
#else
constexpr bool kIsSanitized = false;
#endif

}  // namespace

void becomeExpendable(int lastKept) {
  ::close_range(static_cast<unsigned>(lastKept) + 1, ~0U, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  std::ofstream("/proc/self/oom_score_adj") << "1000";
  setLimit(RLIMIT_CORE, 0, 0);
}

void setLimit(int resource, std::uint64_t soft, std::uint64_t hard) {
  if (kIsSanitized && resource == RLIMIT_AS) {
    return;
  }
  rlimit before{};
  ::getrlimit(resource, &before);
  const rlimit limit{std::min<rlim_t>(soft, before.rlim_max),
                     std::min<rlim_t>(hard, before.rlim_max)};
  ::setrlimit(resource, &limit);
}

}  // namespace ulp
