#include "core/study/fast_llm/fast_llm_paths.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/study/schema/schema.h"

namespace ulp::study {
namespace {

using Values = std::vector<std::pair<std::string_view, std::string_view>>;
using Rows = std::vector<FastLlmPath>;

FastLlmPath honoured(std::string_view path,
                     std::string_view target,
                     Values values = {},
                     std::string_view reason = {}) {
  return {.path = std::string(path),
          .treatment = FastLlmTreatment::Honoured,
          .target = target,
          .values = std::move(values),
          .reason = reason};
}

FastLlmPath as(FastLlmValue value, FastLlmPath row) {
  row.value = value;
  return row;
}

FastLlmPath architecture(std::string_view path, std::string_view field, Values values = {}) {
  constexpr std::string_view kReason = "replaces the field of the checkpoint's config.json";
  return as(FastLlmValue::Architecture, honoured(path, field, std::move(values), kReason));
}

/// A setting of the optimizer, whose step Fast-LLM's tool does not compare.
FastLlmPath optimizer(std::string_view path, std::string_view target) {
  constexpr std::string_view kReason =
      "for the step that optimizer.type: adamw compares, which the tool has not; set for all runs "
      "together";
  return as(FastLlmValue::Shared, honoured(path, target, {}, kReason));
}

FastLlmPath loss(std::string_view path, std::string_view target, std::string_view reason = {}) {
  return {.path = std::string(path),
          .treatment = FastLlmTreatment::Loss,
          .target = target,
          .reason = reason};
}

FastLlmPath neutral(std::string_view path, std::string_view reason, Values values = {}) {
  return {.path = std::string(path),
          .treatment = FastLlmTreatment::Neutral,
          .values = std::move(values),
          .reason = reason};
}

FastLlmPath refused(std::string_view path, std::string_view reason) {
  return {.path = std::string(path), .treatment = FastLlmTreatment::Refused, .reason = reason};
}

/// true: float32, false: the compute dtype of the run.
Values fullPrecision() {
  return {{"true", "float32"}, {"false", kFastLlmCompute}};
}

Values only(std::initializer_list<std::string_view> accepted) {
  Values values;
  for (const std::string_view value : accepted) {
    values.emplace_back(value, "");
  }
  return values;
}

constexpr std::string_view kFromCheckpoint = "comes from the checkpoint's config.json";
constexpr std::string_view kOneProcess = "Ulpscope runs in one process";
constexpr std::string_view kNoUpdate =
    "parameters are not updated: gradients are compared before clipping and optimizer";
constexpr std::string_view kOwnCapture =
    "Ulpscope captures tensors by capture.*, all of them whole";
constexpr std::string_view kOwnLogs = "Ulpscope writes its own log and folders";

Rows toolRows() {
  return {
      honoured("pretrained.path", "model.path", {}, "a local folder, or a hub id in the cache"),
      neutral("pretrained.format", "the checkpoint's config.json tells the family"),
      honoured("pretrained.model_weights",
               "model.weights",
               {{"true", "pretrained"}, {"false", "random"}},
               "random weights are those that transformers draws, not Fast-LLM's"),
      neutral("pretrained.load_config",
              "the architecture is the checkpoint's",
              only({"model", "architecture", "fast_llm"})),
      honoured("output_dir", "output_dir"),
      neutral("num_samples", "every element is compared, none is sampled"),
      as(FastLlmValue::LessOne,
         honoured("sequence_length",
                  "input.sequence_length",
                  {},
                  "number of tokens; one of them is a label only. Default: 2048")),
      neutral("micro_batch_size",
              "one sequence; in Fast-LLM it counts tokens, and 1 made its figures those of a "
              "single token. More sequences: input.micro_batch_size in a study of Ulpscope's own",
              only({"1"})),
      neutral("data_path",
              "documents of random characters, made by the tool: Ulpscope draws random tokens and "
              "advantages, and takes the reference's log-probabilities with noise as the old ones"),
      honoured("input_text_file", "input.path", {}, "with input.source: text"),
      honoured("forward_only", "capture.backward", {{"true", "false"}, {"false", "true"}}),
      honoured("input_dataset",
               "input.path",
               {},
               "a local file, one JSON object a line with problem and solution, with input.source: "
               "dataset and input.chat_template: true; short sequences are filled by the next"),
      honoured("num_sequences", "input.sequences", {}, "with input_dataset. Default: 256"),
      honoured("_torch_backend.cuda.matmul.allow_bf16_reduced_precision_reduction",
               "matmul.reduced_precision_reduction",
               {{"true", "true"}, {"false", "false"}},
               "false unless a variant says otherwise, as in the tool"),
      honoured("_torch_backend.cuda.matmul.allow_tf32",
               "matmul.float32_precision",
               {{"true", "high"}, {"false", "highest"}}),
      neutral("_torch_backend.cudnn.**", "these models call no kernel of cuDNN but attention's"),
      refused("_torch_backend.**", "no key of Ulpscope sets this switch of PyTorch"),
      honoured("_torch_matmul_precision",
               "matmul.float32_precision",
               {{"highest", "highest"}, {"high", "high"}, {"medium", "medium"}}),
  };
}

/// Below model.
Rows distributedRows() {
  return {
      honoured("distributed.compute_dtype",
               "precision.compute_dtype",
               {},
               "in variants; outside of them the tool replaces it by float32"),
      neutral("distributed.optimization_dtype",
              "Fast-LLM itself fails with anything else",
              only({"float32", "fp32"})),
      honoured("distributed.use_cuda", "device", {{"true", "cuda"}, {"false", "cpu"}}),
      honoured("distributed.seed", "model.seed", {}, "of random weights"),
      neutral("distributed.backend", kOneProcess),
      neutral("distributed.tensor_parallel", kOneProcess, only({"1"})),
      neutral("distributed.pipeline_parallel", kOneProcess, only({"1"})),
      neutral("distributed.sequence_data_parallel", kOneProcess, only({"1"})),
      neutral("distributed.sequence_tensor_parallel", kOneProcess, only({"false"})),
      neutral("distributed.world_size", kOneProcess, only({"1"})),
      neutral("distributed.local_world_size", kOneProcess, only({"1"})),
      neutral("distributed.rank", kOneProcess, only({"0"})),
      neutral("distributed.pipeline_first", kOneProcess),
      neutral("distributed.timeout", kOneProcess),
      neutral("distributed.force_cpu_initialization", "weights are read from files"),
      neutral("distributed.reproducible_init", "weights are read from files"),
      neutral("distributed.*_seed_shift", "nothing of this is drawn"),
      honoured("multi_stage.full_precision_gradients", "precision.gradient_dtype", fullPrecision()),
      neutral("multi_stage.store_frozen_weights_in_optimization_precision",
              "no weights are frozen"),
      neutral("multi_stage.debug_*", kOwnCapture),
      neutral("multi_stage.zero_stage", kOneProcess),
      neutral("multi_stage.layers_per_stage", kOneProcess),
      neutral("multi_stage.stages_per_pipeline_stage", kOneProcess),
      neutral("multi_stage.num_weight_buffers", kOneProcess),
      neutral("multi_stage.num_grad_buffers", kOneProcess),
      neutral("multi_stage.pipeline_delay", kOneProcess),
      neutral("checkpoint_formats", "nothing is saved"),
      neutral("type", "the only type with evaluations of precision", only({"gpt"})),
  };
}

/// Below model.base_model.
Rows attentionRows() {
  constexpr std::string_view kNoDropout = "masks differ between kernels: no comparison is possible";
  return {
      honoured("decoder.block.mixer.implementation",
               "attention.implementation",
               {{"auto", "sdpa"},
                {"sdpa", "sdpa"},
                {"sdpa_dense", "sdpa"},
                {"sdpa_nested", "sdpa"},
                {"flash", "sdpa_flash"},
                {"backup", "eager"}},
               "auto takes the same kernel for all dtypes, unlike Fast-LLM's; flash is PyTorch's "
               "kernel of the same algorithm"),
      neutral("decoder.block.mixer.use_flash_attention", "mixer.implementation decides"),
      neutral("decoder.block.mixer.dropout", kNoDropout, only({"0"})),
      neutral("decoder.block.dropout", kNoDropout, only({"0"})),
      neutral("embeddings.dropout", kNoDropout, only({"0"})),
      neutral("decoder.block.mixer.softmax_scale_power",
              "scores are divided by the root of the head's size",
              only({"0.5"})),
      neutral("decoder.block.mixer.type", kFromCheckpoint, only({"attention"})),
      neutral("decoder.block.mixer.rotary.type", kFromCheckpoint, only({"default"})),
      architecture("decoder.block.mixer.rotary.theta", "rope_theta"),
      architecture("decoder.block.mixer.heads", "num_attention_heads"),
      architecture("decoder.block.mixer.head_groups", "num_key_value_heads"),
      architecture("decoder.block.mixer.head_size", "head_dim"),
      neutral("decoder.block.mixer.causal", kFromCheckpoint, only({"true"})),
      neutral("decoder.block.mixer.shared_key_value", kFromCheckpoint, only({"false"})),
      refused("decoder.block.mixer.rotary.*", kFromCheckpoint),
      refused("decoder.block.mixer.add_linear_biases", kFromCheckpoint),
      refused("decoder.block.mixer.window_size", kFromCheckpoint),
      refused("decoder.block.mixer.query_norm.**", kFromCheckpoint),
      refused("decoder.block.mixer.key_norm.**", kFromCheckpoint),
      refused("decoder.block.mixer.value_norm.**", kFromCheckpoint),
  };
}

/// Below decoder.block.normalization and head.normalization of model.base_model.
Rows normRows() {
  return {
      neutral("type", kFromCheckpoint, only({"rms_norm"})),
      honoured("implementation",
               "norm.implementation",
               {{"auto", "fused"}, {"torch", "fused"}},
               "fused, fast and triton read a float32 residual unrounded, which no key of Ulpscope "
               "says of semantics: fast_llm"),
      refused("*", kFromCheckpoint),
  };
}

/// Below model.base_model.
Rows blockRows() {
  return {
      architecture("decoder.block.normalization.epsilon", "rms_norm_eps"),
      neutral("decoder.block.normalization.zero_centered", kFromCheckpoint, only({"false"})),
      neutral("head.normalization.zero_centered", kFromCheckpoint, only({"false"})),
      neutral("decoder.block.mlp.type", kFromCheckpoint, only({"mlp"})),
      neutral("decoder.block.mlp.gated", kFromCheckpoint, only({"true"})),
      neutral("decoder.block.mlp.recompute_level",
              "what is computed again is the same bit for bit"),
      neutral("decoder.block.mlp.implementation",
              "dropless multiplies by a Triton kernel that rounds elsewhere",
              only({"auto", "looped"})),
      architecture("decoder.block.mlp.intermediate_size", "intermediate_size"),
      architecture("decoder.block.mlp.activation",
                   "hidden_act",
                   {{"silu", "silu"}, {"relu", "relu"}, {"gelu", "gelu_pytorch_tanh"}}),
      refused("decoder.block.mlp.add_linear_biases", kFromCheckpoint),
      refused("decoder.block.mlp.pre_norm.**", kFromCheckpoint),
      refused("decoder.block.mlp.post_norm.**", kFromCheckpoint),
      refused("decoder.block.output_scale.**", kFromCheckpoint),
      refused("decoder.block.distillation_*", "no model is distilled"),
      refused("decoder.block.*_normalization.**", kFromCheckpoint),
      architecture("decoder.num_blocks", "num_hidden_layers"),
      neutral("decoder.type", kFromCheckpoint, only({"fixed"})),
      neutral("decoder.block.type", kFromCheckpoint, only({"decoder"})),
      refused("decoder.blocks.**",
              "blocks that differ: the checkpoint says so; formats of single layers are "
              "precision.rules in a study of Ulpscope's own"),
      refused("decoder.pattern", kFromCheckpoint),
  };
}

/// Below model.base_model.
Rows endRows() {
  return {
      honoured("embeddings.full_precision_residual", "precision.residual_dtype", fullPrecision()),
      honoured("head.fp32_lm_head", "precision.lm_head_dtype", fullPrecision()),
      neutral("head.cross_entropy_splits",
              "splits change the order of the loss's sum, and the tool fails with them",
              only({"1"})),
      loss("head.logits_scale_factor",
           "loss.logits_scale",
           "times that of the loss, which all losses must share"),
      refused("head.final_logit_softcap", kFromCheckpoint),
      neutral("head.loss_implementation",
              "fused losses add gradients in float32 and round once",
              only({"auto", "per_loss"})),
      neutral("head.prediction_heads", kFromCheckpoint, only({"1"})),
      refused("head.prediction_loss_coefficient", kFromCheckpoint),
      refused("head.losses", "is a map of names to losses"),
      loss("head.losses.*.type",
           "loss.type",
           "label: cross_entropy; z_loss, grpo, gspo: the same (gspo: mean over documents, as in "
           "the "
           "tool); several become loss.terms, in the order of their names"),
      loss("head.losses.*.weight", "loss.terms"),
      loss("head.losses.*.epsilon_low", "loss.epsilon_low"),
      loss("head.losses.*.epsilon_high", "loss.epsilon_high"),
      loss("head.losses.*.logits_scale_factor", "loss.logits_scale"),
      neutral(
          "head.losses.*.loss_type", "no other is known", only({"cross_entropy", "forward_kl"})),
      neutral("head.losses.*.use_triton", "float32 inside either way"),
      neutral("head.losses.*.implementation", "float32 inside either way"),
      neutral("head.losses.*.metrics", "all metrics are reported"),
      architecture("embeddings.vocab_size", "vocab_size"),
      neutral("embeddings.num_position_embeddings", "positions are rotated"),
      neutral("embeddings.vocab_parallel", kOneProcess),
      neutral("embeddings.embedding_scale", kFromCheckpoint, only({"1"})),
      architecture("hidden_size", "hidden_size"),
      architecture("tied_embedding_weight", "tie_word_embeddings"),
      neutral("peft.type", "adapters are not read", only({"none"})),
      neutral("use_megatron_initialization", "weights are read from files"),
  };
}

/// Below model.
Rows trainingRows() {
  return {
      neutral("**.lr_scale", kNoUpdate),
      neutral("**.weight_decay", kNoUpdate),
      neutral("**.apply_peft", "adapters are not read"),
  };
}

/// Below model.
Rows genericRows() {
  constexpr std::string_view kInitialization =
      "weights are read from files, or drawn as transformers draws them";
  return {
      refused("**.initialization.**", kInitialization),
      refused("**.enabled", kFromCheckpoint),
      refused("**.type", kFromCheckpoint),
  };
}

Rows runRows() {
  return {
      neutral("run.torch_dynamo_enable", "nothing is compiled; compiled float32 differs by 1e-6"),
      neutral("run.enable_triton_kernels", "Ulpscope computes what Fast-LLM's CPU path computes"),
      neutral("run.triton_linear_kernels",
              "matrix products are those of PyTorch's libraries",
              only({"false"})),
      neutral("run.**", kOwnLogs),
      honoured("schedule.docs_per_step", "schedule.docs_per_step"),
      honoured("schedule.depth_first_micro_batches", "schedule.micro_batches"),
      neutral("schedule.breadth_first_micro_batches", "depth first only", only({"1"})),
      neutral("schedule.micro_batch_splits",
              "a document must be seen whole, and Fast-LLM drops the rows of splits",
              only({"1"})),
      neutral("schedule.**", "one step, one process"),
      honoured("optimizer.gradient_scaler.constant",
               "gradient.scale",
               {},
               "without it float16 variants get gradient.scale: auto, as in the tool"),
      neutral("optimizer.gradient_scaler.*",
              "gradient.scale: auto takes the dynamic scale's place"),
      optimizer("optimizer.learning_rate.base", "optimizer.learning_rate"),
      optimizer("optimizer.weight_decay", "optimizer.weight_decay"),
      optimizer("optimizer.beta_1", "optimizer.beta1"),
      optimizer("optimizer.beta_2", "optimizer.beta2"),
      optimizer("optimizer.epsilon", "optimizer.epsilon"),
      neutral("optimizer.**", kNoUpdate),
      neutral("training.**", kNoUpdate),
      refused("data.**", "the input is that of the study: sequence_length, input_text_file, …"),
  };
}

/// Rows whose paths stand below another one.
Rows below(std::string_view parent, Rows rows) {
  for (FastLlmPath& row : rows) {
    row.path = fmt::format("{}.{}", parent, row.path);
  }
  return rows;
}

Rows allRows() {
  Rows rows = toolRows();
  for (const Rows& group : {below("model", distributedRows()),
                            below("model", trainingRows()),
                            below("model.base_model", attentionRows()),
                            below("model.base_model", blockRows()),
                            below("model.base_model.decoder.block.normalization", normRows()),
                            below("model.base_model.head.normalization", normRows()),
                            below("model.base_model", endRows()),
                            below("model", genericRows()),
                            runRows()}) {
    rows.insert(rows.end(), group.begin(), group.end());
  }
  return rows;
}

std::pair<std::string_view, std::string_view> splitPart(std::string_view path) {
  const std::size_t dot = path.find('.');
  return dot == std::string_view::npos ? std::pair{path, std::string_view{}}
                                       : std::pair{path.substr(0, dot), path.substr(dot + 1)};
}

/// `*` within one part.
bool matchesPart(std::string_view pattern, std::string_view part) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return pattern == part;
  }
  const std::string_view tail = pattern.substr(star + 1);
  return part.size() + 1 >= pattern.size() && part.starts_with(pattern.substr(0, star)) &&
         part.ends_with(tail);
}

