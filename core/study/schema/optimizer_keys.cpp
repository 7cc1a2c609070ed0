#include "core/study/schema/optimizer_keys.h"

namespace ulp::study {

std::vector<Key> optimizerKeys() {
  return {
      {.path = "optimizer.type",
       .type = ValueType::Choice,
       .defaultText = "none",
       .choices = {"none", "sgd", "adamw"},
       .help =
           "Also compare the first step of this optimizer of torch.optim, taken from zero state "
           "with the gradients of the whole step: its state and what it adds to every "
           "parameter. Parameters stay as they are. precision.optimizer_dtype is the format of "
           "the state."},
      {.path = "optimizer.learning_rate",
       .type = ValueType::Number,
       .defaultText = "0.001",
       .minimum = 0,
       .help = "Learning rate of the step."},
      {.path = "optimizer.beta1",
       .type = ValueType::Number,
       .defaultText = "0.9",
       .minimum = 0,
       .maximum = 1,
       .help = "adamw: decay of exp_avg, the running mean of gradients; below 1."},
      {.path = "optimizer.beta2",
       .type = ValueType::Number,
       .defaultText = "0.999",
       .minimum = 0,
       .maximum = 1,
       .help = "adamw: decay of exp_avg_sq, the running mean of their squares; below 1."},
      {.path = "optimizer.epsilon",
       .type = ValueType::Number,
       .defaultText = "1e-08",
       .minimum = 0,
       .help = "adamw: added to the root of exp_avg_sq before it divides exp_avg."},
      {.path = "optimizer.weight_decay",
       .type = ValueType::Number,
       .minimum = 0,
       .help = "adamw: how much of a parameter, times the learning rate, is taken off it; sgd: of "
               "the parameter, added to its gradient. Default: 0.01 with adamw, 0 with sgd."},
      {.path = "optimizer.momentum",
       .type = ValueType::Number,
       .defaultText = "0",
       .minimum = 0,
       .help = "sgd: decay of the momentum buffer; 0: it keeps none."},
  };
}

}  // namespace ulp::study
