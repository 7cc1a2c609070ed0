#include "core/engine/precision/gradient_scale.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>

namespace ulp::engine {
namespace {

constexpr double kLargestFloat16 = 65504;
/// Where gradients of usual losses are normal numbers of float16.
constexpr double kFirstGuess = 1024;
constexpr double kRetreat = 256;
constexpr double kSmallestScale = 5.9604644775390625e-08;  // 2^-24
/// Gradients that were rounded to few digits at one scale may be this much larger at another one.
constexpr double kUncertainty = 1.0 / 32;

/// Largest magnitude among the float16 gradients that a backward pass made.
struct Largest {
  double value = 0;
  bool isFinite = true;
  bool isWatching = true;
};

class Watch final : public torch::autograd::FunctionPreHook {
 public:
  explicit Watch(std::shared_ptr<Largest> largest) : m_largest(std::move(largest)) {}

  torch::autograd::variable_list operator()(
      const torch::autograd::variable_list& gradients) override {
    for (const at::Tensor& gradient : gradients) {
      if (m_largest->isWatching && gradient.defined() && gradient.scalar_type() == at::kHalf &&
          gradient.numel() > 0) {
        const auto value = gradient.abs().max().item<double>();
        m_largest->isFinite = m_largest->isFinite && std::isfinite(value);
        m_largest->value = std::max(m_largest->value, value);
      }
    }
    return gradients;
  }

 private:
  std::shared_ptr<Largest> m_largest;
};

std::shared_ptr<Largest> watchGraph(const at::Tensor& loss) {
  auto largest = std::make_shared<Largest>();
  std::unordered_set<torch::autograd::Node*> known;
  std::vector<torch::autograd::Node*> waiting{loss.grad_fn().get()};
  while (!waiting.empty()) {
    torch::autograd::Node* node = waiting.back();
    waiting.pop_back();
    if (node == nullptr || !known.insert(node).second) {
      continue;
    }
    node->add_pre_hook(std::make_unique<Watch>(largest));
    for (const torch::autograd::Edge& edge : node->next_edges()) {
      waiting.push_back(edge.function.get());
    }
  }
  return largest;
}

}  // namespace

void runBackward(const at::Tensor& loss, double scale, bool keepGraph) {
  loss.backward(at::full_like(loss, scale), keepGraph);
}

double largestGradientScale(const at::Tensor& loss, const std::function<void()>& forget) {
  const std::shared_ptr<Largest> largest = watchGraph(loss);
  const auto isFiniteAt = [&](double scale) {
    largest->value = 0;
    largest->isFinite = true;
    runBackward(loss, scale, true);
    forget();
    return largest->isFinite;
  };
  double scale = kFirstGuess;
  while (!isFiniteAt(scale) && scale > kSmallestScale) {
    scale /= kRetreat;
  }
  if (largest->value == 0) {
    largest->isWatching = false;
    return 1;
  }
  double room = kLargestFloat16 / largest->value;
  if (loss.scalar_type() == at::kHalf) {
    room = std::min(room, kLargestFloat16 / scale);  // the first gradient is the scale itself
  }
  // Beyond doubt, then as far as more digits may allow, from above.
  const double sure = scale * std::exp2(std::floor(std::log2(room * (1 - kUncertainty))));
  const double possible = scale * std::exp2(std::floor(std::log2(room * (1 + kUncertainty))));
  const double chosen = possible > sure && isFiniteAt(possible) ? possible : sure;
  largest->isWatching = false;
  return chosen;
}

}  // namespace ulp::engine
