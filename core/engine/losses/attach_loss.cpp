#include <functional>
#include <memory>
#include <utility>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include "core/engine/losses/step_loss.h"

namespace ulp::engine {
namespace {

class LossNode final : public torch::autograd::Node {
 public:
  explicit LossNode(std::function<at::Tensor(double)> gradientAt)
      : m_gradientAt(std::move(gradientAt)) {}

  torch::autograd::variable_list apply(torch::autograd::variable_list&& inputs) override {
    return {m_gradientAt(inputs.front().item<double>())};
  }
  void release_variables() override { m_gradientAt = nullptr; }

 private:
  std::function<at::Tensor(double)> m_gradientAt;
};

}  // namespace

at::Tensor attachLoss(const at::Tensor& logits,
                      const at::Tensor& value,
                      std::function<at::Tensor(double)> gradientAt) {
  at::Tensor attached = value.detach();
  if (!torch::autograd::compute_requires_grad(logits)) {
    return attached;
  }
  const std::shared_ptr<LossNode> node(new LossNode(std::move(gradientAt)),
                                       torch::autograd::deleteNode);
  node->set_next_edges(torch::autograd::collect_next_edges(logits));
  torch::autograd::set_history(attached, node);
  return attached;
}

}  // namespace ulp::engine
