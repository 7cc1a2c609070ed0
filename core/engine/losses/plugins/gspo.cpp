#include "core/engine/losses/gspo.h"

namespace ulp::engine {
namespace {

/// The mean over the documents (Fast-LLM before its pull request 544).
class Gspo final : public Loss {
 public:
  std::string_view id() const override { return "gspo"; }
  bool needsPolicy() const override { return true; }
  LossValue evaluate(const LossInputs& inputs) const override {
    return evaluateGspo(inputs, inputs.labels.perLabel);
  }
};

}  // namespace

void registerGspo(LossRegistry& registry) {
  registry.add(std::make_unique<Gspo>());
}

}  // namespace ulp::engine
