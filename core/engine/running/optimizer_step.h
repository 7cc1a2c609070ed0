#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "core/engine/engine.h"
#include "core/engine/precision/pass_formats.h"
#include "core/engine/running/run_probe.h"

namespace ulp::engine {

/// A parameter and its gradient of the whole step.
struct OptimizedParameter {
  std::string name;
  /// Gives the parameter as it is stored, on its device; while the model runs.
  std::function<at::Tensor()> stored;
  Capture gradient;  ///< without the factor of the loss
  at::Device device = at::kCPU;
};

/// The first step of an optimizer on one parameter, from zero state, operation by operation as
/// torch.optim computes it of single tensors (_single_tensor_adam and _single_tensor_sgd of torch
/// 2.11). Weights and operations are float32, or float64 where the run keeps its weights so; the
/// state is rounded to its format after each update of it, before it is read.
class OptimizerStep {
 public:
  /// `formats` are those of the parameter's module.
  OptimizerStep(const OptimizerPlan& plan, const PassFormats& formats, OptimizedParameter parameter)
      : m_plan(plan), m_formats(formats), m_parameter(std::move(parameter)) {}

  [[nodiscard]] const OptimizerPlan& plan() const { return m_plan; }
  [[nodiscard]] const std::string& name() const { return m_parameter.name; }
  /// Hands out the tensors in the order of optimizerTensors(), on the parameter's device.
  [[nodiscard]] std::vector<at::Tensor> take() const;

 private:
  [[nodiscard]] std::vector<at::Tensor> takeSgd(const at::Tensor& old, at::Tensor gradient) const;
  [[nodiscard]] std::vector<at::Tensor> takeAdamW(const at::Tensor& old,
                                                  const at::Tensor& gradient) const;
  /// Rounds a state to the format in which it is kept. `slot` tells the tensors of one parameter
  /// apart.
  [[nodiscard]] at::Tensor kept(const at::Tensor& state, std::uint64_t slot) const;

  OptimizerPlan m_plan;
  PassFormats m_formats;
  OptimizedParameter m_parameter;
};

/// "model.norm.weight", "exp_avg": the row "model.norm.weight.exp_avg".
[[nodiscard]] std::string optimizerRow(std::string_view parameter, std::string_view tensor);

/// Takes the step and shows its tensors. What makes them again holds the gradient, and from one row
/// of the step to the next the others that were shown.
void showOptimizerStep(RunProbe& probe, const OptimizerStep& step);

}  // namespace ulp::engine
