#include "core/remote/serving/asker_watch.h"

#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/eventfd.h>
#include <utility>

namespace ulp::remote {
namespace {

/// Far below what who asks has patience for.
constexpr int kStillEveryMs = 30'000;

}  // namespace

AskerWatch::AskerWatch(int input, std::function<void()> sayStill)
    : m_end(::eventfd(0, EFD_CLOEXEC)),
      // Without a descriptor nothing could end it.
      m_thread(m_end ? std::jthread([this, input, say = std::move(sayStill)] { watch(input, say); })
                     : std::jthread()) {}

AskerWatch::~AskerWatch() {
  // Cannot fail: the counter takes far more than one.
  static_cast<void>(::eventfd_write(m_end.get(), 1));
}

void AskerWatch::watch(int input, const std::function<void()>& sayStill) {
  while (true) {
    std::array<pollfd, 2> waiting{{{m_end.get(), POLLIN, 0}, {input, POLLIN, 0}}};
    const int ready = ::poll(waiting.data(), waiting.size(), kStillEveryMs);
    if (ready < 0 && errno != EINTR) {
      return;
    }
    if (waiting[0].revents != 0) {
      return;
    }
    if (waiting[1].revents != 0) {
      m_givenUp.request_stop();
      return;
    }
    if (ready == 0) {
      sayStill();
    }
  }
}

}  // namespace ulp::remote
