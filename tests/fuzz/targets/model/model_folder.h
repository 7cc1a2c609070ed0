#pragma once

#include <cstddef>
#include <cstdint>

#include "core/text/chat/chat_template.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_tokenizer.h"

namespace ulp::test {

/// What lies beside a model's weights: tokenizer.json or tokenizer.model, tokenizer_config.json,
/// special_tokens_map.json, chat_template.jinja.
inline void fuzzModelFolder(const std::uint8_t* data, std::size_t size) {
  static RefilledFolder folder;
  folder.refill(fuzzText(data, size));
  checkTokenizer(text::loadTokenizer(folder.path()));
  const auto chat = text::loadChatTemplate(folder.path());
  require(chat || !chat.error().message().empty());
}

}  // namespace ulp::test
