#include "core/text/loading/tokenizer_gguf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "core/base/text/utf8.h"
#include "core/text/characters/byte_alphabet.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"
#include "core/text/tokenizers/sentencepiece_tokenizer.h"

namespace ulp::text {
namespace {

using tensors::GgufFile;

constexpr std::string_view kModel = "tokenizer.ggml.model";
constexpr std::string_view kPre = "tokenizer.ggml.pre";
constexpr std::string_view kTokens = "tokenizer.ggml.tokens";

bool flagOr(const GgufFile& file, std::string_view key, bool fallback) {
  return file.flag(key).value_or(fallback);
}

std::optional<std::int64_t> idOf(const GgufFile& file, std::string_view key) {
  const auto id = file.integer(key);
  return id ? std::optional(*id) : std::nullopt;
}

tl::unexpected<Error> corrupt(const GgufFile& file, std::string_view what) {
  return fail(ErrorCode::CorruptData, fmt::format("{}: {}", file.path().string(), what));
}

std::string describe(const GgufFile& file, std::string_view kind) {
  return fmt::format("{}, {}", file.path().filename().string(), kind);
}

/// Tokens with scores and kinds as far as the file has them.
Result<std::vector<Piece>> readPieces(const GgufFile& file) {
  const auto tokens = ULP_TRY(file.texts(kTokens));
  std::vector<Piece> pieces;
  for (const std::string_view token : tokens) {
    if (invalidUtf8At(token)) {
      return corrupt(file, fmt::format("{}[{}] is not UTF-8", kTokens, pieces.size()));
    }
    pieces.push_back({.spelling = std::string(token)});
  }
  if (file.find("tokenizer.ggml.scores") != nullptr) {
    const auto scores = file.reals("tokenizer.ggml.scores");
    if (!scores || scores->size() != pieces.size()) {
      return corrupt(file, "tokenizer.ggml.scores: one number a token is needed");
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      pieces[i].score = static_cast<float>((*scores)[i]);
    }
  }
  if (file.find("tokenizer.ggml.token_type") != nullptr) {
    const auto kinds = file.integers("tokenizer.ggml.token_type");
    if (!kinds || kinds->size() != pieces.size()) {
      return corrupt(file, "tokenizer.ggml.token_type: one number a token is needed");
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if ((*kinds)[i] < 1 || (*kinds)[i] > 6) {
        return corrupt(file,
                       fmt::format("tokenizer.ggml.token_type[{}]: {} is no kind", i, (*kinds)[i]));
      }
      pieces[i].kind = static_cast<PieceKind>((*kinds)[i]);
    }
  }
  return pieces;
}

Result<std::vector<std::pair<std::string, std::string>>> readMerges(const GgufFile& file) {
  const auto lines = ULP_TRY(file.texts("tokenizer.ggml.merges"));
  std::vector<std::pair<std::string, std::string>> merges;
  for (const std::string_view line : lines) {
    // A token may begin with a space where the alphabet is not of bytes.
    const std::size_t space = line.find(' ', 1);
    if (space == std::string_view::npos) {
      return corrupt(
          file, fmt::format("tokenizer.ggml.merges[{}]: a merge is two tokens", merges.size()));
    }
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return merges;
}

Result<const GgufPreTokenizer*> readPre(const GgufFile& file) {
  std::string_view name = "default";
  if (file.find(kPre) != nullptr) {
    name = ULP_TRY(file.text(kPre));
  }
  if (const GgufPreTokenizer* known = findGgufPreTokenizer(name)) {
    return known;
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("{}: {}: '{}' is not supported; it would give other tokens than the "
                          "model's own tokenizer. Name the model's tokenizer.json (in a study: "
                          "input.tokenizer). Known are {}",
                          file.path().string(),
                          kPre,
                          name,
                          fmt::join(ggufPreTokenizerNames(), ", ")));
}

Result<PreTokenizer> makePre(const GgufPreTokenizer& known) {
  std::vector<PreTokenizer> parts;
  for (const std::string_view pattern : known.patterns) {
    auto compiled = ULP_TRY(Regex::compile(pattern));
    parts.push_back(makeSplit(std::move(compiled), SplitBehavior::Isolated, false));
  }
  parts.push_back(makeByteLevel(std::nullopt, false));
  return makePreTokenizers(std::move(parts));
}

/// Control and user-defined tokens are looked for in the text; the others, whatever the file writes
/// them with, are spelled in the alphabet of bytes.
Result<Vocabulary> takeVocabulary(std::vector<Piece> pieces, std::vector<AddedToken>& added) {
  std::vector<std::pair<std::string, std::int64_t>> tokens;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Piece& piece = pieces[i];
    const auto id = static_cast<std::int64_t>(i);
    const bool isSpecial = piece.kind == PieceKind::Control || piece.kind == PieceKind::Unknown;
    if (isSpecial || piece.kind == PieceKind::UserDefined) {
      added.push_back({.content = piece.spelling, .id = id, .isSpecial = isSpecial});
    }
    const bool isSpelled = bytesOfSpelling(piece.spelling).has_value();
    tokens.emplace_back(isSpelled ? std::move(piece.spelling) : spellingOfBytes(piece.spelling),
                        id);
  }
  return Vocabulary::create(std::move(tokens));
}

Result<TokenizerPtr> makeByteLevelBpe(const GgufFile& file) {
  const auto known = ULP_TRY(readPre(file));
  auto pieces = ULP_TRY(readPieces(file));
  std::vector<AddedToken> added;
  BpeDefinition definition;
  definition.merges = ULP_TRY(readMerges(file));
  definition.vocabulary = ULP_TRY(takeVocabulary(std::move(pieces), added));
  definition.ignoreMerges = known->ignoreMerges;
  Pipeline pipeline;
  pipeline.normalizer = known->isNfc ? makeNormalForm(NormalForm::Nfc) : Normalizer();
  pipeline.model = ULP_TRY(makeBpe(std::move(definition)));
  pipeline.preTokenizer = ULP_TRY(makePre(*known));
  pipeline.added = ULP_TRY(AddedTokens::create(std::move(added), Normalizer()));
  pipeline.speller.isByteLevel = true;
  pipeline.endOfText = idOf(file, "tokenizer.ggml.eos_token_id");
  pipeline.description = describe(file, "byte-level BPE");
  const auto begin = idOf(file, "tokenizer.ggml.bos_token_id");
  if (begin && flagOr(file, "tokenizer.ggml.add_bos_token", known->addsBegin)) {
    pipeline.prefix.push_back(*begin);
  }
  if (pipeline.endOfText && flagOr(file, "tokenizer.ggml.add_eos_token", false)) {
    pipeline.suffix.push_back(*pipeline.endOfText);
  }
  return makePipelineTokenizer(std::move(pipeline));
}

/// Runs of spaces are written with spaces in some files, and with what stands for them in models.
std::string withMarkedSpaces(std::string_view spelling) {
  std::string marked;
  for (const char c : spelling) {
    marked += c == ' ' ? "\u2581" : std::string(1, c);
  }
  return marked;
}

Result<TokenizerPtr> makeSentencePiece(const GgufFile& file, bool isUnigram) {
  auto pieces = ULP_TRY(readPieces(file));
  SentencePieceDefinition definition{
      .isUnigram = isUnigram,
      .addSpacePrefix = flagOr(file, "tokenizer.ggml.add_space_prefix", true),
      .removeExtraSpaces = flagOr(file, "tokenizer.ggml.remove_extra_whitespaces", isUnigram)};
  for (Piece& piece : pieces) {
    piece.spelling = withMarkedSpaces(piece.spelling);
    definition.pieces.push_back(std::move(piece));
  }
  if (file.find("tokenizer.ggml.precompiled_charsmap") != nullptr) {
    const auto bytes = ULP_TRY(file.integers("tokenizer.ggml.precompiled_charsmap"));
    for (const std::int64_t byte : bytes) {
      definition.replacements += static_cast<char>(byte);
    }
  }
  return makeSentencePieceTokenizer(
      sentencePieceModel(definition),
      {.description = describe(file, isUnigram ? "sentencepiece Unigram" : "sentencepiece BPE"),
       .addBegin = flagOr(file, "tokenizer.ggml.add_bos_token", !isUnigram),
       .addEnd = flagOr(file, "tokenizer.ggml.add_eos_token", isUnigram)});
}

}  // namespace

Result<TokenizerPtr> makeGgufTokenizer(const GgufFile& file) {
  if (file.find(kModel) == nullptr) {
    return fail(
        ErrorCode::NotFound,
        fmt::format(
            "{}: the file holds no tokenizer; name one that has it (in a study: input.tokenizer)",
            file.path().string()));
  }
  const auto model = ULP_TRY(file.text(kModel));
  Result<TokenizerPtr> made;
  if (model == "gpt2") {
    made = makeByteLevelBpe(file);
  } else if (model == "llama" || model == "t5") {
    made = makeSentencePiece(file, model == "t5");
  } else {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: {}: '{}' is not supported; known are gpt2, llama, t5. Name the "
                            "model's tokenizer.json (in a study: input.tokenizer)",
                            file.path().string(),
                            kModel,
                            model));
  }
  if (!made && made.error().message().find(file.path().filename().string()) == std::string::npos) {
    return failWhile(file.path().string(), std::move(made));
  }
  return made;
}

}  // namespace ulp::text
