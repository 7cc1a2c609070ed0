#pragma once

#include <string>
#include <vector>

#include "core/json/value.h"
#include "core/text/steps/added_tokens.h"

namespace ulp::text {

/// The files beside a tokenizer.json in which `transformers` looks for tokens; null or empty where
/// there is no such file.
struct TokenConfigs {
  json::Value config;      ///< tokenizer_config.json
  json::Value specialMap;  ///< special_tokens_map.json
  json::Value added;       ///< added_tokens.json
};

/// The tokens that `transformers` 5 adds to those of the tokenizer.json, in its order and without
/// numbers: which of them are there already, and what number the others get, the tokenizer decides.
[[nodiscard]] std::vector<AddedToken> tokensOfConfigs(const TokenConfigs& files);

}  // namespace ulp::text
