#include "core/base/threads.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/stop_scope.h"

namespace ulp {

std::size_t threadsFor(std::size_t pieces, std::size_t most) {
  // To ask how many processors there are reads a file.
  if (pieces <= 1) {
    return 1;
  }
  const std::size_t wanted = most > 0 ? most : std::thread::hardware_concurrency();
  return std::max<std::size_t>(1, std::min(pieces, wanted));
}

Result<> runOnThreads(std::size_t count,
                      const std::function<void(std::size_t)>& work,
                      std::atomic<bool>* isFailed) {
  std::mutex mutex;
  std::optional<Error> failure;
  const std::stop_token stop = currentStop();
  const auto runOne = [&](std::size_t number) {
    const StopScope scope(stop);
    if (auto done = guarded([&] { work(number); }); !done) {
      if (isFailed != nullptr) {
        isFailed->store(true);
      }
      const std::lock_guard lock(mutex);
      if (!failure) {
        failure = std::move(done.error());
      }
    }
  };
  const auto runAll = [&] {
    std::vector<std::jthread> others;
    others.reserve(count);
    for (std::size_t number = 1; number < count; ++number) {
      others.emplace_back(runOne, number);
    }
    runOne(0);
  };
  ULP_TRY(whileDoing("starting threads", guarded(runAll)));
  if (failure) {
    return tl::unexpected<Error>(*std::move(failure));
  }
  return {};
}

}  // namespace ulp
