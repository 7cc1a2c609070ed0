#include "core/analysis/depth/site_inputs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/model_limits.h"
#include "core/base/text/split.h"

namespace ulp::analysis {
namespace {

/// A site within its layer and what it reads there, separated by spaces. "<" is what the layer
/// reads, ">" what reads the layer's output; names with a leading "/" are not inside the layer;
/// those with a leading "^" are of the forward pass.
struct Reads {
  std::string_view name;
  std::string_view inputs;
};

constexpr std::array<Reads, 26> kForward{{
    {"", "residual_mid mlp"},
    {"input_layernorm.variance", "<"},
    {"input_layernorm.normalized", "< input_layernorm.variance"},
    {"input_layernorm", "input_layernorm.normalized"},
    {"self_attn.q_proj", "input_layernorm"},
    {"self_attn.k_proj", "input_layernorm"},
    {"self_attn.v_proj", "input_layernorm"},
    {"self_attn.rotary.cos", "/model.rotary_emb.cos"},
    {"self_attn.rotary.sin", "/model.rotary_emb.sin"},
    {"self_attn.rotary.query", "self_attn.q_proj self_attn.rotary.cos self_attn.rotary.sin"},
    {"self_attn.rotary.key", "self_attn.k_proj self_attn.rotary.cos self_attn.rotary.sin"},
    {"self_attn.scores", "self_attn.rotary.query self_attn.rotary.key"},
    {"self_attn.softmax", "self_attn.scores"},
    {"self_attn.attn_output", "self_attn.softmax self_attn.v_proj"},
    {"self_attn.o_proj", "self_attn.attn_output"},
    {"self_attn", "self_attn.o_proj"},
    {"residual_mid", "< self_attn"},
    {"post_attention_layernorm.variance", "residual_mid"},
    {"post_attention_layernorm.normalized", "residual_mid post_attention_layernorm.variance"},
    {"post_attention_layernorm", "post_attention_layernorm.normalized"},
    {"mlp.gate_proj", "post_attention_layernorm"},
    {"mlp.act_fn", "mlp.gate_proj"},
    {"mlp.up_proj", "post_attention_layernorm"},
    {"mlp.product", "mlp.act_fn mlp.up_proj"},
    {"mlp.down_proj", "mlp.product"},
    {"mlp", "mlp.down_proj"},
}};

/// Of the gradients: what comes from those that read the tensor, and what was kept.
constexpr std::array<Reads, 24> kBackward{{
    {"", "input_layernorm residual_mid"},
    {"mlp", "mlp.gate_proj mlp.up_proj"},
    {"mlp.down_proj", ">"},
    {"mlp.product", "mlp.down_proj"},
    {"mlp.up_proj", "mlp.product ^mlp.act_fn"},
    {"mlp.act_fn", "mlp.product ^mlp.gate_proj ^mlp.up_proj"},
    {"mlp.gate_proj", "mlp.act_fn"},
    {"post_attention_layernorm.normalized", "mlp"},
    {"post_attention_layernorm.variance", "post_attention_layernorm.normalized ^residual_mid"},
    {"post_attention_layernorm",
     "post_attention_layernorm.normalized post_attention_layernorm.variance ^residual_mid"},
    {"residual_mid", "> post_attention_layernorm"},
    {"self_attn.o_proj", "residual_mid"},
    {"self_attn.attn_output", "self_attn.o_proj"},
    {"self_attn.softmax", "self_attn.attn_output ^self_attn.v_proj"},
    {"self_attn.scores", "self_attn.softmax ^self_attn.softmax"},
    {"self_attn.rotary.query", "self_attn.scores ^self_attn.rotary.key"},
    {"self_attn.rotary.key", "self_attn.scores ^self_attn.rotary.query"},
    {"self_attn.q_proj", "self_attn.rotary.query ^self_attn.rotary.cos ^self_attn.rotary.sin"},
    {"self_attn.k_proj", "self_attn.rotary.key ^self_attn.rotary.cos ^self_attn.rotary.sin"},
    {"self_attn.v_proj", "self_attn.attn_output ^self_attn.softmax"},
    {"self_attn", "self_attn.q_proj self_attn.k_proj self_attn.v_proj"},
    {"input_layernorm.normalized", "self_attn"},
    {"input_layernorm.variance", "input_layernorm.normalized ^<"},
    {"input_layernorm", "input_layernorm.normalized input_layernorm.variance ^<"},
}};

/// Outside of the layers, for which "<" is the stream that the last one leaves.
constexpr std::array<Reads, 8> kForwardOutside{{
    {"model.rotary_emb.cos", "/model.rotary_emb.inv_freq"},
    {"model.rotary_emb.sin", "/model.rotary_emb.inv_freq"},
    {"model.norm.variance", "<"},
    {"model.norm.normalized", "< /model.norm.variance"},
    {"norm", "/model.norm.normalized"},
    {"lm_head", "/norm"},
    {"logits", "/lm_head"},
    {"loss", "/logits"},
}};
constexpr std::array<Reads, 5> kBackwardOutside{{
    {"logits", "^/logits"},
    {"lm_head", "/logits"},
    {"model.norm.normalized", "/lm_head"},
    {"model.norm.variance", "/model.norm.normalized ^<"},
    {"norm", "/model.norm.normalized /model.norm.variance ^<"},
}};

template <std::size_t Size>
std::string_view inputsOf(const std::array<Reads, Size>& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Reads::name);
  return found == table.end() ? std::string_view() : found->inputs;
}

/// A name as layer and rest: "model.layers.3.mlp" is 3, "mlp"; "decoder.3" is 3, "".
struct Placed {
  int layer = -1;
  std::string_view rest;
};

std::optional<Placed> placed(std::string_view name) {
  for (const std::string_view prefix : {"model.layers.", "decoder."}) {
    if (!name.starts_with(prefix)) {
      continue;
    }
    const std::string_view after = name.substr(prefix.size());
    Placed place;
    const auto read = std::from_chars(after.data(), after.data() + after.size(), place.layer);
    const auto digits = static_cast<std::size_t>(read.ptr - after.data());
    if (read.ec != std::errc{} || place.layer < 0 || !isLayerNumber(place.layer)) {
      return std::nullopt;
    }
    place.rest = after.substr(std::min(digits + 1, after.size()));
    return place;
  }
  return std::nullopt;
}

std::string layerRow(int layer) {
  return "decoder." + std::to_string(layer);
}

}  // namespace

