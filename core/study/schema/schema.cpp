#include "core/study/schema/schema.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/edit_distance.h"
#include "core/numerics/rounding/number_format.h"
#include "core/study/schema/loss_keys.h"
#include "core/study/schema/nearest_path.h"
#include "core/study/schema/optimizer_keys.h"

namespace ulp::study {
namespace {

std::vector<std::string_view> formatNames() {
  std::vector<std::string_view> names;
  for (const numerics::FormatDescription& format : numerics::numberFormats()) {
    names.push_back(format.name);
  }
  return names;
}

std::vector<Key> modelKeys() {
  return {
      {.path = "model.path",
       .type = ValueType::Path,
       .help = "A Hugging Face folder, a .gguf file, or a hub ID that is in the local cache. A "
               "relative path is looked up from the working folder, then from the study's folder."},
      {.path = "model.weights",
       .type = ValueType::Choice,
       .defaultText = "pretrained",
       .choices = {"pretrained", "random"},
       .help = "random: initialised as the reference implementation of the family does, from "
               "model.seed; the model's folder then needs config.json alone."},
      {.path = "model.seed",
       .type = ValueType::Integer,
       .defaultText = "0",
       .minimum = 0,
       .maximum = kLargestSeed,
       .help = "Seed of random weights."},
      {.path = "model.architecture",
       .type = ValueType::Object,
       .defaultText = "{}",
       .help = "Fields that replace those of the checkpoint's config.json."},
  };
}

std::vector<Key> inputKeys() {
  return {
      {.path = "input.source",
       .type = ValueType::Choice,
       .defaultText = "random",
       .choices = {"random", "tokens", "text", "dataset"},
       .help =
           "random: ids drawn uniformly from the vocabulary; tokens: ids from input.path; text, "
           "dataset: the model's tokenizer makes ids of the file input.path."},
      {.path = "input.path",
       .type = ValueType::Path,
       .help =
           "tokens: ids, int64 [batch, T+1], .npy, .safetensors or .json; text: UTF-8; dataset: "
           "documents, one JSON object a line in .jsonl, else paragraphs or lines. Relative as "
           "model.path."},
      {.path = "input.sequence_length",
       .type = ValueType::Integer,
       .defaultText = "128",
       .minimum = 1,
       .maximum = 1 << 24,
       .help = "T, the number of input positions; T+1 tokens are drawn, the labels are the next "
               "tokens. With tokens from a file: the file's, and it must agree when it is set."},
      {.path = "input.micro_batch_size",
       .type = ValueType::Integer,
       .defaultText = "1",
       .minimum = 1,
       .maximum = 1 << 20,
       .help = "Number of sequences. With tokens from a file: the file's, and it must agree when "
               "it is set."},
      {.path = "input.seed",
       .type = ValueType::Integer,
       .defaultText = "0",
       .minimum = 0,
       .maximum = kLargestSeed,
       .help = "Seed of random tokens: torch.randint(0, vocabulary, (batch, T+1)) of a CPU "
               "generator."},
  };
}

std::vector<Key> documentKeys() {
  return {
      {.path = "input.documents",
       .type = ValueType::DocumentList,
       .defaultText = "[]",
       .help = "Lengths of the documents that are packed into a sequence of T+1 tokens: attention "
               "stays within a document and its first token is nobody's label. A list of such "
               "lists gives the micro-batches their own, in turn. Empty: one document."},
      {.path = "input.padding",
       .type = ValueType::Integer,
       .defaultText = "0",
       .minimum = 0,
       .maximum = 1 << 24,
       .help = "Tokens at the end of each sequence that belong to no document and have no label."},
      {.path = "input.unlabelled",
       .type = ValueType::RangeList,
       .defaultText = "[]",
       .help = "Ranges [begin, end) of the T+1 tokens of a sequence that are no labels, such as "
               "prompts."},
      {.path = "schedule.micro_batches",
       .type = ValueType::Integer,
       .defaultText = "1",
       .minimum = 1,
       .maximum = 1 << 16,
       .help = "Micro-batches of the step. Losses are means over the whole step and gradients are "
               "added up; activations are compared on all of them together, kept on the last."},
      {.path = "schedule.docs_per_step",
       .type = ValueType::Integer,
       .defaultText = "0",
       .minimum = 0,
       .maximum = 1 << 24,
       .help = "Micro-batches are drawn until the step has this many documents; the last one is "
               "kept whole. 0: schedule.micro_batches decides."},
  };
}

std::vector<Key> textKeys() {
  return {
      {.path = "input.sequences",
       .type = ValueType::Integer,
       .minimum = 1,
       .maximum = 1 << 20,
       .help = "How many sequences are evaluated, a multiple of those of a step (input."
               "micro_batch_size times its micro-batches). More than one step's are samples: each "
               "is evaluated on its own, and all numbers are means over them. Default: one step's. "
               "With tokens from a file: its first."},
      {.path = "input.field",
       .type = ValueType::Text,
       .help =
           "Field of a dataset's JSON objects that holds the text or, with input.chat_template, "
           "the messages. Default: text; messages."},
      {.path = "input.chat_template",
       .type = ValueType::Boolean,
       .defaultText = "false",
       .help = "A dataset's objects are conversations, which the model's chat template writes: "
               "messages, each with role and content, or problem and solution."},
      {.path = "input.tokenizer",
       .type = ValueType::Path,
       .help =
           "Folder, tokenizer.json, tokenizer.model or .gguf file of the tokenizer for text and "
           "dataset. Default: that of model.path. Relative as model.path."},
  };
}

/// A format that follows another one where nobody sets it.
Key formatKey(std::string_view path, std::string_view help) {
  return {.path = path,
          .type = ValueType::DTypeName,
          .scope = KeyScope::Run,
          .choices = formatNames(),
          .help = help};
}

/// A kernel that both libraries have, each in its own way.
Key kernelKey(std::string_view path, std::string_view help) {
  return {.path = path,
          .type = ValueType::Choice,
          .scope = KeyScope::Run,
          .choices = {"transformers", "fused"},
          .help = help};
}

std::vector<Key> streamFormatKeys() {
  return {
      {.path = "precision.compute_dtype",
       .type = ValueType::DTypeName,
       .scope = KeyScope::Run,
       .defaultText = "float32",
       .choices = formatNames(),
       .help = "Format of matrix products and of whatever has no key of its own; results and "
               "gradients are rounded to it."},
      formatKey("precision.weights_dtype",
                "Format that parameters are rounded to before an operation reads them, in its own "
                "format. Default: the compute dtype of the run."),
      formatKey("precision.residual_dtype",
                "Format of the residual stream. Default: the compute dtype of the run."),
      formatKey("precision.lm_head_dtype",
                "Format of the final matrix product; the head's weights are first rounded to the "
                "weights dtype. Default: the compute dtype of the run."),
      formatKey("precision.logits_dtype",
                "Format of the logits, as the loss receives them. Default: the LM head's."),
      formatKey("precision.loss_dtype",
                "Format that the loss computes in. Default: float32, or float64 when the logits "
                "are."),
      formatKey("precision.gradient_dtype",
                "Format of the buffers that a parameter's gradient is added up in. Default: the "
                "compute dtype; float32 with semantics: fast_llm."),
      formatKey("precision.optimizer_dtype",
                "Format that the state of the optimizer (optimizer.type) is rounded to after each "
                "update. Default: float32, or float64 when the compute dtype is."),
  };
}

std::vector<Key> blockFormatKeys() {
  return {
      formatKey("precision.norm_statistics_dtype",
                "Format inside norms: square, mean and quotient. Default: float32, or float64 when "
                "the compute dtype or the residual stream is."),
      formatKey("precision.norm_output_dtype",
                "Format that normalised numbers are rounded to and multiplied by the weight in. "
                "Default: the compute dtype."),
      formatKey("precision.rotary_table_dtype",
                "Format of the cosines and sines. Default: the compute dtype; at least float32 "
                "with rotary.implementation: fused."),
      formatKey("precision.rotary_dtype",
                "Format in which queries and keys are rotated. Default: the compute dtype; at "
                "least float32 with rotary.implementation: fused."),
      formatKey("precision.attention_scores_dtype",
                "Format of the products of queries and keys; needs attention.implementation: "
                "eager. Default: the compute dtype."),
      formatKey("precision.softmax_dtype",
                "Format of the softmax over the scores; needs attention.implementation: eager. "
                "Default: float32, or float64 when the compute dtype is."),
      formatKey("precision.activation_dtype",
                "Format of the MLP's activation function and of its product with the other branch. "
                "Default: the compute dtype; at least float32 with mlp.implementation: fused."),
  };
}

std::vector<Key> kernelKeys() {
  return {
      {.path = "semantics",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "transformers",
       .choices = {"transformers", "fast_llm"},
       .help =
           "Whose operations the run follows, bit for bit. fast_llm (its CPU path): fused norms "
           "and rotary embeddings, keys and values and gate and up projected together, keys "
           "and values expanded, its softmax cross-entropy, float32 gradient buffers."},
      kernelKey("norm.implementation",
                "transformers: the weight multiplies after rounding; fused: torch.rms_norm of the "
                "input rounded to the compute dtype, rounded once. Default: fused with semantics: "
                "fast_llm."),
      kernelKey("rotary.implementation",
                "transformers: float32 angles, every operation of the rotation rounded; fused: "
                "tables of float64 angles, the rotation rounded once. Default: fused with "
                "semantics: fast_llm."),
      kernelKey("mlp.implementation",
                "transformers: activation and product rounded one by one; fused: rounded once, as "
                "Triton's kernels do. Default: transformers, also with semantics: fast_llm, whose "
                "CPU path rounds both."),
      {.path = "attention.implementation",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "sdpa",
       .choices = {"eager", "sdpa", "sdpa_math", "sdpa_flash", "sdpa_efficient", "sdpa_cudnn"},
       .help = "eager: scores, softmax and product one by one (with semantics: fast_llm what "
               "Fast-LLM calls backup); sdpa: the fused kernel that PyTorch prefers; sdpa_…: that "
               "one, and an error where the device or the formats have none."},
  };
}

std::vector<Key> roundingKeys() {
  return {
      {.path = "precision.rounding",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "nearest",
       .choices = {"nearest", "stochastic"},
       .help = "How numbers are cast to a narrower or a simulated format: to the nearest, ties to "
               "even, or up with the probability of the distance. What kernels round inside is "
               "rounded to the nearest."},
      {.path = "precision.rounding_seed",
       .type = ValueType::Integer,
       .scope = KeyScope::Run,
       .defaultText = "0",
       .minimum = 0,
       .maximum = kLargestSeed,
       .help = "Seed of stochastic rounding."},
      {.path = "precision.overflow",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "propagate",
       .choices = {"propagate", "saturate"},
       .help = "What becomes of numbers beyond the range of float8_e4m3fn and float8_e5m2: NaN or "
               "infinity as torch's casts make them, or the largest finite number. Block-scaled "
               "formats always saturate, float16 and bfloat16 never."},
  };
}

std::vector<Key> machineKeys() {
  return {
      {.path = "matmul.float32_precision",
       .type = ValueType::Choice,
       .scope = KeyScope::Run,
       .defaultText = "highest",
       .choices = {"highest", "high", "medium"},
       .help = "torch.set_float32_matmul_precision: what products of float32 may be made of. high: "
               "tf32; medium: bfloat16, where the device has units for it."},
      {.path = "matmul.reduced_precision_reduction",
       .type = ValueType::Boolean,
       .scope = KeyScope::Run,
       .defaultText = "true",
       .help = "Whether cuBLAS may add up products of bfloat16 and float16 in these formats, as "
               "PyTorch lets it; processors never do."},
      {.path = "gradient.scale",
       .type = ValueType::Number,
       .scope = KeyScope::Run,
       .defaultText = "1",
       .choices = {"auto"},
       .minimum = 1e-12,
       .maximum = 1e12,
       .help =
           "What the loss is multiplied by before the backward pass; gradients are divided by it "
           "before they are compared. auto: the largest power of two that keeps all float16 "
           "gradients finite, found by one more backward pass or two."},
      {.path = "runtime.threads",
       .type = ValueType::Integer,
       .scope = KeyScope::Run,
       .defaultText = "0",
       .minimum = 0,
       .maximum = 4096,
       .help = "Threads of a run on the CPU. 0: those of the command line."},
      {.path = "runtime.deterministic",
       .type = ValueType::Boolean,
       .scope = KeyScope::Run,
       .defaultText = "false",
       .help = "torch.use_deterministic_algorithms: only kernels that repeat their results bit for "
               "bit; a run that needs another one fails."},
  };
}

std::vector<Key> runKeys() {
  std::vector<Key> keys = streamFormatKeys();
  for (const auto& group : {blockFormatKeys(), roundingKeys(), kernelKeys(), machineKeys()}) {
    keys.insert(keys.end(), group.begin(), group.end());
  }
  keys.push_back(
      {.path = "precision.rules",
       .type = ValueType::RuleList,
       .scope = KeyScope::Run,
       .defaultText = "[]",
       .help = "Formats of single layers, modules or operations: a list of {match, pass, "
               "…_dtype}. match is a regular expression that is found in module paths "
               "(model.layers.0.mlp.down_proj, loss); pass is forward, backward or both; the "
               "formats are named like the keys above, and those that a rule leaves open follow "
               "what it sets. Later rules win. A rule that matches nothing is an error."});
  keys.push_back({.path = "precision.cast",
                  .type = ValueType::Choice,
                  .scope = KeyScope::Run,
                  .defaultText = "load",
                  .choices = {"load", "module"},
                  .help =
                      "load: parameters are rounded, rotary tables are computed in float32, as "
                      "from_pretrained(dtype=...) does; module: buffers are rounded as well, as "
                      "model.to(dtype) does."});
  return keys;
}

Key noiseFloorKey() {
  return {.path = "noise_floor",
          .type = ValueType::NameList,
          .defaultText = "[]",
          .choices = {"repeat", "float64", "threads", "attention", "batch_order"},
          .help =
              "The reference against itself, to measure what is not precision: the same again, "
              "with another number of threads, with another attention kernel, with the "
              "sequences of each micro-batch in reverse order; float64 is no noise but the "
              "reference's own rounding error. Each is one more run."};
}

std::vector<Key> outputKeys() {
  return {
      {.path = "capture.level",
       .type = ValueType::Choice,
       .defaultText = "module",
       .choices = {"layer", "module", "op"},
       .help =
           "layer: embeddings, decoder layers, final norm, logits and loss; module: also every "
           "module inside the layers; op: also the operations between modules (docs/levels.md), "
           "of which scores and softmax need attention.implementation: eager."},
      {.path = "capture.tensors",
       .type = ValueType::Choice,
       .defaultText = "full",
       .choices = {"none", "sampled", "full"},
       .help = "What of the captured tensors is kept in tensors.h5. Metrics always use all "
               "elements."},
      {.path = "capture.backward",
       .type = ValueType::Boolean,
       .defaultText = "true",
       .help = "false: only the forward pass runs, without autograd."},
      {.path = "capture.parameter_gradients",
       .type = ValueType::Boolean,
       .defaultText = "true",
       .help = "Also compare the gradient of every parameter."},
      {.path = "capture.include",
       .type = ValueType::PatternList,
       .defaultText = "[]",
       .help =
           "Regular expressions; a site is captured when one is found in its name. Empty: all."},
      {.path = "capture.exclude",
       .type = ValueType::PatternList,
       .defaultText = "[]",
       .help = "Regular expressions; a site whose name matches one is not captured."},
      {.path = "device",
       .type = ValueType::DeviceName,
       .defaultText = "auto",
       .help = "auto, cpu, cuda or cuda:N. auto: the first CUDA device if there is one."},
      {.path = "output_dir",
       .type = ValueType::Path,
       .help = "Folder of the report, made when missing; relative to the working folder. Default: "
               "runs/ and the name of the study file."},
  };
}

std::vector<Key> allKeys() {
  std::vector<Key> keys = modelKeys();
  for (const auto& group : {inputKeys(),
                            textKeys(),
                            documentKeys(),
                            lossKeys(),
                            optimizerKeys(),
                            runKeys(),
                            outputKeys()}) {
    keys.insert(keys.end(), group.begin(), group.end());
  }
  keys.push_back(noiseFloorKey());
  return keys;
}

std::string valuesOf(const Key& key) {
  if (key.type == ValueType::Integer && key.minimum) {
    return fmt::format(">= {}", *key.minimum);
  }
  if (key.type == ValueType::Number && !key.choices.empty()) {
    return fmt::format("{} | a number", fmt::join(key.choices, " | "));
  }
  return fmt::format("{}", fmt::join(key.choices, " | "));
}

}  // namespace

std::span<const Key> schemaKeys() {
  static const std::vector<Key> kKeys = allKeys();
  return kKeys;
}

const Key* findKey(std::string_view path) {
  const auto keys = schemaKeys();
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.path == path; });
  return found == keys.end() ? nullptr : &*found;
}

