#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace ulp {

/// The largest size that is believed of a model.
struct ModelLimit {
  std::string_view field;  ///< as config.json calls it
  std::int64_t largest = 0;
};

/// Each is at least eight times what any published model has had, so that it refuses damaged and
/// hostile files alone, and small enough that the sites of a model of that many layers are listed
/// in seconds: the deepest published transformer has 1,000 layers (DeepNet), the widest a hidden
/// size of 20,480 and an MLP of 81,920 (MT-NLG), 128 heads, heads of 256, a vocabulary of one
/// million (XLM-V) and a context of ten million tokens (Llama 4 Scout).
inline constexpr std::array<ModelLimit, 8> kModelLimits{{{"num_hidden_layers", 8192},
                                                         {"hidden_size", 1 << 18},
                                                         {"intermediate_size", 1 << 20},
                                                         {"num_attention_heads", 4096},
                                                         {"num_key_value_heads", 4096},
                                                         {"head_dim", 1 << 13},
                                                         {"vocab_size", 1 << 24},
                                                         {"max_position_embeddings", 1 << 30}}};

/// Refuses a size before anything of that size is made; a field without a limit may have any.
/// Errors: CorruptData with the value and the limit; the caller puts file and field in front.
[[nodiscard]] inline Result<> checkModelSize(std::string_view field, std::int64_t size) {
  for (const ModelLimit& limit : kModelLimits) {
    if (limit.field == field && size > limit.largest) {
      return fail(ErrorCode::CorruptData,
                  std::to_string(size) + " is more than any model has; at most " +
                      std::to_string(limit.largest) + " are taken");
    }
  }
  return {};
}

/// Tells whether a layer of this number can be: -1 stands for what is outside of the layers.
[[nodiscard]] constexpr bool isLayerNumber(std::int64_t layer) {
  static_assert(kModelLimits.front().field == "num_hidden_layers");
  return layer >= -1 && layer < kModelLimits.front().largest;
}

}  // namespace ulp
