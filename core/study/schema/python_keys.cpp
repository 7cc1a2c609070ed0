#include "core/study/schema/python_keys.h"

namespace ulp::study {

std::vector<Key> pythonKeys() {
  return {
      {.path = "precision.autocast",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "none",
       .choices = {"none", "bfloat16", "float16"},
       .help = "torch.autocast of forward pass and loss in this format; engine: python alone."},
      {.path = "python.prepare",
       .type = ValueType::Text,
       .scope = KeyScope::Run,
       .help =
           "FILE.py:FUNCTION that is called with the model, a torch.nn.Module, before the run: "
           "it may change it, or return another one (one of model.factory is changed in place). "
           "Relative to the study's folder; engine: python alone."},
      {.path = "python.compile",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "none",
       .choices = {"none", "layers", "model"},
       .help = "torch.compile of each layer, or of the whole model. What is compiled shows none of "
               "its tensors: layers show those at their borders, the whole model its logits; "
               "engine: python alone."},
      {.path = "python.compile_mode",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "default",
       .choices = {"default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs"},
       .help = "Mode of torch.compile where python.compile is set, with inductor; engine: python "
               "alone."},
      {.path = "python.compile_backend",
       .type = ValueType::Name,
       .scope = KeyScope::Run,
       .defaultText = "inductor",
       .choices = {"inductor", "aot_eager_decomp_partition", "aot_eager", "eager"},
       .help =
           "Backend of torch.compile where python.compile is set. eager: what was traced runs as "
           "it is; aot_eager: with the traced backward pass; …_decomp_partition: and with "
           "inductor's decompositions, so that kernels remain as the cause; engine: python alone."},
      {.path = "python.quantization",
       .type = ValueType::Object,
       .scope = KeyScope::Run,
       .defaultText = "{}",
       .help =
           "quantization_config of from_pretrained, as a map: quant_method (bitsandbytes, torchao, "
           "gptq, awq, compressed-tensors, fp8, mxfp4, …) and its fields; engine: python alone."},
      {.path = "python.device",
       .type = ValueType::Text,
       .scope = KeyScope::Run,
       .help = "Device of torch on which the run computes: cpu, cuda, cuda:1, xpu, …; engine: "
               "python alone. Default: device."},
      {.path = "python.device_map",
       .type = ValueType::Text,
       .scope = KeyScope::Run,
       .help = "device_map of from_pretrained, for a model on several devices: auto, balanced, "
               "sequential; needs accelerate; engine: python alone."},
      {.path = "python.cache",
       .type = ValueType::Object,
       .scope = KeyScope::Run,
       .defaultText = "{}",
       .help = "Cache of transformers for pieces (batch.chunk_length, input.generate), as a map: "
               "backend (quanto, hqq, fp8) and the other arguments of its QuantizedCache (nbits, "
               "axis_key, axis_value, q_group_size, residual_length), or implementation: static; "
               "engine: python alone."},
      {.path = "python.ranks",
       .type = ValueType::Integer,
       .scope = KeyScope::Run,
       .defaultText = "1",
       .minimum = 1,
       .maximum = 4096,
       .help = "Processes of torch.distributed among which the model is divided (docs/engines.md); "
               "rows are whole tensors, as of one rank. engine: python alone."},
      {.path = "python.parallel",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "tensor",
       .choices = {"tensor", "fsdp"},
       .help = "How python.ranks divide the model. tensor: its products, by the plan that "
               "transformers has for it; fsdp: its parameters and the sequences (FSDP 2)."},
      {.path = "python.reduce",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "default",
       .choices = {"default", "rank_order", "reversed", "tree", "float32", "float64"},
       .help = "How partial sums of python.ranks are added. default: as gloo or NCCL does; "
               "rank_order: one after the other, in the format of the sums; reversed: the last "
               "first; tree: by pairs; float32, float64: in rank order, in that format, rounded "
               "once."},
      {.path = "python.launcher",
       .type = ValueType::Text,
       .scope = KeyScope::Run,
       .defaultText = "torchrun",
       .help = "What starts python.ranks: torchrun, on this machine; srun, on the nodes of a Slurm "
               "job; or a command in which {ranks} is their number and {command} what each runs."},
  };
}

}  // namespace ulp::study
