#pragma once

#include <cstddef>
#include <functional>

#include "core/numerics/team.h"

namespace ulp::engine {

/// LibTorch's threads of the CPU, those of OpenMP: setThreads() tells how many.
class TorchTeam final : public numerics::Team {
 public:
  void run(const std::function<void()>& job) override;
  /// Its threads are awake: two of them are worth their meeting after some microseconds of work.
  [[nodiscard]] std::size_t worthwhilePairs() const override { return std::size_t{1} << 15; }
};

}  // namespace ulp::engine
