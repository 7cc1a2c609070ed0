#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/optimizer_rows.h"

/// The optimizer whose first step a run takes on a copy of each parameter. Part of engine.h.
namespace ulp::engine {

/// Names, defaults and operations are those of torch.optim, single tensors one after another
/// (foreach=False). The step starts from zero state; parameters stay as they are.
struct OptimizerPlan {
  enum class Type : std::uint8_t { None, Sgd, AdamW };

  Type type = Type::None;
  double learningRate = 1e-3;
  double beta1 = 0.9;         ///< of AdamW, in [0, 1)
  double beta2 = 0.999;       ///< of AdamW, in [0, 1)
  double epsilon = 1e-8;      ///< of AdamW
  double weightDecay = 0.01;  ///< decoupled in AdamW; torch.optim.SGD takes 0 by default
  double momentum = 0;        ///< of SGD; 0: it keeps no state

  friend bool operator==(const OptimizerPlan&, const OptimizerPlan&) = default;
};

/// Names the tensors that are shown of each parameter.
[[nodiscard]] constexpr std::span<const std::string_view> optimizerTensors(
    const OptimizerPlan& plan) {
  switch (plan.type) {
    case OptimizerPlan::Type::None:
      break;
    case OptimizerPlan::Type::Sgd:
      return sgdRows(plan.momentum != 0);
    case OptimizerPlan::Type::AdamW:
      return kAdamWRows;
  }
  return {};
}

}  // namespace ulp::engine
