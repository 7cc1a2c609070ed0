#pragma once

#include <cstddef>
#include <functional>

#include "core/base/interface.h"

namespace ulp::numerics {

/// Threads that work on one job at a time, for an owner that is one thread at a time.
class Team : public Interface {
 public:
  /// Runs `job` on the calling thread and on as many others as are free, at once, and returns when
  /// it has returned everywhere. The job shares out its work itself and does not throw.
  virtual void run(const std::function<void()>& job) = 0;
  /// Pairs of elements that a comparison must have for run() to be worth its cost.
  [[nodiscard]] virtual std::size_t worthwhilePairs() const = 0;
};

}  // namespace ulp::numerics
