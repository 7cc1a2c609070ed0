#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <variant>

#include "core/engine/families/family.h"
#include "core/tensors/formats/gguf/llama_in_gguf.h"

namespace ulp::engine {
namespace {

bool hasTensor(const tensors::GgufFile& file, std::string_view name) {
  return std::ranges::any_of(file.tensors(),
                             [&](const tensors::TensorInfo& info) { return info.name == name; });
}

struct Renaming {
  const char* key;  ///< below the prefix
  const char* field;
};

/// Copies the numbers that the file has.
Result<> copyNumbers(const tensors::GgufFile& file,
                     const std::string& prefix,
                     std::span<const Renaming> renamings,
                     json::Value& config) {
  for (const auto& [key, field] : renamings) {
    const std::string full = prefix + key;
    const tensors::GgufEntry* entry = file.find(full);
    if (entry == nullptr) {
      continue;
    }
    if (std::holds_alternative<double>(entry->value)) {
      config[field] = std::get<double>(entry->value);
      continue;
    }
    config[field] = ULP_TRY(file.integer(full));
  }
  return {};
}

Result<> copySizes(const tensors::GgufFile& file, const std::string& prefix, json::Value& config) {
  constexpr std::array<Renaming, 10> kSizes{{
      {".context_length", "max_position_embeddings"},
      {".block_count", "num_hidden_layers"},
      {".feed_forward_length", "intermediate_size"},
      {".embedding_length", "hidden_size"},
      {".attention.head_count", "num_attention_heads"},
      {".attention.head_count_kv", "num_key_value_heads"},
      {".attention.layer_norm_rms_epsilon", "rms_norm_eps"},
      {".rope.freq_base", "rope_theta"},
      {".rope.dimension_count", "head_dim"},
      {".attention.key_length", "head_dim"},
  }};
  ULP_TRY(copyNumbers(file, prefix, kSizes, config));
  for (const char* required : {"max_position_embeddings",
                               "num_hidden_layers",
                               "intermediate_size",
                               "hidden_size",
                               "num_attention_heads",
                               "rms_norm_eps"}) {
    if (!config.contains(required)) {
      return fail(ErrorCode::CorruptData,
                  file.path().string() + ": metadata: nothing gives " + required);
    }
  }
  return {};
}

/// llama.cpp stores the frequencies of llama3 scaling as factors by which to divide the plain ones.
/// transformers divides by such factors under the name longrope.
Result<> useFrequencyFactors(const tensors::GgufFile& file, json::Value& config) {
  const auto stored = ULP_TRY(file.read("rope_freqs.weight"));
  json::Array factors;
  for (std::size_t i = 0; i < stored.view.count(); ++i) {
    factors.emplace_back(numerics::elementAt(stored.view, i));
  }
  config["rope_scaling"] = json::Object{{"rope_type", "longrope"},
                                        {"short_factor", factors},
                                        {"long_factor", factors},
                                        {"attention_factor", 1.0}};
  return {};
}

Result<> copyRopeScaling(const tensors::GgufFile& file,
                         const std::string& prefix,
                         json::Value& config) {
  if (hasTensor(file, "rope_freqs.weight")) {
    return useFrequencyFactors(file, config);
  }
  json::Value scaling = json::Object();
  if (const auto type = file.text(prefix + ".rope.scaling.type"); type && *type != "none") {
    scaling["rope_type"] = std::string(*type);
  } else if (!type && type.error().code() != ErrorCode::NotFound) {
    return tl::unexpected(type.error());
  }
  // Old files know linear scaling alone and name only its factor, as scale_linear.
  constexpr std::array<Renaming, 6> kNumbers{{
      {".rope.scale_linear", "factor"},
      {".rope.scaling.factor", "factor"},
      {".rope.scaling.original_context_length", "original_max_position_embeddings"},
      {".rope.scaling.attn_factor", "attention_factor"},
      {".rope.scaling.yarn_beta_fast", "beta_fast"},
      {".rope.scaling.yarn_beta_slow", "beta_slow"},
  }};
  ULP_TRY(copyNumbers(file, prefix, kNumbers, scaling));
  if (scaling.contains("factor") && !scaling.contains("rope_type")) {
    scaling["rope_type"] = "linear";
  }
  if (scaling.contains("rope_type")) {
    config["rope_scaling"] = scaling;
  }
  return {};
}

Result<> readTensorTable(const tensors::GgufFile& file,
                         const std::string& prefix,
                         json::Value& config) {
  const std::string experts = prefix + ".expert_count";
  if (file.find(experts) != nullptr && file.integer(experts) != 0) {
    return fail(ErrorCode::Unsupported, file.path().string() + ": experts are not supported");
  }
  const bool query = hasTensor(file, "blk.0.attn_q.bias");
  if (query != hasTensor(file, "blk.0.attn_output.bias")) {
    return fail(ErrorCode::Unsupported,
                file.path().string() +
                    ": biases on some of the attention projections only; this family has them on "
                    "all or none");
  }
  config["attention_bias"] = query;
  config["mlp_bias"] = hasTensor(file, "blk.0.ffn_down.bias");
  config["tie_word_embeddings"] = !hasTensor(file, "output.weight");
  for (const tensors::TensorInfo& info : file.tensors()) {
    if (info.name == "token_embd.weight" && info.shape.size() == 2) {
      config["vocab_size"] = info.shape.front();
    }
  }
  return {};
}

}  // namespace

Result<json::Value> decoderConfigFromGguf(const tensors::GgufFile& file,
                                          const std::string& prefix) {
  json::Value config = json::Object();
  const std::array steps{copySizes, copyRopeScaling, readTensorTable};
  for (const auto& step : steps) {
    ULP_TRY(step(file, prefix, config));
  }
  return config;
}

std::string decoderNameInGguf(const std::string& parameter) {
  const std::size_t beforeKind = std::min(parameter.rfind('.'), parameter.size());
  const std::string_view module = std::string_view(parameter).substr(0, beforeKind);
  const auto inGguf = tensors::llamaNameInGguf(module);
  return inGguf ? *inGguf + parameter.substr(beforeKind) : parameter;
}

}  // namespace ulp::engine
