#include "core/numerics/thread_team.h"

namespace ulp::numerics::detail {

ThreadTeam::ThreadTeam(std::size_t helpers) {
  m_threads.reserve(helpers);
  for (std::size_t i = 0; i < helpers; ++i) {
    m_threads.emplace_back([this](const std::stop_token& stop) { help(stop); });
  }
}

ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::run(const std::function<void()>& job) {
  {
    const std::lock_guard lock(m_mutex);
    m_job = &job;
    ++m_generation;
  }
  m_wake.notify_all();
  job();
  std::unique_lock lock(m_mutex);
  m_job = nullptr;
  m_done.wait(lock, [this] { return m_active == 0; });
}

void ThreadTeam::help(const std::stop_token& stop) {
  std::uint64_t seen = 0;
  std::unique_lock lock(m_mutex);
  while (m_wake.wait(lock, stop, [&] { return m_generation != seen; })) {
    seen = m_generation;
    if (m_job == nullptr) {
      continue;
    }
    const std::function<void()>& job = *m_job;
    ++m_active;
    lock.unlock();
    job();
    lock.lock();
    if (--m_active == 0) {
      m_done.notify_one();
    }
  }
}

}  // namespace ulp::numerics::detail
