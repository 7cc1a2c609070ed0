#pragma once

#include <span>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/token_texts.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::worker {

/// The tokens of all micro-batches, with what they say where there is a tokenizer (null: none).
[[nodiscard]] report::TokenTexts tokenTextsOf(std::span<const engine::TokenBatch> microBatches,
                                              const text::TokenizerPtr& tokenizer);

}  // namespace ulp::worker
