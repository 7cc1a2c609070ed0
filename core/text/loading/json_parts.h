#pragma once

#include "core/text/loading/json_part.h"
#include "core/text/models/token_model.h"
#include "core/text/steps/added_tokens.h"
#include "core/text/steps/normalizer.h"
#include "core/text/steps/pre_tokenizer.h"
#include "core/text/steps/speller.h"

/// The parts of a tokenizer.json, each of which names its kind in the field `type`. Errors of all:
/// CorruptData and Unsupported with the place in the file. `depth`: as of kindOf().
namespace ulp::text {

[[nodiscard]] Result<Normalizer> readNormalizer(const JsonPart& part, int depth);
[[nodiscard]] Result<PreTokenizer> readPreTokenizer(const JsonPart& part, int depth);
[[nodiscard]] Result<TokenModelPtr> readModel(const JsonPart& part);
[[nodiscard]] Result<Speller> readDecoder(const JsonPart& part, int depth);
[[nodiscard]] Result<std::vector<AddedToken>> readAddedTokens(const JsonPart& root,
                                                              const Vocabulary& vocabulary);

/// What is put in front of a sequence and behind it.
struct SequenceFrame {
  std::vector<std::int64_t> prefix;
  std::vector<std::int64_t> suffix;
};
[[nodiscard]] Result<SequenceFrame> readPostProcessor(const JsonPart& part, int depth);

/// The field `pattern`, {"String": …} or {"Regex": …}.
[[nodiscard]] Result<Regex> readPattern(const JsonPart& part);

}  // namespace ulp::text
