#include "core/engine/losses/gspo.h"

namespace ulp::engine {
namespace {

/// Each document counts as often as it has labels (Fast-LLM since its pull request 544).
class GspoLengthWeighted final : public Loss {
 public:
  std::string_view id() const override { return "gspo_length_weighted"; }
  bool needsPolicy() const override { return true; }
  LossValue evaluate(const LossInputs& inputs) const override {
    return evaluateGspo(inputs, inputs.labels.mask.to(inputs.logits.math()));
  }
};

}  // namespace

void registerGspoLengthWeighted(LossRegistry& registry) {
  registry.add(std::make_unique<GspoLengthWeighted>());
}

}  // namespace ulp::engine
