#pragma once

#include <string>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/study/study.h"

namespace ulp::worker {

/// The token ids of a study: drawn by the engine, or read from `input.path` and checked against
/// the vocabulary and the shape that the study asks for. Errors: those of readTokens();
/// InvalidArgument with file and position of the first id that the model does not know.
[[nodiscard]] Result<engine::TokenBatch> loadTokens(const study::Study& study,
                                                    std::int64_t vocabularySize,
                                                    engine::Engine& engine);

/// SHA-256 in hexadecimal over batch, length and ids as little-endian int64. Errors: Internal.
[[nodiscard]] Result<std::string> tokenDigest(const engine::TokenBatch& tokens);

}  // namespace ulp::worker
