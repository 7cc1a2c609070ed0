#include "core/engine/losses/policy.h"

namespace ulp::engine {

/// Each document counts as often as it has labels (Fast-LLM since its pull request 544).
void registerGspoLengthWeighted(LossRegistry& registry) {
  registry.add({.id = "gspo_length_weighted",
                .evaluate =
                    [](const LossInputs& inputs) {
                      return evaluateGspo(inputs, inputs.labels.mask.to(inputs.logits.math()));
                    },
                .needsPolicy = true});
}

}  // namespace ulp::engine