bool matches(std::string_view pattern, std::string_view path);

/// The path, or what is left of it after some parts.
bool matchesTail(std::string_view pattern, std::string_view path) {
  return matches(pattern, path) || (!path.empty() && matchesTail(pattern, splitPart(path).second));
}

bool matches(std::string_view pattern, std::string_view path) {
  const auto [head, rest] = splitPart(pattern);
  if (pattern.empty() || path.empty()) {
    return path.empty() && (pattern.empty() || pattern == "**");
  }
  if (head == "**") {
    return matchesTail(rest, path);
  }
  const auto [part, tail] = splitPart(path);
  return matchesPart(head, part) && matches(rest, tail);
}

std::string_view nameOf(FastLlmTreatment treatment) {
  constexpr std::array<std::string_view, 4> kNames{"honoured", "honoured", "neutral", "refused"};
  return kNames.at(static_cast<std::size_t>(treatment));
}

std::string valuesOf(const FastLlmPath& row) {
  std::string text;
  for (const auto& [from, to] : row.values) {
    text += text.empty() ? "" : ", ";
    text +=
        to.empty() || from == to ? fmt::format("`{}`", from) : fmt::format("`{}` → `{}`", from, to);
  }
  return row.value == FastLlmValue::LessOne ? "n → n − 1" : text;
}

}  // namespace

