#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/engine/families/family.h"
#include "core/engine/network/attention.h"
#include "core/engine/network/config_reader.h"
#include "core/engine/network/layers.h"
#include "core/engine/network/rotary.h"
#include "core/json/value.h"

namespace ulp::engine {
namespace {

/// LlamaConfig, as far as it changes what the model computes.
struct LlamaConfig {
  NetworkFacts facts;
  std::int64_t hidden = 0;
  std::int64_t intermediate = 0;
  std::int64_t heads = 0;
  std::int64_t keyValueHeads = 0;
  std::int64_t headDim = 0;
  double epsilon = 1e-6;
  Activation activation = Activation::Silu;
  bool tied = false;
  bool attentionBias = false;
  bool mlpBias = false;
  RopeParameters rope;
};

std::string layerPath(std::int64_t layer) {
  return "model.layers." + std::to_string(layer);
}

std::vector<ParameterSpec> declareParameters(const LlamaConfig& c) {
  std::vector<ParameterSpec> all;
  int current = -1;
  const auto declareLinear =
      [&](const std::string& module, std::int64_t out, std::int64_t in, bool bias) {
        all.push_back({module + ".weight", {out, in}, Initializer::LinearWeight, current});
        if (bias) {
          all.push_back({module + ".bias", {out}, Initializer::LinearBias, current});
        }
      };
  const auto declareNorm = [&](const std::string& module) {
    all.push_back({module + ".weight", {c.hidden}, Initializer::Ones, current});
  };
  all.push_back({"model.embed_tokens.weight",
                 {c.facts.vocabularySize, c.hidden},
                 Initializer::Embedding,
                 current});
  for (std::int64_t layer = 0; layer < c.facts.layers; ++layer) {
    current = static_cast<int>(layer);
    const std::string path = layerPath(layer);
    const std::int64_t queryRows = c.heads * c.headDim;
    const std::int64_t keyRows = c.keyValueHeads * c.headDim;
    declareLinear(path + ".self_attn.q_proj", queryRows, c.hidden, c.attentionBias);
    declareLinear(path + ".self_attn.k_proj", keyRows, c.hidden, c.attentionBias);
    declareLinear(path + ".self_attn.v_proj", keyRows, c.hidden, c.attentionBias);
    declareLinear(path + ".self_attn.o_proj", c.hidden, queryRows, c.attentionBias);
    declareLinear(path + ".mlp.gate_proj", c.intermediate, c.hidden, c.mlpBias);
    declareLinear(path + ".mlp.up_proj", c.intermediate, c.hidden, c.mlpBias);
    declareLinear(path + ".mlp.down_proj", c.hidden, c.intermediate, c.mlpBias);
    declareNorm(path + ".input_layernorm");
    declareNorm(path + ".post_attention_layernorm");
  }
  current = -1;
  declareNorm("model.norm");
  if (!c.tied) {
    declareLinear("lm_head", c.facts.vocabularySize, c.hidden, false);
  }
  return all;
}

/// What every layer of one forward pass shares.
struct SharedInputs {
  RotaryTables rotary;
  at::Tensor mask;  ///< undefined: none is needed

  [[nodiscard]] SharedInputs on(const at::Device& device) const {
    return {rotary.on(device), mask.defined() ? mask.to(device) : mask};
  }
};

class LlamaNetwork final : public Network {
 public:
  explicit LlamaNetwork(LlamaConfig config)
      : m_config(std::move(config)), m_parameters(declareParameters(m_config)) {}

  const NetworkFacts& facts() const override { return m_config.facts; }
  const std::vector<ParameterSpec>& parameters() const override { return m_parameters; }
  at::Tensor logits(const ForwardPass& pass, const at::Tensor& ids) const override;
  std::unique_ptr<Network> miniature() const override;

 private:
  SharedInputs share(const ForwardPass& pass, const at::Tensor& ids) const;
  at::Tensor attention(const ForwardPass& pass,
                       const LayerPlace& place,
                       const at::Tensor& x,
                       const SharedInputs& shared) const;
  at::Tensor decoderLayer(const ForwardPass& pass,
                          std::int64_t index,
                          const at::Tensor& x,
                          const SharedInputs& shared) const;

