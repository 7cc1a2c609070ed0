#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizers/tokenizer.h"

namespace ulp::text {

/// Kinds of pieces, numbered as in sentencepiece's models and in GGUF.
enum class PieceKind : std::int64_t {
  Normal = 1,
  Unknown = 2,
  Control = 3,
  UserDefined = 4,
  Unused = 5,
  Byte = 6
};

struct Piece {
  std::string spelling;
  float score = 0;
  PieceKind kind = PieceKind::Normal;
};

/// What a sentencepiece model holds, for those that are stored in another format.
struct SentencePieceDefinition {
  std::vector<Piece> pieces;
  bool isUnigram = false;  ///< else BPE
  bool addSpacePrefix = true;
  bool removeExtraSpaces = false;
  std::string replacements;  ///< precompiled_charsmap; empty: text stays as it is
};

/// Serialised as a ModelProto of sentencepiece_model.proto.
[[nodiscard]] std::string sentencePieceModel(const SentencePieceDefinition& definition);
/// Looks at what the library takes on trust in a serialised model: its tables of replacements.
/// Errors: CorruptData.
[[nodiscard]] Result<> checkSentencePieceModel(std::string_view model);

struct SentencePieceOptions {
  std::string description;
  /// Nothing: in front of BPE models (Llama), as their tokenizers do where no file says otherwise.
  std::optional<bool> addBegin;
  bool addEnd = false;
};

/// A tokenizer out of the bytes of a tokenizer.model, by the sentencepiece library. Control tokens
/// are recognised in the text; the space in front of a text is put there at its begin alone, as
/// `transformers` does. Errors: CorruptData (what the library
/// says, or checkSentencePieceModel()).
[[nodiscard]] Result<TokenizerPtr> makeSentencePieceTokenizer(std::string_view model,
                                                              SentencePieceOptions options);

}  // namespace ulp::text
