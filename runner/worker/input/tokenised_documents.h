#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/study/reading/study.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::worker {

/// The token ids of the next document, or nothing at the end.
using NextDocument = std::function<Result<std::optional<std::vector<std::int64_t>>>()>;

struct TokenisedDocuments {
  NextDocument next;
  std::string chatTemplate;  ///< where it comes from; empty: the documents are texts
};

/// The documents of the dataset `input.path`, as texts or, with `input.chat_template`, as
/// conversations that the template of the tokenizer's files writes; read as they are asked for.
/// `tokenizer` must outlive it. Errors, here and of next(): those of DocumentReader,
/// ChatDocumentReader, loadChatTemplate() and Tokenizer, with file and line.
[[nodiscard]] Result<TokenisedDocuments> openDocuments(const study::Study& study,
                                                       const text::Tokenizer& tokenizer);

}  // namespace ulp::worker
