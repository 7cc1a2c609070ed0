#include "core/report/model/token_texts.h"

#include <array>
#include <fmt/format.h>
#include <ranges>
#include <span>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/visible_text.h"
#include "core/json/record.h"

namespace ulp::report {
namespace {

constexpr std::string_view kTokenSchema = "ulpscope.tokens/1";

constexpr std::array kTokenFields{json::field<&TokenTexts::sequences>("sequences"),
                                  json::field<&TokenTexts::length>("length"),
                                  json::field<&TokenTexts::tokenizer>("tokenizer")};

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
  } else if (field == "ids") {
    json.readArray([&] { json.readArray([&] { tokens.ids.push_back(json.readInteger()); }); });
  } else if (field == "texts") {
    json.readObject([&](std::string_view id) { readText(json, tokens, id); });
  } else if (!json::readField(json, tokens, kTokenFields, field)) {
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
  const auto width = static_cast<std::size_t>(tokens.length + 1);
  const auto writeRow = [&](std::int64_t row) {
    const auto ids = std::span(tokens.ids).subspan(static_cast<std::size_t>(row) * width, width);
    json::writeItems(json, ids, [&](std::int64_t id) { json.value(id); });
  };
  json.value([&] {
    json.field("schema", kTokenSchema);
    json::writeFields(json, tokens, kTokenFields);
    const auto rows = std::views::iota(std::int64_t{0}, tokens.sequences);
    json.list("ids", rows, writeRow, {.items = 2, .end = 0});
    json.field("texts", [&] {
      for (const auto& [id, text] : tokens.texts) {
        json.newLine(2);
        json.field(fmt::format("{}", id), text);
      }
      json.newLine(0);
    });
  });
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

std::string shownToken(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    if (c == ' ') {
      shown += "␣";
    } else if (c == '\n') {
      shown += "↵";
    } else if (c == '\t') {
      shown += "⇥";
    } else {
      shown += c;
    }
  }
  return ulp::visibleText(shown);
}

std::vector<std::string> tokensByPosition(const std::filesystem::path& folder) {
  std::vector<std::string> shown;
  const auto tokens = readTokenTexts(folder);
  if (!tokens || !*tokens || (*tokens)->sequences != 1) {
    return shown;
  }
  for (const std::int64_t id : (*tokens)->ids) {
    const std::string text = shownToken((*tokens)->textOf(id));
    shown.push_back(text.empty() ? fmt::format("#{}", id) : text);
  }
  return shown;
}

}  // namespace ulp::report
