#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/engine/engine.h"

namespace ulp::test {

/// Prompts with `count` + 1 tokens behind them: the numbers of their positions.
inline std::vector<engine::TokenBatch> numberedTokens(
    const std::vector<engine::TokenBatch>& microBatches, std::int64_t count) {
  std::vector<engine::TokenBatch> generated;
  for (const engine::TokenBatch& prompts : microBatches) {
    engine::TokenBatch tokens{.batch = prompts.batch, .length = prompts.length + count};
    for (std::int64_t row = 0; row < tokens.batch; ++row) {
      for (std::int64_t i = 0; i <= tokens.length; ++i) {
        const auto own = static_cast<std::size_t>(row * (prompts.length + 1) + i);
        tokens.ids.push_back(i < prompts.length ? prompts.ids[own] : i);
      }
    }
    generated.push_back(std::move(tokens));
  }
  return generated;
}

}  // namespace ulp::test
