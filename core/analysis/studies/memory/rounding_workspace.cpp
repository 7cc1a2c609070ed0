#include "core/analysis/studies/memory/rounding_workspace.h"

#include <algorithm>

namespace ulp::analysis {
namespace {

/// kRoundedAtATime of the engine.
constexpr std::uint64_t kRoundedAtATime = std::uint64_t{1} << 24;

// Bytes for each number, at the worst moment.
constexpr std::uint64_t kNearest =
    20;                                ///< its magnitude and parity, two sums, what is left of them
constexpr std::uint64_t kInBlock = 8;  ///< itself, filled up to whole blocks, and over the scale
constexpr std::uint64_t kRandom = 56;  ///< seven in 64 bits, of which one random number is mixed
constexpr std::uint64_t kRow = 8;      ///< its row, where each number is one
constexpr std::uint64_t kPadded = 4;   ///< filled up to whole blocks

}  // namespace

std::uint64_t roundingWorkspace(numerics::NumberFormat format,
                                std::uint64_t count,
                                bool isStochastic) {
  const bool hasBlocks = numerics::describe(format).isBlockScaled();
  const std::uint64_t ofElement =
      isStochastic ? kRandom + (hasBlocks ? kPadded : kRow) : kNearest + (hasBlocks ? kInBlock : 0);
  return std::min(count, kRoundedAtATime) * ofElement;
}

}  // namespace ulp::analysis
