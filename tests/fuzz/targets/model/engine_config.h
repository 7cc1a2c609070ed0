#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/engine/network/config_reader.h"
#include "core/json/parse.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// Asks for the fields of config.json that the engine's model families read, and for those of its
/// part `rope_scaling`.
inline void fuzzEngineConfig(const std::uint8_t* data, std::size_t size) {
  auto config = json::parse(fuzzText(data, size));
  if (!config) {
    return;
  }
  engine::ConfigReader reader(std::move(*config), "config.json");
  for (const char* key :
       {"num_hidden_layers", "hidden_size", "num_attention_heads", "vocab_size"}) {
    require(reader.positive(key) >= 1);
    require(reader.positive(key, 2) >= 1);
  }
  const auto window = reader.optionalInteger("sliding_window");
  require(!window || reader.has("sliding_window"));
  static_cast<void>(reader.number("rms_norm_eps", 1e-5));
  static_cast<void>(reader.optionalNumber("attention_multiplier"));
  static_cast<void>(reader.boolean("tie_word_embeddings", false));
  static_cast<void>(reader.text("hidden_act", "silu"));
  if (reader.has("rope_scaling")) {
    engine::ConfigReader part(reader.field("rope_scaling"), "config.json: rope_scaling");
    static_cast<void>(part.text("rope_type", "default"));
    static_cast<void>(part.numbers("long_factor"));
    if (const auto status = part.status(); !status) {
      reader.adopt(status.error());
    }
  }
  const auto status = reader.status();
  require(status || !status.error().message().empty());
}

}  // namespace ulp::test
