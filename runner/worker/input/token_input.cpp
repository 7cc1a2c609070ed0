#include "runner/worker/input/token_input.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "core/base/digest/sha256.h"
#include "core/base/text/utf8.h"
#include "core/tensors/opening/token_file.h"
#include "runner/worker/input/text_input.h"

namespace ulp::worker {
namespace {

static_assert(std::endian::native == std::endian::little, "the digest is over little-endian ids");

Result<> checkSetting(const study::Study& study,
                      std::string_view key,
                      std::int64_t asked,
                      std::int64_t found) {
  if (asked == 0 || asked == found) {
    return {};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: gives {} {}, but the study sets {}; remove the setting or change it",
                          study.inputPath.string(),
                          key,
                          found,
                          asked));
}

Result<> checkVocabulary(const study::Study& study,
                         const engine::TokenBatch& tokens,
                         std::int64_t vocabularySize) {
  const auto width = static_cast<std::size_t>(tokens.length) + 1;
  const auto padding = static_cast<std::size_t>(study.step.padding);
  for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
    const std::int64_t id = tokens.ids[i];
    const bool isPadding = i % width + padding >= width;
    if (isPadding || (id >= 0 && id < vocabularySize)) {
      continue;
    }
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: [{}, {}]: token id {} is outside of the model's vocabulary, 0 to "
                            "{}; the file belongs to another tokenizer",
                            study.inputPath.string(),
                            i / width,
                            i % width,
                            id,
                            vocabularySize - 1));
  }
  return {};
}

Result<engine::TokenBatch> readBatch(const study::Study& study) {
  auto file = ULP_TRY(tensors::readTokens(study.inputPath));
  const std::vector<std::int64_t>& shape = file.shape;
  if (shape.empty() || shape.size() > 2) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds ids of {} dimensions; [batch, length + 1] is needed",
                            study.inputPath.string(),
                            shape.size()));
  }
  engine::TokenBatch tokens;
  tokens.batch = shape.size() == 2 ? shape.front() : 1;
  tokens.length = shape.back() - 1;
  tokens.ids = std::move(file.tokens);
  if (tokens.batch < 1 || tokens.length < 1) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds {} sequences of {} ids; at least one sequence of two ids is "
                            "needed, an input and its label",
                            study.inputPath.string(),
                            tokens.batch,
                            shape.back()));
  }
  return tokens;
}

Result<InputTokens> drawTokens(const study::Study& study,
                               std::int64_t vocabularySize,
                               engine::Engine& engine) {
  auto tokens = ULP_TRY(
      engine.randomTokens(vocabularySize, sequenceCount(study), study.sequenceLength, study.seed));
  return InputTokens{std::move(tokens), fmt::format("random tokens, seed {}", study.seed)};
}

Result<InputTokens> readTokenFile(const study::Study& study, std::int64_t vocabularySize) {
  auto tokens = ULP_TRY(readBatch(study));
  ULP_TRY(checkSetting(study, "input.sequences", study.sequences, tokens.batch));
  if (study.sequences == 0) {
    ULP_TRY(checkSetting(study, "input.micro_batch_size", study.microBatchSize, tokens.batch));
  }
  ULP_TRY(checkSetting(study, "input.sequence_length", study.sequenceLength, tokens.length));
  ULP_TRY(checkVocabulary(study, tokens, vocabularySize));
  return InputTokens{std::move(tokens), fmt::format("token file {}", study.inputPath.string())};
}

Result<InputTokens> makeTokens(const study::Study& study, std::int64_t vocabularySize) {
  const auto tokenizer = ULP_TRY(openTokenizer(study));
  auto made =
      ULP_TRY(study.inputSource == study::InputSource::Text ? tokeniseText(study, *tokenizer)
                                                            : tokeniseDataset(study, *tokenizer));
  const auto largest = std::max_element(made.ids.begin(), made.ids.end());
  if (*largest >= vocabularySize) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: gives the token {} ('{}'), but the model's vocabulary has {}; the "
                            "tokenizer belongs to another model",
                            tokenizer->description(),
                            *largest,
                            tokenizer->spelling(*largest),
                            vocabularySize));
  }
  engine::TokenBatch all{
      .ids = std::move(made.ids), .batch = sequenceCount(study), .length = study.sequenceLength};
  return InputTokens{std::move(all), std::move(made.description)};
}

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

Result<InputTokens> loadTokens(const study::Study& study,
                               std::int64_t vocabularySize,
                               engine::Engine& engine) {
  switch (study.inputSource) {
    case study::InputSource::Random:
      return drawTokens(study, vocabularySize, engine);
    case study::InputSource::Tokens:
      return readTokenFile(study, vocabularySize);
    case study::InputSource::Text:
    case study::InputSource::Dataset:
      return makeTokens(study, vocabularySize);
  }
  return fail(ErrorCode::Internal, "input.source: unknown");
}

Result<text::TokenizerPtr> openTokenizer(const study::Study& study) {
  const auto path = ULP_TRY(tokenizerPath(study));
  auto tokenizer = study.chatTemplate ? text::loadChatTokenizer(path) : text::loadTokenizer(path);
  return tokenizer || study.tokenizerPath.empty()
             ? tokenizer
             : failWhile("input.tokenizer", std::move(tokenizer));
}

Result<std::string> tokenDigest(const engine::TokenBatch& tokens) {
  const std::array<std::int64_t, 2> header{tokens.batch, tokens.length};
  Sha256 hash;
  hash.add(std::as_bytes(std::span(header)));
  hash.add(std::as_bytes(std::span(tokens.ids)));
  return hash.finish();
}

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