  LlamaConfig m_config;
  std::vector<ParameterSpec> m_parameters;
};

SharedInputs LlamaNetwork::share(const ForwardPass& pass, const at::Tensor& ids) const {
  const std::string module = "model.rotary_emb";
  SharedInputs shared;
  shared.mask = causalMask(pass.numerics, ids.size(0), ids.size(1), pass.layout);
  const std::int64_t reach = pass.layout.tableLength(ids.size(1));
  shared.rotary =
      atPositions(rotaryTables(m_config.rope, m_config.headDim, reach, pass.numerics, module),
                  pass.layout.positions);
  OperationRows(pass.probe, module, -1)
      .showConstant("inv_freq", shared.rotary.inverseFrequencies, Axes::Whole);
  pass.probe.output({module + ".cos", module, -1, Level::Module, Axes::Table}, shared.rotary.cos);
  pass.probe.output({module + ".sin", module, -1, Level::Module, Axes::Table}, shared.rotary.sin);
  return shared;
}

at::Tensor LlamaNetwork::attention(const ForwardPass& pass,
                                   const LayerPlace& place,
                                   const at::Tensor& x,
                                   const SharedInputs& shared) const {
  const Row row = place.row("");
  pass.probe.totalGradient(row, x);
  const QueryKeyValue projected = projectAttention(pass, place, x, m_config.headDim);
  const RotatedPair rotated = rotate(pass, place, projected.query, projected.key, shared.rotary);
  const AttentionInputs inputs{rotated.query,
                               rotated.key,
                               projected.value,
                               shared.mask,
                               std::pow(static_cast<double>(m_config.headDim), -0.5)};
  at::Tensor y = linear(pass, place.row(".o_proj"), attend(pass, place, inputs));
  pass.probe.output(row, y);
  return y;
}

at::Tensor LlamaNetwork::decoderLayer(const ForwardPass& pass,
                                      std::int64_t index,
                                      const at::Tensor& x,
                                      const SharedInputs& shared) const {
  const auto layer = static_cast<int>(index);
  const LayerPlace place{layerPath(index), layer};
  const Row row{"decoder." + std::to_string(index), place.path, layer, Level::Layer};
  const double epsilon = m_config.epsilon;
  pass.probe.totalGradient(row, x);
  at::Tensor h = rmsNorm(pass, place.row(".input_layernorm"), x, epsilon);
  h = attention(pass, {place.path + ".self_attn", layer}, h, shared);
  const at::Tensor middle = addToResidual(pass, place.path, x, h);
  OperationRows(pass.probe, place).show("residual_mid", middle);
  h = rmsNorm(pass, place.row(".post_attention_layernorm"), middle, epsilon);
  h = gatedMlp(pass, {place.path + ".mlp", layer}, h, m_config.activation);
  at::Tensor y = addToResidual(pass, place.path, middle, h);
  pass.probe.output(row, y);
  return y;
}

at::Tensor LlamaNetwork::logits(const ForwardPass& pass, const at::Tensor& ids) const {
  const Row embeddings{"embeddings", "model.embed_tokens", -1, Level::Layer};
  at::Tensor x = embed(pass, embeddings, ids, m_config.facts.paddingToken);
  SharedInputs shared = share(pass, ids);
  const LayerDevices& devices = pass.numerics.devices();
  for (std::int64_t layer = 0; layer < m_config.facts.layers; ++layer) {
    if (const at::Device& device = devices.ofLayer(layer); device != x.device()) {
      x = x.to(device);
      shared = shared.on(device);
    }
    x = decoderLayer(pass, layer, x, shared);
  }
  x = x.to(devices.last());
  x = rmsNorm(pass, {"norm", "model.norm", -1, Level::Layer}, x, m_config.epsilon);
  return languageModelHead(pass,
                           {"lm_head", "lm_head", -1, Level::Module},
                           x,
                           m_config.tied ? "model.embed_tokens.weight" : "lm_head.weight");
}

std::unique_ptr<Network> LlamaNetwork::miniature() const {
  LlamaConfig small = m_config;
  small.facts.vocabularySize = 2;
  small.facts.paddingToken = -1;
  small.hidden = 2;
  small.intermediate = 2;
  small.heads = 1;
  small.keyValueHeads = 1;
  small.headDim = 2;
  small.rope = {};
  return std::make_unique<LlamaNetwork>(std::move(small));
}

constexpr std::array<std::string_view, 20> kFields{"attention_bias",
                                                   "dtype",
                                                   "head_dim",
                                                   "hidden_act",
                                                   "hidden_size",
                                                   "initializer_range",
                                                   "intermediate_size",
                                                   "max_position_embeddings",
                                                   "mlp_bias",
                                                   "num_attention_heads",
                                                   "num_hidden_layers",
                                                   "num_key_value_heads",
                                                   "original_max_position_embeddings",
                                                   "pad_token_id",
                                                   "rms_norm_eps",
                                                   "rope_parameters",
                                                   "rope_scaling",
                                                   "rope_theta",
                                                   "tie_word_embeddings",
                                                   "vocab_size"};

void readSizes(ConfigReader& reader, LlamaConfig& c) {
  c.facts.vocabularySize = reader.positive("vocab_size", 32000);
  c.facts.layers = reader.positive("num_hidden_layers", 32);
  c.facts.maxPositions = reader.positive("max_position_embeddings", 2048);
  c.hidden = reader.positive("hidden_size", 4096);
  c.intermediate = reader.positive("intermediate_size", 11008);
  c.heads = reader.positive("num_attention_heads", 32);
  c.keyValueHeads = reader.positive("num_key_value_heads", c.heads);
  if (!reader.has("head_dim") && c.hidden % c.heads != 0) {
    reader.refuse("hidden_size",
                  std::to_string(c.hidden) + " is not a multiple of the " +
                      std::to_string(c.heads) + " attention heads");
  }
  c.headDim = reader.positive("head_dim", std::max<std::int64_t>(c.hidden / c.heads, 1));
  if (c.headDim % 2 != 0) {
    reader.refuse("head_dim", "must be even, is " + std::to_string(c.headDim));
  }
  if (c.heads % c.keyValueHeads != 0) {
    reader.refuse("num_key_value_heads",
                  std::to_string(c.keyValueHeads) + " does not divide the " +
                      std::to_string(c.heads) + " attention heads");
  }
}

void readPadding(ConfigReader& reader, LlamaConfig& c) {
  const std::int64_t vocabulary = c.facts.vocabularySize;
  const std::optional<std::int64_t> padding = reader.optionalInteger("pad_token_id");
  if (!padding) {
    return;
  }
  if (*padding < -vocabulary || *padding >= vocabulary) {
    reader.refuse(
        "pad_token_id",
        std::to_string(*padding) + " lies outside the vocabulary of " + std::to_string(vocabulary));
    return;
  }
  c.facts.paddingToken = *padding < 0 ? *padding + vocabulary : *padding;
}

Result<LlamaConfig> readConfig(const json::Value& config, const std::string& source) {
  ConfigReader reader(config, source);
  LlamaConfig c;
  readSizes(reader, c);
  readPadding(reader, c);
  c.epsilon = reader.number("rms_norm_eps", 1e-6);
  c.tied = reader.boolean("tie_word_embeddings", false);
  c.attentionBias = reader.boolean("attention_bias", false);
  c.mlpBias = reader.boolean("mlp_bias", false);
  const double range = reader.number("initializer_range", 0.02);
  c.facts.initializerRange = range != 0 ? range : 0.02;
  if (reader.positive("pretraining_tp", 1) != 1) {
    reader.refuse("pretraining_tp", "only 1 is supported", ErrorCode::Unsupported);
  }
  if (reader.has("quantization_config")) {
    reader.refuse(
        "quantization_config", "quantised checkpoints are not supported", ErrorCode::Unsupported);
  }
  const std::string activation = reader.text("hidden_act", "silu");
  if (const auto known = parseActivation(activation)) {
    c.activation = *known;
  } else {
    reader.refuse("hidden_act",
                  "'" + activation + "' is not supported (silu, gelu, gelu_pytorch_tanh, relu are)",
                  ErrorCode::Unsupported);
  }
  c.rope = readRope(reader, c.headDim, c.facts.maxPositions);
  ULP_TRY(reader.status());
  return c;
}

Result<std::unique_ptr<Network>> configure(const json::Value& config, const std::string& source) {
  auto read = ULP_TRY(readConfig(config, source));
  return std::make_unique<LlamaNetwork>(std::move(read));
}

Result<json::Value> configFromGguf(const tensors::GgufFile& file) {
  auto config = ULP_TRY(decoderConfigFromGguf(file, "llama"));
  config["model_type"] = "llama";
  config["architectures"] = json::Array{"LlamaForCausalLM"};
  return config;
}

GgufPlace placeInGguf(const std::string& parameter, const json::Value& config) {
  GgufPlace place{decoderNameInGguf(parameter)};
  const std::int64_t heads = config.at("num_attention_heads").integer();
  if (parameter.find(".self_attn.q_proj.") != std::string::npos) {
    place.permutedHeads = heads;
  } else if (parameter.find(".self_attn.k_proj.") != std::string::npos) {
    const json::Value* keyValueHeads = config.members().find("num_key_value_heads");
    place.permutedHeads = keyValueHeads == nullptr ? heads : keyValueHeads->integer();
  }
  return place;
}

bool isSpareTensor(std::string_view name, const json::Value& config) {
  const bool tied = config.at("tie_word_embeddings").boolean();
  return (tied && name == "lm_head.weight") || name.ends_with(".rotary_emb.inv_freq") ||
         name == "rope_freqs.weight";
}

}  // namespace

void registerLlama(FamilyRegistry& registry) {
  registry.add({.info = {"llama", {"LlamaForCausalLM"}, {"llama"}},
                .configFields = kFields,
                .configure = configure,
                .configFromGguf = configFromGguf,
                .placeInGguf = placeInGguf,
                .isSpareTensor = isSpareTensor});
}

}  // namespace ulp::engine
