#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/value.h"
#include "core/text/steps/added_tokens.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::text {

/// A tokenizer out of the text of a tokenizer.json; `origin` stands for the file in errors, and
/// `more` are tokens that are added where it lacks them, as Hugging Face's tokenizers add them:
/// with the number of the vocabulary, else behind all others. What the file says of cutting and
/// padding is left aside, as `transformers` does. Errors: CorruptData and Unsupported with the
/// place in the file.
[[nodiscard]] Result<TokenizerPtr> parseTokenizerJson(std::string_view text,
                                                      std::string_view origin,
                                                      std::string_view endOfText = {},
                                                      std::vector<AddedToken> more = {});

/// Parses a JSON document whose numbers with a fraction are what serde_json, the reader of Hugging
/// Face's tokenizers, makes of them: it rounds twice, so that one in seven differs in its last bit
/// from the nearest double. Which of two equally good segmentations wins depends on that bit.
/// Errors: CorruptData.
[[nodiscard]] Result<json::Value> parseAsSerde(std::string_view text, std::string_view origin);

/// Reads the number of `text` as serde_json does, which must be a JSON number.
[[nodiscard]] double serdeNumber(std::string_view text);

/// Bytes of a tokenizer_config.json and of what lies beside it.
inline constexpr std::size_t kLargestTokenizerConfig = std::size_t{64} << 20;
/// Finds a token that a tokenizer_config.json names: a text, or an added token as an object.
[[nodiscard]] std::optional<std::string> tokenIn(const json::Value& config, std::string_view name);

}  // namespace ulp::text
