#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/text/tokenizers/tokenizer.h"

namespace ulp::text {

/// A tokenizer out of the text of a tokenizer.json; `origin` stands for the file in errors. What it
/// says of cutting and padding is left aside, as `transformers` does. Errors: CorruptData and
/// Unsupported with the place in the file.
[[nodiscard]] Result<TokenizerPtr> parseTokenizerJson(std::string_view text,
                                                      std::string_view origin,
                                                      std::string_view endOfText = {});

/// Bytes of a tokenizer_config.json and of what lies beside it.
inline constexpr std::size_t kLargestTokenizerConfig = std::size_t{64} << 20;
/// The field `eos_token` of a tokenizer_config.json, empty where there is none.
[[nodiscard]] std::string endOfTextIn(std::string_view configJson);

}  // namespace ulp::text