SiteInputs::SiteInputs(std::span<const Site> captured) {
  for (const Site& site : captured) {
    m_captured.emplace(site.name, site.pass);
    m_lastLayer = std::max(m_lastLayer, site.layer);
  }
}

std::vector<std::pair<std::string, Pass>> SiteInputs::readBy(const Site& site) const {
  std::vector<Key> found;
  std::set<Key> visited;
  // What is to be looked at, the next one last: names may lead through thousands of layers.
  std::vector<Key> waiting;
  const auto follow = [&](const Key& key) {
    const std::vector<Key> inputs = direct(key);
    waiting.insert(waiting.end(), inputs.rbegin(), inputs.rend());
  };
  follow({site.name, site.pass});
  while (!waiting.empty()) {
    const Key key = std::move(waiting.back());
    waiting.pop_back();
    if (!visited.insert(key).second) {
      continue;
    }
    if (m_captured.contains(key)) {
      found.push_back(key);
    } else {
      follow(key);
    }
  }
  return found;
}

std::vector<SiteInputs::Key> SiteInputs::direct(const Key& key) const {
  const auto& [name, pass] = key;
  if (isOfParameters(pass)) {
    return {};
  }
  const bool isForward = pass == Pass::Forward;
  const std::optional<Placed> place = placed(name);
  const int layer = place ? place->layer : m_lastLayer + 1;
  std::string_view inputs;
  if (place) {
    inputs = isForward ? inputsOf(kForward, place->rest) : inputsOf(kBackward, place->rest);
  } else {
    inputs = isForward ? inputsOf(kForwardOutside, name) : inputsOf(kBackwardOutside, name);
  }
  if (inputs.empty()) {
    return {};
  }
  return listOf(split(inputs, ' '),
                [&](std::string_view input) { return read(input, layer, pass); });
}

SiteInputs::Key SiteInputs::read(std::string_view input, int layer, Pass pass) const {
  if (input.starts_with('^')) {
    pass = Pass::Forward;
    input.remove_prefix(1);
  }
  if (input == "<") {
    return {layer == 0 ? "embeddings" : layerRow(layer - 1), pass};
  }
  if (input == ">") {
    return {layer == m_lastLayer ? "norm" : layerRow(layer + 1), pass};
  }
  if (input.starts_with('/')) {
    return {std::string(input.substr(1)), pass};
  }
  return {"model.layers." + std::to_string(layer) + "." + std::string(input), pass};
}

}  // namespace ulp::analysis
