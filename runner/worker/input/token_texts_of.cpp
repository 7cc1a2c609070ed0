#include "runner/worker/input/token_texts_of.h"

#include <fmt/format.h>
#include <string>

#include "core/base/text/utf8.h"

namespace ulp::worker {
namespace {

/// JSON holds UTF-8 alone, and a token may be a part of a character.
std::string readable(std::string bytes) {
  if (!invalidUtf8At(bytes)) {
    return bytes;
  }
  std::string shown;
  for (const char byte : bytes) {
    shown += fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte));
  }
  return shown;
}

}  // namespace

report::TokenTexts tokenTextsOf(std::span<const engine::TokenBatch> microBatches,
                                const text::TokenizerPtr& tokenizer) {
  report::TokenTexts tokens;
  for (const engine::TokenBatch& batch : microBatches) {
    tokens.sequences += batch.batch;
    tokens.length = batch.length;
    tokens.ids.insert(tokens.ids.end(), batch.ids.begin(), batch.ids.end());
  }
  if (tokenizer == nullptr) {
    return tokens;
  }
  tokens.tokenizer = tokenizer->description();
  for (const std::int64_t id : tokens.ids) {
    // Padding is outside of the vocabulary.
    if (id >= 0 && id < tokenizer->size() && !tokens.texts.contains(id)) {
      tokens.texts.emplace(id, readable(tokenizer->bytes(id)));
    }
  }
  return tokens;
}

}  // namespace ulp::worker
