#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ulp::numerics::detail {

/// Sleeping threads that help their owner with one job at a time. The owner is one thread at a
/// time.
class ThreadTeam {
 public:
  explicit ThreadTeam(std::size_t helpers);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ThreadTeam(ThreadTeam&&) = delete;
  ThreadTeam& operator=(ThreadTeam&&) = delete;
  ~ThreadTeam();

  /// Runs `job` here and, as they wake up, in the helpers; returns when it has returned everywhere.
  /// A helper that wakes up after the job has returned here takes no part, so the job must share
  /// out its work itself. It must not throw.
  void run(const std::function<void()>& job);

 private:
  void help(const std::stop_token& stop);

  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::condition_variable m_done;
  const std::function<void()>* m_job = nullptr;
  std::uint64_t m_generation = 0;
  std::size_t m_active = 0;
  std::vector<std::jthread> m_threads;
};

}  // namespace ulp::numerics::detail
