#include <fmt/format.h>
#include <utility>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/json/parse.h"
#include "core/tensors/formats/gguf/gguf.h"
#include "core/text/loading/config_tokens.h"
#include "core/text/loading/tokenizer_gguf.h"
#include "core/text/loading/tokenizer_json.h"
#include "core/text/tokenizers/sentencepiece_tokenizer.h"
#include "core/text/tokenizers/tokenizer.h"

namespace ulp::text {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = std::size_t{512} << 20;

/// A file beside a tokenizer; nothing where there is none, or no JSON in it.
Result<json::Value> readBeside(const fs::path& file, const char* name = "tokenizer_config.json") {
  const fs::path beside = file.parent_path() / name;
  std::error_code ignored;
  if (!fs::exists(beside, ignored)) {
    return json::Value();
  }
  const auto text = ULP_TRY(readTextFile(beside, kLargestTokenizerConfig));
  auto config = json::parse(text);
  if (!config && config.error().code() == ErrorCode::CorruptData) {
    return json::Value();
  }
  return whileDoing(beside.string(), std::move(config));
}

Result<TokenizerPtr> loadJson(const fs::path& file, bool isForChats) {
  const auto text = ULP_TRY(readTextFile(file, kLargestFile));
  TokenConfigs configs;
  configs.config = ULP_TRY(readBeside(file));
  std::vector<AddedToken> more;
  if (isForChats) {
    configs.specialMap = ULP_TRY(readBeside(file, "special_tokens_map.json"));
    configs.added = ULP_TRY(readBeside(file, "added_tokens.json"));
    more = tokensOfConfigs(configs);
  }
  return parseTokenizerJson(
      text, file.string(), tokenIn(configs.config, "eos_token").value_or(""), std::move(more));
}

std::optional<bool> flagIn(const json::Value& config, const char* key) {
  const json::Value& flag = config.at(key);
  return flag.isBoolean() ? std::optional(flag.boolean()) : std::nullopt;
}

Result<TokenizerPtr> loadSentencePiece(const fs::path& file) {
  const auto model = ULP_TRY(readTextFile(file, kLargestFile));
  const auto config = ULP_TRY(readBeside(file));
  return whileDoing(
      file.string(),
      makeSentencePieceTokenizer(model,
                                 {.description = file.filename().string() + ", sentencepiece",
                                  .addBegin = flagIn(config, "add_bos_token"),
                                  .addEnd = flagIn(config, "add_eos_token").value_or(false)}));
}

Result<TokenizerPtr> loadGguf(const fs::path& file) {
  const auto opened = ULP_TRY(tensors::GgufFile::open(file));
  return makeGgufTokenizer(*opened);
}

Result<TokenizerPtr> load(const fs::path& path, bool isForChats) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const char* name : {"tokenizer.json", "tokenizer.model"}) {
      if (fs::exists(path / name, error)) {
        return load(path / name, isForChats);
      }
    }
    return fail(ErrorCode::NotFound,
                fmt::format("{}: neither tokenizer.json nor tokenizer.model is in the folder; name "
                            "one that has it (in a study: input.tokenizer)",
                            path.string()));
  }
  if (!fs::exists(path, error)) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file or folder", path.string()));
  }
  const fs::path extension = path.extension();
  if (extension == ".json") {
    return loadJson(path, isForChats);
  }
  if (extension == ".model") {
    return loadSentencePiece(path);
  }
  if (extension == ".gguf") {
    return loadGguf(path);
  }
  return fail(ErrorCode::Unsupported,
              fmt::format("{}: a tokenizer is a tokenizer.json, a tokenizer.model, a .gguf file or "
                          "a folder with one of the first two",
                          path.string()));
}

}  // namespace

Result<TokenizerPtr> loadTokenizer(const fs::path& path) {
  return load(path, false);
}

Result<TokenizerPtr> loadChatTokenizer(const fs::path& path) {
  return load(path, true);
}

}  // namespace ulp::text
