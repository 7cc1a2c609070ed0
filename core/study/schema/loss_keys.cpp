#include "core/study/schema/loss_keys.h"

#include "core/study/schema/loss_values.h"

namespace ulp::study {
namespace {

std::vector<Key> termKeys() {
  return {
      {.path = "loss.type",
       .type = ValueType::Choice,
       .defaultText = "cross_entropy",
       .choices = lossTypes(),
       .help = "cross_entropy: mean over the labels of -log p; z_loss: of the squared log of the "
               "softmax's sum; grpo: clipped surrogate of each token's ratio; gspo: of each "
               "document's, mean over documents; gspo_length_weighted: each document counted "
               "once for each of its labels."},
      {.path = "loss.terms",
       .type = ValueType::LossTermList,
       .defaultText = "[]",
       .help = "A weighted sum instead of loss.type: a list of {type, weight, epsilon_low, "
               "epsilon_high}, in the order in which gradients are added."},
      {.path = "loss.epsilon_low",
       .type = ValueType::Number,
       .defaultText = "0.2",
       .minimum = 0,
       .help = "grpo and gspo clip ratios below 1 - epsilon_low."},
      {.path = "loss.epsilon_high",
       .type = ValueType::Number,
       .defaultText = "0.2",
       .minimum = 0,
       .help = "grpo and gspo clip ratios above 1 + epsilon_high."},
      {.path = "loss.logits_scale",
       .type = ValueType::Number,
       .defaultText = "1",
       .minimum = 0,
       .help = "The losses see the logits times this number, 1 / temperature."},
  };
}

/// Of losses with a ratio to an old policy.
std::vector<Key> policyKeys() {
  return {
      {.path = "loss.advantages",
       .type = ValueType::Choice,
       .defaultText = "normal",
       .choices = {"normal", "file"},
       .help = "Of grpo and gspo. normal: one number a document, torch.randn of a CPU generator "
               "with loss.seed; file: `advantages` of loss.path."},
      {.path = "loss.old_log_probabilities",
       .type = ValueType::Choice,
       .defaultText = "reference",
       .choices = {"reference", "file", "zeros"},
       .help = "Of grpo and gspo. reference: those that the reference run computes plus "
               "loss.old_noise, the same for every run; file: `old_log_probabilities` of "
               "loss.path; zeros: every ratio is far outside the clip range, as in Fast-LLM's test "
               "data."},
      {.path = "loss.old_noise",
       .type = ValueType::Number,
       .defaultText = "0.05",
       .minimum = 0,
       .help = "Standard deviation of the normal noise on the reference's log-probabilities, one "
               "number a token, torch.randn with seed loss.seed + 1. 0: the reference is on "
               "policy, every ratio of its is 1."},
      {.path = "loss.seed",
       .type = ValueType::Integer,
       .defaultText = "0",
       .minimum = 0,
       .maximum = kLargestSeed,
       .help = "Seed of advantages and of the noise on old log-probabilities."},
      {.path = "loss.path",
       .type = ValueType::Path,
       .help = "A .safetensors file with `advantages`, `old_log_probabilities` or both, float32 "
               "[sequences, T+1], one number for each token. Relative as model.path."},
  };
}

}  // namespace

std::vector<Key> lossKeys() {
  std::vector<Key> keys = termKeys();
  const std::vector<Key> policy = policyKeys();
  keys.insert(keys.end(), policy.begin(), policy.end());
  return keys;
}

}  // namespace ulp::study
