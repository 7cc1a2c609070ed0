#include "core/report/model/token_texts.h"

#include <fmt/format.h>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/text/parse_number.h"
#include "core/json/reader.h"
#include "core/json/writer.h"

namespace ulp::report {
namespace {

constexpr std::string_view kTokenSchema = "ulpscope.tokens/1";

void readText(json::Reader& json, TokenTexts& tokens, std::string_view key) {
  const auto id = parseNumber<std::int64_t>(key);
  if (!id) {
    json.fail(ErrorCode::CorruptData, "a field that is not the number of a token");
    return;
  }
  tokens.texts[*id] = json.readString();
}

void readField(json::Reader& json, TokenTexts& tokens, std::string_view field) {
  if (field == "schema") {
    if (json.readString() != kTokenSchema) {
      json.fail(ErrorCode::Unsupported, "another schema than ulpscope.tokens/1");
    }
  } else if (field == "sequences") {
    tokens.sequences = json.readInteger();
  } else if (field == "length") {
    tokens.length = json.readInteger();
  } else if (field == "tokenizer") {
    tokens.tokenizer = json.readString();
  } else if (field == "ids") {
    json.readArray([&] { json.readArray([&] { tokens.ids.push_back(json.readInteger()); }); });
  } else if (field == "texts") {
    json.readObject([&](std::string_view id) { readText(json, tokens, id); });
  } else {
    json.skipValue();
  }
}

/// Without overflow: the sizes come from a file.
bool isWhole(const TokenTexts& tokens) {
  const auto count = static_cast<std::int64_t>(tokens.ids.size());
  return tokens.sequences > 0 && tokens.length > 0 && count % tokens.sequences == 0 &&
         count / tokens.sequences - 1 == tokens.length;
}

}  // namespace

std::int64_t TokenTexts::predicted(std::int64_t sequence, std::int64_t position) const {
  return ids[static_cast<std::size_t>(sequence * (length + 1) + position + 1)];
}

std::string TokenTexts::textOf(std::int64_t id) const {
  const auto found = texts.find(id);
  return found == texts.end() ? std::string() : found->second;
}

Result<> writeTokenTexts(const TokenTexts& tokens, const std::filesystem::path& folder) {
  json::Writer json;
  json.beginObject();
  json.field("schema", kTokenSchema);
  json.field("sequences", tokens.sequences);
  json.field("length", tokens.length);
  json.field("tokenizer", tokens.tokenizer);
  json.key("ids");
  json.beginArray();
  for (std::int64_t row = 0; row < tokens.sequences; ++row) {
    json.newLine(2);
    json.beginArray();
    for (std::int64_t i = 0; i <= tokens.length; ++i) {
      json.value(tokens.ids[static_cast<std::size_t>(row * (tokens.length + 1) + i)]);
    }
    json.endArray();
  }
  json.newLine(0);
  json.endArray();
  json.field("texts", [&] {
    for (const auto& [id, text] : tokens.texts) {
      json.newLine(2);
      json.field(fmt::format("{}", id), text);
    }
    json.newLine(0);
  });
  json.endObject();
  return writeFileAtomically(folder / kTokenTextFile, std::move(json).take() + "\n");
}

Result<std::optional<TokenTexts>> readTokenTexts(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kTokenTextFile;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    return std::optional<TokenTexts>();
  }
  const auto content = ULP_TRY(readTextFile(file));
  TokenTexts tokens;
  const std::string origin = file.string();
  json::Reader json(content, origin);
  json.readObject([&](std::string_view field) { readField(json, tokens, field); });
  ULP_TRY(json.finish());
  if (!isWhole(tokens)) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: {} ids are not {} sequences of {} and one; run the study again",
                            file.string(),
                            tokens.ids.size(),
                            tokens.sequences,
                            tokens.length));
  }
  return std::optional(std::move(tokens));
}

}  // namespace ulp::report
