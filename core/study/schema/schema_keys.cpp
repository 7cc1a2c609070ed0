#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/list_of.h"
#include "core/numerics/rounding/number_format.h"
#include "core/study/schema/loss_values.h"
#include "core/study/schema/python_keys.h"
#include "core/study/schema/schema.h"

namespace ulp::study {
namespace {

using Names = std::vector<std::string_view>;

/// One row of the schema as it is written here.
struct KeyRow {
  std::string_view path;
  Key values;  ///< type, default and limits
  std::string_view help;
};
using KeyRows = std::vector<KeyRow>;

Key choice(std::string_view defaultText, Names choices) {
  return {.type = ValueType::Choice, .defaultText = defaultText, .choices = std::move(choices)};
}

Key integer(std::string_view defaultText, double minimum, double maximum) {
  return {.type = ValueType::Integer,
          .defaultText = defaultText,
          .minimum = minimum,
          .maximum = maximum};
}

Key seed() {
  // 2^53, exact in readers of JSON as well.
  return integer("0", 0, 9007199254740992);
}

Key real(std::string_view defaultText, double minimum, std::optional<double> maximum = {}) {
  return {.type = ValueType::Number,
          .defaultText = defaultText,
          .minimum = minimum,
          .maximum = maximum};
}

Key flag(std::string_view defaultText) {
  return {.type = ValueType::Boolean, .defaultText = defaultText};
}

Key emptyList(ValueType type, Names choices = {}) {
  return {.type = type, .defaultText = "[]", .choices = std::move(choices)};
}

/// `defaultText` is empty for a format that follows another one where nobody sets it.
Key formatName(std::string_view defaultText = {}) {
  return {.type = ValueType::DTypeName,
          .defaultText = defaultText,
          .choices = listOf(numerics::numberFormats(), &numerics::FormatDescription::name)};
}

/// A kernel that both libraries have, each in its own way.
Key kernel() {
  return choice({}, {"transformers", "fused"});
}

KeyRows modelKeys() {
  return {
      {"model.path",
       {.type = ValueType::Path},
       "A Hugging Face folder, a .gguf file, or a hub ID that is in the local cache. A relative "
       "path is looked up from the working folder, then from the study's folder."},
      {"model.weights",
       choice("pretrained", {"pretrained", "random"}),
       "random: initialised as the reference implementation of the family does, from model.seed; "
       "the model's folder then needs config.json alone."},
      {"model.seed", seed(), "Seed of random weights."},
      {"model.architecture",
       {.type = ValueType::Object, .defaultText = "{}"},
       "Fields that replace those of the checkpoint's config.json."},
      {"model.factory",
       {.type = ValueType::Text},
       "FILE.py:FUNCTION instead of model.path, for a model or a training step of one's own: the "
       "function returns a torch.nn.Module and a function from tokens [batch, T+1] to a loss. "
       "Relative to the study's folder."},
  };
}

KeyRows engineKeys() {
  return {
      {"engine",
       choice("auto", {"auto", "native", "python"}),
       "native: Ulpscope's own; python: the model as torch and transformers of a Python run it; "
       "auto: native where it knows the model, else python."},
      {"python.executable",
       {.type = ValueType::Path},
       "The Python of engine: python, with torch 2.1 or later and transformers. Default: that of "
       "the active environment, else ULPSCOPE_PYTHON, else python3."},
      {"python.trust_code",
       flag("false"),
       "Whether engine: python runs code that comes with the checkpoint (transformers' "
       "trust_remote_code). Read that code first."},
  };
}

KeyRows inputKeys() {
  return {
      {"input.source",
       choice("random", {"random", "tokens", "text", "dataset"}),
       "random: ids drawn uniformly from the vocabulary; tokens: ids from input.path; text, "
       "dataset: the model's tokenizer makes ids of the file input.path."},
      {"input.path",
       {.type = ValueType::Path},
       "tokens: ids, int64 [batch, T+1], .npy, .safetensors or .json; text: UTF-8; dataset: "
       "documents, one JSON object a line in .jsonl, else paragraphs or lines. Relative as "
       "model.path."},
      {"input.sequence_length",
       integer("128", 1, 1 << 24),
       "T, the number of input positions; T+1 tokens are drawn, the labels are the next tokens. "
       "With tokens from a file: the file's, and it must agree when it is set."},
      {"input.generate",
       integer("0", 0, 1 << 20),
       "Positions behind those: the T tokens are a prompt, and the reference chooses what follows, "
       "each time the most likely token. All runs then compute with the same tokens, position by "
       "position with a cache of keys and values, as a sampler does. 0: none."},
      {"input.micro_batch_size",
       integer("1", 1, 1 << 20),
       "Number of sequences. With tokens from a file: the file's, and it must agree when it is "
       "set."},
      {"input.seed",
       seed(),
       "Seed of random tokens: torch.randint(0, vocabulary, (batch, T+1)) of a CPU generator."},
  };
}

KeyRows textKeys() {
  return {
      {"input.sequences",
       integer("", 1, 1 << 20),
       "How many sequences are evaluated, a multiple of those of a step (input.micro_batch_size "
       "times its micro-batches). More than one step's are samples: each is evaluated on its "
       "own, and all numbers are means over them. Default: one step's. With tokens from a file: "
       "its first."},
      {"input.field",
       {.type = ValueType::Text},
       "Field of a dataset's JSON objects that holds the text or, with input.chat_template, the "
       "messages. Default: text; messages."},
      {"input.chat_template",
       flag("false"),
       "A dataset's objects are conversations, which the model's chat template writes: messages, "
       "each with role and content, or problem and solution."},
      {"input.tokenizer",
       {.type = ValueType::Path},
       "Folder, tokenizer.json, tokenizer.model or .gguf file of the tokenizer for text and "
       "dataset. Default: that of model.path. Relative as model.path."},
  };
}

KeyRows documentKeys() {
  return {
      {"input.documents",
       emptyList(ValueType::DocumentList),
       "Lengths of the documents that are packed into a sequence of T+1 tokens: attention stays "
       "within a document and its first token is nobody's label. A list of such lists gives the "
       "micro-batches their own, in turn. Empty: one document."},
      {"input.padding",
       integer("0", 0, 1 << 24),
       "Tokens at the end of each sequence that belong to no document and have no label."},
      {"input.unlabelled",
       emptyList(ValueType::RangeList),
       "Ranges [begin, end) of the T+1 tokens of a sequence that are no labels, such as prompts."},
      {"schedule.micro_batches",
       integer("1", 1, 1 << 16),
       "Micro-batches of the step. Losses are means over the whole step and gradients are added "
       "up; activations are compared on all of them together, kept on the last."},
      {"schedule.docs_per_step",
       integer("0", 0, 1 << 24),
       "Micro-batches are drawn until the step has this many documents; the last one is kept "
       "whole. 0: schedule.micro_batches decides."},
  };
}

KeyRows lossKeys() {
  return {
      {"loss.type",
       choice("cross_entropy", lossTypes()),
       "cross_entropy: mean over the labels of -log p; z_loss: of the squared log of the "
       "softmax's sum; grpo: clipped surrogate of each token's ratio; gspo: of each document's, "
       "mean over documents; gspo_length_weighted: each document counted once for each of its "
       "labels."},
      {"loss.terms",
       emptyList(ValueType::LossTermList),
       "A weighted sum instead of loss.type: a list of {type, weight, epsilon_low, "
       "epsilon_high}, in the order in which gradients are added."},
      {"loss.epsilon_low", real("0.2", 0), "grpo and gspo clip ratios below 1 - epsilon_low."},
      {"loss.epsilon_high", real("0.2", 0), "grpo and gspo clip ratios above 1 + epsilon_high."},
      {"loss.logits_scale",
       real("1", 0),
       "The losses see the logits times this number, 1 / temperature."},
  };
}

/// Of losses with a ratio to an old policy.
KeyRows policyKeys() {
  return {
      {"loss.advantages",
       choice("normal", {"normal", "file"}),
       "Of grpo and gspo. normal: one number a document, torch.randn of a CPU generator with "
       "loss.seed; file: `advantages` of loss.path."},
      {"loss.old_log_probabilities",
       choice("reference", {"reference", "file", "zeros"}),
       "Of grpo and gspo. reference: those that the reference run computes plus loss.old_noise, "
       "the same for every run; file: `old_log_probabilities` of loss.path; zeros: every ratio "
       "is far outside the clip range, as in Fast-LLM's test data."},
      {"loss.old_noise",
       real("0.05", 0),
       "Standard deviation of the normal noise on the reference's log-probabilities, one number "
       "a token, torch.randn with seed loss.seed + 1. 0: the reference is on policy, every ratio "
       "of its is 1."},
      {"loss.seed", seed(), "Seed of advantages and of the noise on old log-probabilities."},
      {"loss.path",
       {.type = ValueType::Path},
       "A .safetensors file with `advantages`, `old_log_probabilities` or both, float32 "
       "[sequences, T+1], one number for each token. Relative as model.path."},
  };
}

KeyRows optimizerKeys() {
  return {
      {"optimizer.type",
       choice("none", {"none", "sgd", "adamw"}),
       "Also compare the first step of this optimizer of torch.optim, taken from zero state with "
       "the gradients of the whole step: its state and what it adds to every parameter. "
       "Parameters stay as they are. precision.optimizer_dtype is the format of the state."},
      {"optimizer.learning_rate", real("0.001", 0), "Learning rate of the step."},
      {"optimizer.beta1",
       real("0.9", 0, 1),
       "adamw: decay of exp_avg, the running mean of gradients; below 1."},
      {"optimizer.beta2",
       real("0.999", 0, 1),
       "adamw: decay of exp_avg_sq, the running mean of their squares; below 1."},
      {"optimizer.epsilon",
       real("1e-08", 0),
       "adamw: added to the root of exp_avg_sq before it divides exp_avg."},
      {"optimizer.weight_decay",
       real("", 0),
       "adamw: how much of a parameter, times the learning rate, is taken off it; sgd: of the "
       "parameter, added to its gradient. Default: 0.01 with adamw, 0 with sgd."},
      {"optimizer.momentum", real("0", 0), "sgd: decay of the momentum buffer; 0: it keeps none."},
  };
}

KeyRows streamFormatKeys() {
  return {
      {"precision.compute_dtype",
       formatName("float32"),
       "Format of matrix products and of whatever has no key of its own; results and gradients "
       "are rounded to it."},
      {"precision.weights_dtype",
       formatName(),
       "Format that parameters are rounded to before an operation reads them, in its own format. "
       "Default: the compute dtype of the run."},
      {"precision.residual_dtype",
       formatName(),
       "Format of the residual stream. Default: the compute dtype of the run."},
      {"precision.lm_head_dtype",
       formatName(),
       "Format of the final matrix product; the head's weights are first rounded to the weights "
       "dtype. Default: the compute dtype of the run."},
      {"precision.logits_dtype",
       formatName(),
       "Format of the logits, as the loss receives them. Default: the LM head's."},
      {"precision.loss_dtype",
       formatName(),
       "Format that the loss computes in. Default: float32, or float64 when the logits are."},
      {"precision.gradient_dtype",
       formatName(),
       "Format of the buffers that a parameter's gradient is added up in. Default: the compute "
       "dtype; float32 with semantics: fast_llm."},
      {"precision.optimizer_dtype",
       formatName(),
       "Format that the state of the optimizer (optimizer.type) is rounded to after each update. "
       "Default: float32, or float64 when the compute dtype is."},
  };
}

KeyRows blockFormatKeys() {
  return {
      {"precision.norm_statistics_dtype",
       formatName(),
       "Format inside norms: square, mean and quotient. Default: float32, or float64 when the "
       "compute dtype or the residual stream is."},
      {"precision.norm_output_dtype",
       formatName(),
       "Format that normalised numbers are rounded to and multiplied by the weight in. Default: "
       "the compute dtype."},
      {"precision.rotary_table_dtype",
       formatName(),
       "Format of the cosines and sines. Default: the compute dtype; at least float32 with "
       "rotary.implementation: fused."},
      {"precision.rotary_dtype",
       formatName(),
       "Format in which queries and keys are rotated. Default: the compute dtype; at least "
       "float32 with rotary.implementation: fused."},
      {"precision.attention_scores_dtype",
       formatName(),
       "Format of the products of queries and keys; needs attention.implementation: eager. "
       "Default: the compute dtype."},
      {"precision.softmax_dtype",
       formatName(),
       "Format of the softmax over the scores; needs attention.implementation: eager. Default: "
       "float32, or float64 when the compute dtype is."},
      {"precision.activation_dtype",
       formatName(),
       "Format of the MLP's activation function and of its product with the other branch. "
       "Default: the compute dtype; at least float32 with mlp.implementation: fused."},
  };
}

KeyRows roundingKeys() {
  return {
      {"precision.rounding",
       choice("nearest", {"nearest", "stochastic"}),
       "How numbers are cast to a narrower or a simulated format: to the nearest, ties to even, "
       "or up with the probability of the distance. What kernels round inside is rounded to the "
       "nearest."},
      {"precision.rounding_seed", seed(), "Seed of stochastic rounding."},
      {"precision.overflow",
       choice("propagate", {"propagate", "saturate"}),
       "What becomes of numbers beyond the range of float8_e4m3fn and float8_e5m2: NaN or "
       "infinity as torch's casts make them, or the largest finite number. Block-scaled formats "
       "always saturate, float16 and bfloat16 never."},
  };
}

KeyRows kernelKeys() {
  return {
      {"semantics",
       choice("transformers", {"transformers", "fast_llm"}),
       "Whose operations the run follows, bit for bit. fast_llm (its CPU path): fused norms and "
       "rotary embeddings, keys and values and gate and up projected together, keys and values "
       "expanded, its softmax cross-entropy, float32 gradient buffers."},
      {"norm.implementation",
       kernel(),
       "transformers: the weight multiplies after rounding; fused: torch.rms_norm of the input "
       "rounded to the compute dtype, rounded once. Default: fused with semantics: fast_llm."},
      {"rotary.implementation",
       kernel(),
       "transformers: float32 angles, every operation of the rotation rounded; fused: tables of "
       "float64 angles, the rotation rounded once. Default: fused with semantics: fast_llm."},
      {"mlp.implementation",
       kernel(),
       "transformers: activation and product rounded one by one; fused: rounded once, as "
       "Triton's kernels do. Default: transformers, also with semantics: fast_llm, whose CPU "
       "path rounds both."},
      {"attention.implementation",
       {.type = ValueType::Name,
        .defaultText = "sdpa",
        .choices = {"eager",
                    "sdpa",
                    "sdpa_math",
                    "sdpa_flash",
                    "sdpa_efficient",
                    "sdpa_cudnn",
                    "flash_attention_2",
                    "flash_attention_3",
                    "flash_attention_4",
                    "flex_attention"}},
       "eager: scores, softmax and product one by one (with semantics: fast_llm what Fast-LLM "
       "calls backup); sdpa: the fused kernel that PyTorch prefers; sdpa_…: that one, and an "
       "error where the device or the formats have none; flash_attention_2 and what else the "
       "installed transformers knows, kernels of the hub too, with engine: python. Default: sdpa, "
       "but sdpa_math for a reference in float32 or float64 on CUDA, where sdpa may multiply "
       "float32 in tf32; with engine: python what the model takes by default."},
      {"attention.order",
       emptyList(ValueType::NameList, {"cudnn", "flash", "efficient", "math"}),
       "With attention.implementation: sdpa, each attention is computed by the first of these "
       "kernels that takes its formats, head size and mask. Default: what PyTorch prefers."},
      {"attention.reduced_precision_reduction",
       flag("false"),
       "Whether sdpa_math computes bfloat16 and float16 in these formats; PyTorch computes them "
       "in float32 there, and rounds once. Needs attention.implementation: sdpa_math."},
  };
}

KeyRows batchKeys() {
  return {
      {"batch.among",
       integer("0", 0, 1 << 20),
       "Sequences that go through the model at once: those of a micro-batch, and others that make "
       "so many. Compared are those of the micro-batch, and the loss and all gradients are "
       "theirs alone. 0: no others."},
      {"batch.place",
       integer("0", 0, 1 << 20),
       "Place of the micro-batch's first sequence among them, from 0."},
      {"batch.seed",
       seed(),
       "Seed of the other sequences: torch.randint(0, vocabulary, (others, positions)) of a CPU "
       "generator."},
      {"batch.padding",
       integer("0", 0, 1 << 24),
       "Positions of padding that every sequence of a micro-batch gets, masked and with the "
       "positions that generate() of transformers gives; other sequences are so much longer. What "
       "is compared has none of it."},
      {"batch.padding_side", choice("left", {"left", "right"}), "Where the padding stands."},
      {"batch.chunk_length",
       integer("0", 0, 1 << 24),
       "Positions that go through the model at once, with the keys and values of those before: 1 "
       "as a sampler decodes, more as chunked prefill does. 0: all. Of a prompt (input.generate) "
       "its own positions."},
      {"batch.generated",
       choice("steps", {"steps", "pass"}),
       "How positions behind a prompt (input.generate) go through the model. steps: one by one, "
       "with the keys and values of those before; pass: with the prompt, all at once, as in "
       "training."},
      {"batch.cache_dtype",
       choice("none",
              {"none",
               "float64",
               "float32",
               "tf32",
               "bfloat16",
               "float16",
               "float8_e4m3fn",
               "float8_e5m2",
               "mxfp8",
               "mxfp4",
               "nvfp4"}),
       "Format that the cache keeps keys and values in, and that attention reads them in, those of "
       "the position itself as well. none: as they are computed. Needs pieces."},
  };
}

KeyRows machineKeys() {
  return {
      {"matmul.float32_precision",
       choice("highest", {"highest", "high", "medium"}),
       "torch.set_float32_matmul_precision: what products of float32 may be made of. On CUDA high "
       "and medium are both tf32; on processors high is tf32 and medium bfloat16 where they have "
       "units for it."},
      {"matmul.reduced_precision_reduction",
       flag("true"),
       "Whether cuBLAS may add up products of bfloat16 and float16 in these formats, as PyTorch "
       "lets it; processors never do."},
      {"matmul.split_k",
       flag("true"),
       "Whether cuBLAS may split sums of products of bfloat16 and float16 into parts. false needs "
       "matmul.reduced_precision_reduction: false and matmul.library: cublaslt."},
      {"matmul.float16_accumulation",
       flag("false"),
       "Whether products of float16 on CUDA are added up in float16, as some kernels do for speed; "
       "else in float32."},
      {"matmul.library",
       choice("default", {"default", "cublas", "cublaslt"}),
       "torch.backends.cuda.preferred_blas_library: which library multiplies matrices on CUDA. "
       "default: what PyTorch chooses, or TORCH_BLAS_PREFER_CUBLASLT."},
      {"matmul.float8",
       choice("none", {"none", "tensor", "row"}),
       "Products of the linear modules in layers take operands in float8, as training in float8 "
       "has "
       "them: scaled by the largest number of a tensor or of each row, rounded to float8_e4m3fn, "
       "gradients to matmul.float8_gradient; results are in the compute dtype."},
      {"matmul.float8_kernel",
       choice("simulated", {"simulated", "scaled_mm"}),
       "What multiplies them. simulated: a product in float32, on every device; scaled_mm: "
       "torch._scaled_mm, on processors, and on CUDA from compute capability 8.9."},
      {"matmul.float8_gradient",
       choice("float8_e5m2", {"float8_e5m2", "float8_e4m3fn"}),
       "Format of the gradient of a result as an operand of the two products of the backward "
       "pass."},
      {"matmul.float8_power_of_two_scales",
       flag("false"),
       "Whether scales are rounded down to powers of two, which torchao's rowwise recipe does."},
      {"matmul.float8_fast_accumulation",
       flag("false"),
       "Whether torch._scaled_mm may add up the products of the forward pass in less than float32; "
       "CUDA alone."},
      {"matmul.float8_modules",
       {.type = ValueType::Text},
       "Regular expression that is found in the paths of the modules that multiply so; empty: all "
       "linear modules of layers."},
      {"gradient.scale",
       {.type = ValueType::Number,
        .defaultText = "1",
        .choices = {"auto"},
        .minimum = 1e-12,
        .maximum = 1e12},
       "What the loss is multiplied by before the backward pass; gradients are divided by it "
       "before they are compared. auto: the largest power of two that keeps all float16 "
       "gradients finite, found by one more backward pass or two."},
      {"runtime.threads",
       integer("0", 0, 4096),
       "Threads of a run on the CPU. 0: those of the command line."},
      {"runtime.deterministic",
       flag("false"),
       "torch.use_deterministic_algorithms: only kernels that repeat their results bit for bit; "
       "a run that needs another one fails."},
  };
}

KeyRows ruleKeys() {
  return {
      {"precision.rules",
       emptyList(ValueType::RuleList),
       "Formats of single layers, modules or operations: a list of {match, pass, …_dtype}. match "
       "is a regular expression that is found in module paths (model.layers.0.mlp.down_proj, "
       "loss); pass is forward, backward or both; the formats are named like the keys above, and "
       "those that a rule leaves open follow what it sets. Later rules win. A rule that matches "
       "nothing is an error."},
      {"precision.cast",
       choice("load", {"load", "module"}),
       "load: parameters are rounded, rotary tables are computed in float32, as "
       "from_pretrained(dtype=...) does; module: buffers are rounded as well, as model.to(dtype) "
       "does."},
  };
}

KeyRows outputKeys() {
  return {
      {"capture.level",
       choice("module", {"layer", "module", "op"}),
       "layer: embeddings, decoder layers, final norm, logits and loss; module: also every "
       "module inside the layers; op: also the operations between modules (docs/levels.md), of "
       "which scores and softmax need attention.implementation: eager; with engine: python every "
       "operation that torch runs (docs/engines.md)."},
      {"capture.tensors",
       choice("full", {"none", "sampled", "full"}),
       "What of the captured tensors is kept in tensors.h5. Metrics always use all elements."},
      {"capture.backward", flag("true"), "false: only the forward pass runs, without autograd."},
      {"capture.parameter_gradients",
       flag("true"),
       "Also compare the gradient of every parameter."},
      {"capture.kernels",
       flag("true"),
       "On CUDA: also record which kernels ran for every row, in the last micro-batch of the first "
       "sample; with python.compile, on any device, those that it made (docs/kernels.md)."},
      {"capture.include",
       emptyList(ValueType::PatternList),
       "Regular expressions; a site is captured when one is found in its name. Empty: all."},
      {"capture.exclude",
       emptyList(ValueType::PatternList),
       "Regular expressions; a site whose name matches one is not captured."},
      {"device",
       {.type = ValueType::DeviceName, .defaultText = "auto"},
       "auto, cpu, cuda or cuda:N; or several, [cuda:0, cuda:1] or cuda:all, over which the runs "
       "are shared out, a worker on each; or cuda:0+cuda:1, which have a model's layers in turn "
       "(docs/gpu.md). auto: the first CUDA device if there is one."},
      {"output_dir",
       {.type = ValueType::Path},
       "Folder of the report, made when missing; relative to the working folder. Default: runs/ "
       "and the name of the study file."},
      {"noise_floor",
       emptyList(ValueType::NameList, {"repeat", "float64", "threads", "attention", "batch_order"}),
       "The reference against itself, to measure what is not precision: the same again, with "
       "another number of threads, with another attention kernel, with the sequences of each "
       "micro-batch in reverse order; float64 is no noise but the reference's own rounding "
       "error. Each is one more run. On CUDA repeat unless the study says otherwise."},
  };
}

}  // namespace

std::span<const Key> schemaKeys() {
  static const std::vector<Key> kKeys = [] {
    std::vector<Key> keys;
    const auto add = [&keys](KeyScope scope, const KeyRows& rows) {
      for (const KeyRow& row : rows) {
        Key& key = keys.emplace_back(row.values);
        key.path = row.path;
        key.scope = scope;
        key.help = row.help;
      }
    };
    for (const auto& rows : {modelKeys,
                             engineKeys,
                             inputKeys,
                             textKeys,
                             documentKeys,
                             lossKeys,
                             policyKeys,
                             optimizerKeys}) {
      add(KeyScope::Study, rows());
    }
    for (const auto& rows : {streamFormatKeys,
                             blockFormatKeys,
                             roundingKeys,
                             kernelKeys,
                             batchKeys,
                             machineKeys,
                             ruleKeys}) {
      add(KeyScope::Run, rows());
    }
    std::ranges::copy(pythonKeys(), std::back_inserter(keys));
    add(KeyScope::Study, outputKeys());
    return keys;
  }();
  return kKeys;
}

}  // namespace ulp::study
