#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/tensors/formats/safetensors/safetensors.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::engine {

/// Of every model here: the number of tokens.
inline constexpr std::int64_t kVocabulary = 37;

struct TinyTensor {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

/// A small Llama whose weights a test can change before it writes them.
struct TinyModel {
  nlohmann::json config = {{"architectures", {"LlamaForCausalLM"}},
                           {"model_type", "llama"},
                           {"vocab_size", kVocabulary},
                           {"hidden_size", 16},
                           {"intermediate_size", 24},
                           {"num_hidden_layers", 2},
                           {"num_attention_heads", 4},
                           {"num_key_value_heads", 2},
                           {"max_position_embeddings", 64},
                           {"rms_norm_eps", 1e-5},
                           {"rope_theta", 10000.0}};
  std::map<std::string, TinyTensor> weights;

  TinyModel() {
    const std::int64_t hidden = 16;
    add("model.embed_tokens.weight", {kVocabulary, hidden});
    for (int layer = 0; layer < 2; ++layer) {
      const std::string path = "model.layers." + std::to_string(layer);
      add(path + ".self_attn.q_proj.weight", {16, hidden});
      add(path + ".self_attn.k_proj.weight", {8, hidden});
      add(path + ".self_attn.v_proj.weight", {8, hidden});
      add(path + ".self_attn.o_proj.weight", {hidden, 16});
      add(path + ".mlp.gate_proj.weight", {24, hidden});
      add(path + ".mlp.up_proj.weight", {24, hidden});
      add(path + ".mlp.down_proj.weight", {hidden, 24});
      add(path + ".input_layernorm.weight", {hidden});
      add(path + ".post_attention_layernorm.weight", {hidden});
    }
    add("model.norm.weight", {hidden});
    add("lm_head.weight", {kVocabulary, hidden});
  }

  /// Deterministic numbers in [-0.5, 0.5), around 1 for the norms; a multiple of 2^-16 each.
  void add(const std::string& name, std::vector<std::int64_t> shape) {
    TinyTensor tensor{std::move(shape), {}};
    std::size_t count = 1;
    for (const std::int64_t size : tensor.shape) {
      count *= static_cast<std::size_t>(size);
    }
    std::uint64_t state = std::hash<std::string>{}(name);
    for (std::size_t i = 0; i < count; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      const double value = static_cast<double>(state >> 48U) / 65536.0 - 0.5;
      tensor.values.push_back(tensor.shape.size() == 1 ? 1 + value / 2 : value);
    }
    weights[name] = std::move(tensor);
  }

  template <class Element>
  void writeFile(const std::filesystem::path& file,
                 DType dtype,
                 std::string_view prefix = "") const {
    std::vector<std::vector<Element>> storage;
    std::vector<tensors::NamedTensor> named;
    for (const auto& [name, tensor] : weights) {
      if (name.starts_with(prefix)) {
        storage.emplace_back(tensor.values.begin(), tensor.values.end());
        named.push_back({name, {nullptr, dtype, tensor.shape}});
      }
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
      named[i].view.data = storage[i].data();
    }
    const auto written = tensors::writeSafetensors(file, named);
    ASSERT_TRUE(written) << written.error().message();
  }

  void writeConfig(const test::TempDir& folder) const {
    folder.write("config.json", config.dump());
  }
  /// A Hugging Face folder with float32 weights.
  void write(const test::TempDir& folder) const {
    writeConfig(folder);
    writeFile<float>(folder / "model.safetensors", DType::Float32);
  }
  void writeDouble(const test::TempDir& folder) const {
    writeConfig(folder);
    writeFile<double>(folder / "model.safetensors", DType::Float64);
  }
};

/// Writes a tiny model as llama.cpp does: its names, its order of the rows of q and k.
class TinyGguf {
 public:
  explicit TinyGguf(const TinyModel& model) {
    text("general.architecture", "llama");
    for (const auto& [key, field] : kIntegers) {
      integer(std::string("llama.") + key, model.config.at(field).get<std::uint32_t>());
    }
    real("llama.attention.layer_norm_rms_epsilon", model.config.at("rms_norm_eps").get<float>());
    real("llama.rope.freq_base", model.config.at("rope_theta").get<float>());
    for (const auto& [name, tensor] : model.weights) {
      add(ggufName(name), permuted(name, tensor));
    }
  }

