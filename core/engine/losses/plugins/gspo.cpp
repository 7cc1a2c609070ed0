#include "core/engine/losses/policy.h"

namespace ulp::engine {

/// The mean over the documents (Fast-LLM before its pull request 544).
void registerGspo(LossRegistry& registry) {
  registry.add(
      {.id = "gspo",
       .evaluate =
           [](const LossInputs& inputs) { return evaluateGspo(inputs, inputs.labels.perLabel); },
       .needsPolicy = true});
}

}  // namespace ulp::engine
