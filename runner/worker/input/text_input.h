#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/study/reading/study.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::worker {

/// Sequences of study.sequenceLength + 1 ids each, one behind the other.
struct TokenisedText {
  std::vector<std::int64_t> ids;
  std::string description;  ///< where the ids come from and what was cut or repeated
};

/// `input.tokenizer`, by default the model's own files. Errors: those of resolving model.path.
[[nodiscard]] Result<std::filesystem::path> tokenizerPath(const study::Study& study);

/// Gives how many sequences a study asks for, where no file decides.
[[nodiscard]] std::int64_t sequenceCount(const study::Study& study);

/// `input.source: text`: the file as one stream of tokens, cut into sequences. Where it is too
/// short for one batch it is repeated, for several it is refused. Errors: those of readTextFile()
/// and Tokenizer::encode(), InvalidArgument (no token, too few of them).
[[nodiscard]] Result<TokenisedText> tokeniseText(const study::Study& study,
                                                 const text::Tokenizer& tokenizer);

/// `input.source: dataset`: every sequence begins with a document; shorter ones are followed by the
/// next, with the token that ends a text between them, and the rest of a longer one is left out.
/// Errors: InvalidArgument (too few documents), and with file and line those of DocumentReader,
/// ChatDocumentReader, loadChatTemplate() and Tokenizer.
[[nodiscard]] Result<TokenisedText> tokeniseDataset(const study::Study& study,
                                                    const text::Tokenizer& tokenizer);

}  // namespace ulp::worker
