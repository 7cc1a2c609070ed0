#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/numerics/team.h"

namespace ulp::numerics::detail {

/// Sleeping threads that help their owner with one job at a time. The owner is one thread at a
/// time.
class ThreadTeam final : public Team {
 public:
  /// To wake a sleeping thread takes as long as to compare so many.
  static constexpr std::size_t kWorthwhilePairs = std::size_t{6} << 16;

  explicit ThreadTeam(std::size_t helpers);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam() override;

  /// A helper that wakes up after the job has returned here takes no part.
  void run(const std::function<void()>& job) override;
  [[nodiscard]] std::size_t worthwhilePairs() const override { return kWorthwhilePairs; }

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
