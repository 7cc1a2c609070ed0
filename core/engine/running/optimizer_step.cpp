#include "core/engine/running/optimizer_step.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <c10/core/GradMode.h>

#include "core/engine/captures/pinned_copy.h"
#include "core/engine/captures/torch_captures.h"
#include "core/engine/running/retaken_rows.h"

namespace ulp::engine {
namespace {

using numerics::NumberFormat;
using numerics::Operation;

/// Behind the streams that the operations of a module draw from.
constexpr std::uint64_t kFirstStream = 64;
constexpr std::uint64_t kStreamsOfParameter = 4;

/// A module has a weight and perhaps a bias, which must not draw the same numbers.
std::uint64_t streamOf(const std::string& parameter) {
  return kFirstStream + (parameter.ends_with(".bias") ? kStreamsOfParameter : 0);
}

}  // namespace

at::Tensor OptimizerStep::kept(const at::Tensor& state, std::uint64_t slot) const {
  numerics::Rounding rounding = m_formats.rounding();
  rounding.stream += streamOf(m_parameter.name) + slot;
  return castTo(state, m_formats[Operation::Optimizer], rounding);
}

std::vector<at::Tensor> OptimizerStep::takeSgd(const at::Tensor& old, at::Tensor gradient) const {
  std::vector<at::Tensor> shown;
  if (m_plan.weightDecay != 0) {
    gradient = gradient.add(old, m_plan.weightDecay);
  }
  if (m_plan.momentum != 0) {
    // The first step takes the gradient as it is for the momentum.
    shown.push_back(kept(gradient, 0));
    gradient = shown.front().to(old.scalar_type());
  }
  shown.push_back(old.add(gradient, -m_plan.learningRate) - old);
  return shown;
}

std::vector<at::Tensor> OptimizerStep::takeAdamW(const at::Tensor& old,
                                                 const at::Tensor& gradient) const {
  const at::Tensor decayed =
      m_plan.weightDecay == 0 ? old : old * (1 - m_plan.learningRate * m_plan.weightDecay);
  const at::Tensor average = kept(at::zeros_like(gradient).lerp_(gradient, 1 - m_plan.beta1), 0);
  const at::Tensor square =
      kept(at::zeros_like(gradient).addcmul_(gradient, gradient, 1 - m_plan.beta2), 1);
  const double stepSize = m_plan.learningRate / (1 - m_plan.beta1);
  const double correction = std::pow(1 - m_plan.beta2, 0.5);
  const at::Tensor denominator =
      (square.to(old.scalar_type()).sqrt() / correction).add_(m_plan.epsilon);
  const at::Tensor changed = decayed.addcdiv(average.to(old.scalar_type()), denominator, -stepSize);
  return {average, square, changed - old};
}

std::vector<at::Tensor> OptimizerStep::take() const {
  const c10::NoGradGuard noGrad;
  const bool isDouble = m_formats[Operation::Weights] == NumberFormat::Float64;
  const at::ScalarType type = isDouble ? at::kDouble : at::kFloat;
  const at::Tensor old = m_parameter.stored().to(type);
  const at::Tensor gradient =
      broughtTo(tensorOf(m_parameter.gradient), m_parameter.device).to(type);
  return m_plan.type == OptimizerPlan::Type::Sgd ? takeSgd(old, gradient)
                                                 : takeAdamW(old, gradient);
}

std::string optimizerRow(std::string_view parameter, std::string_view tensor) {
  return std::string(parameter) + "." + std::string(tensor);
}

void showOptimizerStep(RunProbe& probe, const OptimizerStep& step) {
  const auto names = optimizerTensors(step.plan());
  const auto isWanted = [&](std::string_view tensor) {
    return probe.wants(Pass::Optimizer, optimizerRow(step.name(), tensor));
  };
  if (std::ranges::none_of(names, isWanted)) {
    return;
  }
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (isWanted(names[i])) {
      shown.push_back(i);
    }
  }
  const auto again = std::make_shared<RetakenRows>([step] { return step.take(); }, shown);
  const std::vector<at::Tensor> tensors = step.take();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    probe.optimizerTensor(optimizerRow(step.name(), names[i]), tensors[i], [again, i] {
      return captureOf(again->row(i));
    });
  }
}

}  // namespace ulp::engine