  void text(std::string_view key, std::string_view value) {
    entry(key, 8);
    counted(m_metadata, value);
  }
  void integer(std::string_view key, std::uint32_t value) {
    entry(key, 4);
    number(m_metadata, value);
  }
  void real(std::string_view key, float value) {
    entry(key, 6);
    number(m_metadata, value);
  }
  void add(std::string name, TinyTensor tensor) {
    m_tensors.emplace_back(std::move(name), std::move(tensor));
  }

  [[nodiscard]] std::string content() const {
    std::string infos;
    std::string data;
    for (const auto& [name, tensor] : m_tensors) {
      counted(infos, name);
      number(infos, static_cast<std::uint32_t>(tensor.shape.size()));
      const std::vector<std::int64_t> innermostFirst(tensor.shape.rbegin(), tensor.shape.rend());
      for (const std::int64_t size : innermostFirst) {
        number(infos, static_cast<std::uint64_t>(size));
      }
      number(infos, std::uint32_t{0});
      number(infos, static_cast<std::uint64_t>(data.size()));
      for (const double value : tensor.values) {
        number(data, static_cast<float>(value));
      }
      pad(data);
    }
    std::string file = "GGUF";
    number(file, std::uint32_t{3});
    number(file, static_cast<std::uint64_t>(m_tensors.size()));
    number(file, m_entries);
    file += m_metadata + infos;
    pad(file);
    return file + data;
  }

 private:
  static constexpr std::array<std::pair<const char*, const char*>, 6> kIntegers{{
      {"context_length", "max_position_embeddings"},
      {"block_count", "num_hidden_layers"},
      {"feed_forward_length", "intermediate_size"},
      {"embedding_length", "hidden_size"},
      {"attention.head_count", "num_attention_heads"},
      {"attention.head_count_kv", "num_key_value_heads"},
  }};

  template <class Value>
  static void number(std::string& out, Value value) {
    std::string raw(sizeof value, '\0');
    std::memcpy(raw.data(), &value, sizeof value);
    out += raw;
  }
  static void counted(std::string& out, std::string_view value) {
    number(out, static_cast<std::uint64_t>(value.size()));
    out += value;
  }
  static void pad(std::string& out) { out.resize((out.size() + 31) / 32 * 32, '\0'); }
  void entry(std::string_view key, std::uint32_t type) {
    ++m_entries;
    counted(m_metadata, key);
    number(m_metadata, type);
  }

  static std::string ggufName(std::string name) {
    const std::vector<std::pair<std::string, std::string>> parts{
        {"model.embed_tokens", "token_embd"},
        {"model.norm", "output_norm"},
        {"lm_head", "output"},
        {"model.layers.", "blk."},
        {"self_attn.o_proj", "attn_output"},
        {"self_attn.q_proj", "attn_q"},
        {"self_attn.k_proj", "attn_k"},
        {"self_attn.v_proj", "attn_v"},
        {"mlp.gate_proj", "ffn_gate"},
        {"mlp.up_proj", "ffn_up"},
        {"mlp.down_proj", "ffn_down"},
        {"post_attention_layernorm", "ffn_norm"},
        {"input_layernorm", "attn_norm"}};
    for (const auto& [from, to] : parts) {
      if (const std::size_t at = name.find(from); at != std::string::npos) {
        name.replace(at, from.size(), to);
      }
    }
    return name;
  }

  static TinyTensor permuted(const std::string& name, const TinyTensor& tensor) {
    const bool query = name.find("q_proj") != std::string::npos;
    const bool key = name.find("k_proj") != std::string::npos;
    if (!query && !key) {
      return tensor;
    }
    const std::int64_t heads = query ? 4 : 2;
    const std::int64_t half = tensor.shape.front() / heads / 2;
    const std::int64_t columns = tensor.shape.size() == 2 ? tensor.shape[1] : 1;
    TinyTensor out = tensor;
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t k = 0; k < 2; ++k) {
        for (std::int64_t j = 0; j < half; ++j) {
          const std::int64_t from = (h * 2 * half + k * half + j) * columns;
          const std::int64_t to = (h * 2 * half + 2 * j + k) * columns;
          std::copy_n(tensor.values.begin() + from, columns, out.values.begin() + to);
        }
      }
    }
    return out;
  }

  std::string m_metadata;
  std::uint64_t m_entries = 0;
  std::vector<std::pair<std::string, TinyTensor>> m_tensors;
};

}  // namespace ulp::engine