bool isSection(std::string_view path) {
  const auto keys = schemaKeys();
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
    return key.path.size() > path.size() && key.path.starts_with(path) &&
           key.path[path.size()] == '.';
  });
}

std::string_view nearestKey(std::string_view path) {
  std::vector<std::string_view> known;
  for (const Key& key : schemaKeys()) {
    known.push_back(key.path);
  }
  return nearestPath(path, known);
}

std::string_view nearestSection(std::string_view path) {
  for (const Key& key : schemaKeys()) {
    const std::string_view section = key.path.substr(0, key.path.find('.'));
    if (section != key.path && editDistance(section, path) <= 2) {
      return section;
    }
  }
  return {};
}

std::string_view toString(ValueType type) {
  constexpr std::array<std::string_view, 15> kNames{"text",
                                                    "path",
                                                    "integer",
                                                    "number",
                                                    "boolean",
                                                    "dtype",
                                                    "choice",
                                                    "device",
                                                    "patterns",
                                                    "names",
                                                    "object",
                                                    "rules",
                                                    "documents",
                                                    "ranges",
                                                    "terms"};
  return kNames.at(static_cast<std::size_t>(type));
}

bool isStructuredType(ValueType type) {
  constexpr std::array<ValueType, 7> kStructured{ValueType::PatternList,
                                                 ValueType::NameList,
                                                 ValueType::Object,
                                                 ValueType::RuleList,
                                                 ValueType::DocumentList,
                                                 ValueType::RangeList,
                                                 ValueType::LossTermList};
  return std::find(kStructured.begin(), kStructured.end(), type) != kStructured.end();
}

