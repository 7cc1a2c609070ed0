#include "runner/queue/resource_probe.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "core/base/barrier.h"

namespace ulp::queue {

/// What the thread uses, which may outlive the probe.
struct ResourceProbe::Shared {
  struct Request {
    std::int64_t pid = 0;
    std::string device;
  };

  std::mutex mutex;
  std::condition_variable wake;
  std::optional<Request> wanted;
  bool isOver = false;  ///< the probe has died

  void loop(const Read& read, const Arrived& arrived);
};

void ResourceProbe::Shared::loop(const Read& read, const Arrived& arrived) {
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait(lock, [this] { return isOver || wanted; });
    if (isOver) {
      return;
    }
    const Request request = *std::exchange(wanted, std::nullopt);
    lock.unlock();
    const auto use = behindBarrier("reading what the worker uses", [&]() -> Result<ResourceUse> {
      return read(request.pid, request.device);
    });
    lock.lock();
    if (!isOver) {
      // Where even this fails, the next reading tells.
      static_cast<void>(guarded([&] { arrived(request.pid, use); }));
    }
  }
}

ResourceProbe::ResourceProbe(Read read, Arrived arrived) : m_shared(std::make_shared<Shared>()) {
  std::thread([shared = m_shared, read = std::move(read), arrived = std::move(arrived)] {
    shared->loop(read, arrived);
  }).detach();
}

ResourceProbe::~ResourceProbe() {
  {
    const std::lock_guard lock(m_shared->mutex);
    m_shared->isOver = true;
  }
  m_shared->wake.notify_one();
}

void ResourceProbe::request(std::int64_t pid, std::string device) {
  {
    const std::lock_guard lock(m_shared->mutex);
    m_shared->wanted = Shared::Request{.pid = pid, .device = std::move(device)};
  }
  m_shared->wake.notify_one();
}

}  // namespace ulp::queue
