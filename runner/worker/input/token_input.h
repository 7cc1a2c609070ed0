#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/token_texts.h"
#include "core/study/reading/study.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::worker {

/// What a study runs on.
struct InputTokens {
  engine::TokenBatch tokens;  ///< the sequences of all micro-batches
  std::string description;    ///< where the ids come from; one sentence without a full stop
};

/// The token ids of a study: drawn by the engine, read from `input.path`, or made of text by the
/// model's tokenizer; checked against the vocabulary and the shape that the study asks for. Errors:
/// those of readTokens(), loadTokenizer(), tokeniseText() and tokeniseDataset(); InvalidArgument
/// with file and position of the first id that the model does not know.
[[nodiscard]] Result<InputTokens> loadTokens(const study::Study& study,
                                             std::int64_t vocabularySize,
                                             engine::Engine& engine);

/// That of `input.tokenizer`, by default the model's own. Errors: those of loadTokenizer() and of
/// resolving the model's path.
[[nodiscard]] Result<text::TokenizerPtr> openTokenizer(const study::Study& study);

/// SHA-256 in hexadecimal over batch, length and ids as little-endian int64. Errors: Internal.
[[nodiscard]] Result<std::string> tokenDigest(const engine::TokenBatch& tokens);

/// The tokens of all micro-batches, with what they say where there is a tokenizer (null: none).
[[nodiscard]] report::TokenTexts tokenTextsOf(std::span<const engine::TokenBatch> microBatches,
                                              const text::TokenizerPtr& tokenizer);

}  // namespace ulp::worker