std::string schemaHelp() {
  constexpr std::string_view kRow = "{:<28} {:<6} {:<9} {:<14} {}";
  std::string text = fmt::format(kRow, "key", "scope", "type", "default", "values") + '\n';
  for (const Key& key : schemaKeys()) {
    std::string row = fmt::format(kRow,
                                  key.path,
                                  key.scope == KeyScope::Run ? "run" : "study",
                                  toString(key.type),
                                  key.defaultText.empty() ? "-" : key.defaultText,
                                  valuesOf(key));
    row.erase(row.find_last_not_of(' ') + 1);
    text += fmt::format("{}\n    {}\n", row, key.help);
  }
  text +=
      "\nreference: {KEY: VALUE, ...}         run keys of the reference, on top of float32\n"
      "variants: {NAME: {KEY: VALUE, ...}}  run keys of each variant\n"
      "Keys are written nested (precision: {compute_dtype: bfloat16}) or dotted\n"
      "(precision.compute_dtype: bfloat16). docs/study.md explains which setting wins.\n";
  return text;
}

std::string schemaMarkdown() {
  std::string text =
      "| key | scope | type | default | values | meaning |\n|---|---|---|---|---|---|\n";
  for (const Key& key : schemaKeys()) {
    std::string values = valuesOf(key);
    for (std::size_t at = values.find(" | "); at != std::string::npos; at = values.find(" | ")) {
      values.replace(at, 3, ", ");
    }
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n",
                        key.path,
                        key.scope == KeyScope::Run ? "run" : "study",
                        toString(key.type),
                        key.defaultText.empty() ? "–" : fmt::format("`{}`", key.defaultText),
                        values,
                        key.help);
  }
  return text;
}

}  // namespace ulp::study
