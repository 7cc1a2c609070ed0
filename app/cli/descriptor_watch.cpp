#include "app/cli/descriptor_watch.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "app/cli/command.h"
#include "core/base/barrier.h"

namespace ulp::cli {

Result<std::unique_ptr<DescriptorWatch>> DescriptorWatch::start(int descriptor,
                                                                std::string_view what,
                                                                std::function<bool()> onReadable) {
  // Whoever tried in vain to open the descriptor has left the reason in errno.
  const int wake = descriptor < 0 ? descriptor : ::eventfd(0, EFD_CLOEXEC);
  if (wake < 0) {
    return fail(ErrorCode::Internal,
                fmt::format("{}: {}", what, std::generic_category().message(errno)));
  }
  return behindBarrier(what, [&]() -> Result<std::unique_ptr<DescriptorWatch>> {
    return std::unique_ptr<DescriptorWatch>(
        new DescriptorWatch(wake, descriptor, std::string(what), std::move(onReadable)));
  });
}

DescriptorWatch::DescriptorWatch(int wake,
                                 int descriptor,
                                 std::string what,
                                 std::function<bool()> onReadable)
    : m_wake(wake),
      m_thread([this, descriptor, what = std::move(what), onReadable = std::move(onReadable)] {
        const auto watched = behindBarrier(what, [&]() -> Result<> {
          watch(descriptor, onReadable);
          return {};
        });
        if (!watched) {
          const std::string text = fmt::format("{}: {}\n", kProgramName, watched.error().message());
          static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
        }
      }) {}

DescriptorWatch::~DescriptorWatch() {
  const std::uint64_t one = 1;
  // Cannot fail: the counter of an eventfd takes far more than one.
  static_cast<void>(!::write(m_wake.get(), &one, sizeof(one)));
  m_thread.join();
}

void DescriptorWatch::watch(int descriptor, const std::function<bool()>& onReadable) const {
  std::array<pollfd, 2> waiting{{{m_wake.get(), POLLIN, 0}, {descriptor, POLLIN, 0}}};
  while (true) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
      continue;
    }
    if (waiting[0].revents != 0) {
      return;
    }
    if (waiting[1].revents != 0 && !onReadable()) {
      // poll() passes over negative descriptors.
      waiting[1].fd = -1;
    }
  }
}

}  // namespace ulp::cli
