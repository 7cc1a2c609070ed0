#include "core/text/loading/tokenizer_json.h"

#include <filesystem>
#include <fmt/format.h>

#include "core/json/parse.h"
#include "core/text/loading/json_document.h"
#include "core/text/loading/json_parts.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"

namespace ulp::text {
namespace {

Result<AddedToken> readAddedToken(const JsonPart& part) {
  AddedToken token;
  token.content = ULP_TRY(part.text("content"));
  token.id = ULP_TRY(part.integer("id"));
  for (const auto& [key, target] : {std::pair{"single_word", &token.singleWord},
                                    std::pair{"lstrip", &token.stripsLeft},
                                    std::pair{"rstrip", &token.stripsRight},
                                    std::pair{"normalized", &token.isNormalized},
                                    std::pair{"special", &token.isSpecial}}) {
    *target = ULP_TRY(part.flag(key, false));
  }
  return token;
}

/// An optional part, read where the file has it.
template <class Part>
Result<Part> readWhereThere(const JsonPart& root, std::string_view key, ReadPart<Part> read) {
  return root.has(key) ? read(*root.at(key), 0) : Result<Part>(Part());
}

Result<Pipeline> readPipeline(const JsonPart& root) {
  const auto version = ULP_TRY(root.text("version", "1.0"));
  if (version != "1.0") {
    return root.unsupported(fmt::format("version '{}'", version));
  }
  Pipeline pipeline;
  pipeline.normalizer = ULP_TRY(readWhereThere(root, "normalizer", readNormalizer));
  pipeline.preTokenizer = ULP_TRY(readWhereThere(root, "pre_tokenizer", readPreTokenizer));
  auto frame = ULP_TRY(readWhereThere(root, "post_processor", readPostProcessor));
  pipeline.speller = ULP_TRY(readWhereThere(root, "decoder", readDecoder));
  const auto part = ULP_TRY(root.at("model"));
  pipeline.model = ULP_TRY(readModel(part));
  auto tokens = ULP_TRY(readAddedTokens(root, pipeline.model->vocabulary()));
  pipeline.added = ULP_TRY(AddedTokens::create(std::move(tokens), pipeline.normalizer));
  pipeline.prefix = std::move(frame.prefix);
  pipeline.suffix = std::move(frame.suffix);
  return pipeline;
}

std::optional<std::int64_t> idOf(const Pipeline& pipeline, std::string_view spelling) {
  for (const AddedToken& token : pipeline.added.tokens()) {
    if (token.content == spelling) {
      return token.id;
    }
  }
  return pipeline.model->vocabulary().find(spelling);
}

}  // namespace

Result<std::vector<AddedToken>> readAddedTokens(const JsonPart& root,
                                                const Vocabulary& vocabulary) {
  std::vector<AddedToken> tokens;
  if (!root.has("added_tokens")) {
    return tokens;
  }
  const auto items = ULP_TRY(root.items("added_tokens"));
  for (const JsonPart& item : items) {
    auto token = ULP_TRY(readAddedToken(item));
    if (token.id < 0 || token.id > Vocabulary::kLargestId) {
      return item.corrupt(fmt::format("the number {} is beyond every vocabulary", token.id));
    }
    const auto known = vocabulary.find(token.content);
    const bool contradicts = known ? *known != token.id : vocabulary.holds(token.id);
    if (contradicts) {
      return item.corrupt(fmt::format(
          "'{}' has the number {}, but the vocabulary says otherwise", token.content, token.id));
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

Result<TokenizerPtr> parseTokenizerJson(std::string_view text,
                                        std::string_view origin,
                                        std::string_view endOfText) {
  const auto document = ULP_TRY(parseAsSerde(text, origin));
  const JsonPart root(document, fmt::format("{}: ", origin));
  if (!document.isObject()) {
    return root.corrupt("an object is needed");
  }
  auto pipeline = ULP_TRY(readPipeline(root));
  const std::string kind = root.at("model")->text("type", "BPE").value_or("BPE");
  pipeline.description =
      fmt::format("{}, {}", std::filesystem::path(origin).filename().string(), kind);
  if (!endOfText.empty()) {
    pipeline.endOfText = idOf(pipeline, endOfText);
  }
  auto made = makePipelineTokenizer(std::move(pipeline));
  if (!made) {
    return failWhile(origin, std::move(made));
  }
  return made;
}

std::string endOfTextIn(std::string_view configJson) {
  const json::Value config = json::parse(configJson).value_or(json::Value());
  // A text, or an added token as an object.
  const json::Value& token = config.at("eos_token");
  return token.isObject() ? token.at("content").text() : token.text();
}

}  // namespace ulp::text
