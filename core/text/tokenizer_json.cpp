#include "core/text/tokenizer_json.h"

#include <filesystem>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text/json_document.h"
#include "core/text/json_parts.h"
#include "core/text/pipeline_tokenizer.h"

namespace ulp::text {
namespace {

using nlohmann::json;

Result<AddedToken> readAddedToken(const JsonPart& part) {
  AddedToken token;
  auto content = part.text("content");
  const auto id = part.integer("id");
  if (!content || !id) {
    return tl::unexpected(!content ? content.error() : id.error());
  }
  token.content = *std::move(content);
  token.id = *id;
  for (const auto& [key, target] : {std::pair{"single_word", &token.singleWord},
                                    std::pair{"lstrip", &token.stripsLeft},
                                    std::pair{"rstrip", &token.stripsRight},
                                    std::pair{"normalized", &token.isNormalized},
                                    std::pair{"special", &token.isSpecial}}) {
    const auto flag = part.flag(key, false);
    if (!flag) {
      return tl::unexpected(flag.error());
    }
    *target = *flag;
  }
  return token;
}

/// An optional part, read where the file has it.
template <class Value, class Read>
Result<> readInto(const JsonPart& root, std::string_view key, Value& target, const Read& read) {
  if (!root.has(key)) {
    return {};
  }
  auto value = read(*root.at(key));
  if (!value) {
    return tl::unexpected(value.error());
  }
  target = *std::move(value);
  return {};
}

Result<> checkVersion(const JsonPart& root) {
  const auto version = root.text("version", "1.0");
  if (!version) {
    return tl::unexpected(version.error());
  }
  return *version == "1.0" ? Result<>() : root.unsupported(fmt::format("version '{}'", *version));
}

Result<Pipeline> readPipeline(const JsonPart& root) {
  Pipeline pipeline;
  SequenceFrame frame;
  Result<> done = checkVersion(root);
  if (done) {
    done = readInto(root, "normalizer", pipeline.normalizer, [](const JsonPart& part) {
      return readNormalizer(part);
    });
  }
  if (done) {
    done = readInto(root, "pre_tokenizer", pipeline.preTokenizer, [](const JsonPart& part) {
      return readPreTokenizer(part);
    });
  }
  if (done) {
    done = readInto(root, "post_processor", frame, [](const JsonPart& part) {
      return readPostProcessor(part);
    });
  }
  if (done) {
    done = readInto(root, "decoder", pipeline.speller, readDecoder);
  }
  const auto part = root.at("model");
  if (!done || !part) {
    return tl::unexpected(!done ? done.error() : part.error());
  }
  auto model = readModel(*part);
  if (!model) {
    return tl::unexpected(model.error());
  }
  auto tokens = readAddedTokens(root, (*model)->vocabulary());
  if (!tokens) {
    return tl::unexpected(tokens.error());
  }
  auto added = AddedTokens::create(*std::move(tokens), pipeline.normalizer.get());
  if (!added) {
    return tl::unexpected(added.error());
  }
  pipeline.model = *std::move(model);
  pipeline.added = *std::move(added);
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
  const auto items = root.items("added_tokens");
  if (!items) {
    return tl::unexpected(items.error());
  }
  for (const JsonPart& item : *items) {
    auto token = readAddedToken(item);
    if (!token) {
      return tl::unexpected(token.error());
    }
    if (token->id < 0 || token->id > Vocabulary::kLargestId) {
      return item.corrupt(fmt::format("the number {} is beyond every vocabulary", token->id));
    }
    const auto known = vocabulary.find(token->content);
    const bool contradicts = known ? *known != token->id : vocabulary.holds(token->id);
    if (contradicts) {
      return item.corrupt(fmt::format(
          "'{}' has the number {}, but the vocabulary says otherwise", token->content, token->id));
    }
    tokens.push_back(*std::move(token));
  }
  return tokens;
}

Result<TokenizerPtr> parseTokenizerJson(std::string_view text,
                                        std::string_view origin,
                                        std::string_view endOfText) {
  const auto document = parseAsSerde(text, origin);
  if (!document) {
    return tl::unexpected(document.error());
  }
  const JsonPart root(*document, fmt::format("{}: ", origin));
  if (!document->is_object()) {
    return root.corrupt("an object is needed");
  }
  auto pipeline = readPipeline(root);
  if (!pipeline) {
    return tl::unexpected(pipeline.error());
  }
  const std::string kind = root.at("model")->text("type", "BPE").value_or("BPE");
  pipeline->description =
      fmt::format("{}, {}", std::filesystem::path(origin).filename().string(), kind);
  if (!endOfText.empty()) {
    pipeline->endOfText = idOf(*pipeline, endOfText);
  }
  auto made = makePipelineTokenizer(*std::move(pipeline));
  if (!made) {
    return failWhile(origin, std::move(made));
  }
  return made;
}

std::string endOfTextIn(std::string_view configJson) {
  const json config = json::parse(configJson, nullptr, false);
  if (!config.is_object()) {
    return {};
  }
  const auto found = config.find("eos_token");
  if (found == config.end()) {
    return {};
  }
  // A text, or an added token as an object.
  const json& token =
      found->is_object() && found->contains("content") ? (*found)["content"] : *found;
  return token.is_string() ? token.get<std::string>() : std::string();
}

}  // namespace ulp::text
