#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/text/utf8.h"
#include "core/json/parse.h"
#include "core/tensors/formats/gguf/gguf.h"
#include "core/text/chat/chat_template.h"
#include "core/text/loading/tokenizer_json.h"

namespace ulp::text {
namespace {

namespace fs = std::filesystem;

/// Templates nest, and so does what reads them.
constexpr std::size_t kLargestTemplate = std::size_t{1} << 20;
constexpr std::array<const char*, 7> kTokenNames{
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};

tl::unexpected<Error> noTemplate(const fs::path& path, std::string_view lookedFor) {
  return fail(ErrorCode::NotFound,
              fmt::format("{}: no chat template: {}; remove input.chat_template, or name a "
                          "tokenizer that has one with input.tokenizer",
                          path.string(),
                          lookedFor));
}

Result<ChatTemplate> parseChecked(ChatTemplateSource source) {
  if (source.jinja.size() > kLargestTemplate || invalidUtf8At(source.jinja)) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: a chat template is UTF-8 and has up to {} bytes",
                            source.origin,
                            kLargestTemplate));
  }
  return ChatTemplate::parse(std::move(source));
}

/// The object in a file of the folder; empty where there is no such file.
Result<json::Value> readObject(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return json::Object();
  }
  const auto text = ULP_TRY(readTextFile(file, kLargestTokenizerConfig));
  return whileDoing(file.string(), json::parseObject(text));
}

/// A text, or the one named "default" of a list of {name, template}.
std::optional<std::string> templateIn(const json::Value& config) {
  const json::Value& found = config.at("chat_template");
  if (found.isText()) {
    return found.text();
  }
  for (const json::Value& named : found.items()) {
    if (named.at("name").text() == "default" && named.at("template").isText()) {
      return named.at("template").text();
    }
  }
  return std::nullopt;
}

Result<ChatTemplate> loadFromFolder(const fs::path& folder) {
  const auto config = ULP_TRY(readObject(folder / "tokenizer_config.json"));
  const auto tokens = ULP_TRY(readObject(folder / "special_tokens_map.json"));
  ChatTemplateSource source;
  for (const char* name : kTokenNames) {
    const auto token = tokenIn(config, name);
    if (const auto known = token ? token : tokenIn(tokens, name)) {
      source.specialTokens.emplace_back(name, *known);
    }
  }
  const fs::path file = folder / "chat_template.jinja";
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    source.jinja = ULP_TRY(readTextFile(file, kLargestTemplate));
    source.origin = file.string();
  } else if (auto text = templateIn(config)) {
    source.jinja = *std::move(text);
    source.origin = (folder / "tokenizer_config.json").string() + ": chat_template";
  } else {
    return noTemplate(folder,
                      "the folder has no chat_template.jinja, and no tokenizer_config.json with a "
                      "field chat_template (of several, 'default' counts)");
  }
  return parseChecked(std::move(source));
}

Result<ChatTemplate> loadFromGguf(const fs::path& path) {
  constexpr std::string_view kTemplate = "tokenizer.chat_template";
  const auto gguf = ULP_TRY(tensors::GgufFile::open(path));
  if (gguf->find(kTemplate) == nullptr) {
    return noTemplate(path, fmt::format("the file's metadata has no {}", kTemplate));
  }
  const auto jinja = ULP_TRY(gguf->text(kTemplate));
  const auto tokens = ULP_TRY(gguf->texts("tokenizer.ggml.tokens"));
  ChatTemplateSource source{std::string(jinja), fmt::format("{}: {}", path.string(), kTemplate)};
  for (const auto& [name, key] : {std::pair("bos_token", "tokenizer.ggml.bos_token_id"),
                                  std::pair("eos_token", "tokenizer.ggml.eos_token_id"),
                                  std::pair("unk_token", "tokenizer.ggml.unknown_token_id"),
                                  std::pair("pad_token", "tokenizer.ggml.padding_token_id")}) {
    if (gguf->find(key) == nullptr) {
      continue;
    }
    const auto id = ULP_TRY(gguf->integer(key));
    if (id < 0 || static_cast<std::size_t>(id) >= tokens.size()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: {}: {} is no token", path.string(), key, id));
    }
    source.specialTokens.emplace_back(name, tokens[static_cast<std::size_t>(id)]);
  }
  return parseChecked(std::move(source));
}

}  // namespace

Result<ChatTemplate> loadChatTemplate(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return loadFromFolder(path);
  }
  if (!fs::exists(path, ignored)) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file or folder", path.string()));
  }
  return path.extension() == ".gguf" ? loadFromGguf(path) : loadFromFolder(path.parent_path());
}

}  // namespace ulp::text