std::span<const FastLlmPath> fastLlmPaths() {
  static const Rows kRows = allRows();
  return kRows;
}

const FastLlmPath* findFastLlmPath(std::string_view path) {
  const auto rows = fastLlmPaths();
  const auto found =
      std::ranges::find_if(rows, [&](const FastLlmPath& row) { return matches(row.path, path); });
  return found == rows.end() ? nullptr : &*found;
}

std::string_view nearestFastLlmPath(std::string_view path) {
  std::vector<std::string_view> known;
  for (const FastLlmPath& row : fastLlmPaths()) {
    if (row.path.find('*') == std::string_view::npos) {
      known.push_back(row.path);
    }
  }
  return nearestPath(path, known);
}

std::string fastLlmMarkdown() {
  std::string text = "| path | treatment | becomes | values | meaning |\n|---|---|---|---|---|\n";
  for (const FastLlmPath& row : fastLlmPaths()) {
    const std::string target = row.target.empty() ? ""
                               : row.value == FastLlmValue::Architecture
                                   ? fmt::format("`model.architecture: {{{}}}`", row.target)
                                   : fmt::format("`{}`", row.target);
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n",
                        row.path,
                        nameOf(row.treatment),
                        target,
                        valuesOf(row),
                        row.reason);
  }
  return text;
}

}  // namespace ulp::study
