#include "core/text/loading/config_tokens.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/text/parse_number.h"

namespace ulp::text {
namespace {

/// Those that every tokenizer of transformers may have, in its order.
constexpr std::array<std::string_view, 7> kSpecialNames{
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};

bool flagOf(const json::Value& object, std::string_view name, bool otherwise) {
  const json::Value& flag = object.at(name);
  return flag.isBoolean() ? flag.boolean() : otherwise;
}

/// A text is special and looked for as it is written; so is what normalises nothing.
std::optional<AddedToken> tokenOf(const json::Value& value, bool isSpecial) {
  if (value.isText()) {
    return AddedToken{.content = value.text(), .isSpecial = true};
  }
  if (!value.isObject() || !value.at("content").isText()) {
    return std::nullopt;
  }
  isSpecial = isSpecial || flagOf(value, "special", false);
  return AddedToken{.content = value.at("content").text(),
                    .singleWord = flagOf(value, "single_word", false),
                    .stripsLeft = flagOf(value, "lstrip", false),
                    .stripsRight = flagOf(value, "rstrip", false),
                    .isNormalized = flagOf(value, "normalized", !isSpecial),
                    .isSpecial = isSpecial};
}

void append(std::vector<AddedToken>& tokens, const json::Value& value) {
  if (auto token = tokenOf(value, true)) {
    tokens.push_back(*std::move(token));
  }
}

/// Of a field: a list, or an object with a name for each.
void appendAll(std::vector<AddedToken>& tokens, const json::Value& values) {
  for (const json::Value& value : values.items()) {
    append(tokens, value);
  }
  for (const auto& [name, value] : values.members()) {
    append(tokens, value);
  }
}

/// The special tokens, those with names first.
std::vector<AddedToken> specialTokens(const json::Value& config, const json::Value& map) {
  std::vector<AddedToken> tokens;
  for (const std::string_view name : kSpecialNames) {
    append(tokens, map.at(name).isNull() ? config.at(name) : map.at(name));
  }
  for (const json::Value* file : {&config, &map}) {
    for (const auto& [name, value] : file->members()) {
      if (name.ends_with("_token") &&
          std::ranges::find(kSpecialNames, name) == kSpecialNames.end()) {
        append(tokens, value);
      }
    }
  }
  const std::size_t named = tokens.size();
  appendAll(tokens, config.at("extra_special_tokens"));
  if (tokens.size() == named) {
    appendAll(tokens, config.at("additional_special_tokens"));
  }
  appendAll(tokens, map.at("extra_special_tokens"));
  if (tokens.size() == named) {
    appendAll(tokens, map.at("additional_special_tokens"));
  }
  return tokens;
}

}  // namespace

std::vector<AddedToken> tokensOfConfigs(const TokenConfigs& files) {
  std::map<std::int64_t, AddedToken> numbered;  // in whose order they are added
  const json::Value& listed = files.config.at("added_tokens_decoder");
  std::vector<AddedToken> special =
      specialTokens(files.config, listed.isObject() ? json::Value() : files.specialMap);
  if (listed.isObject()) {
    for (const auto& [number, value] : listed.members()) {
      const auto id = parseNatural<std::int64_t>(number);
      if (auto token = tokenOf(value, false); id && token) {
        numbered.insert_or_assign(*id, *std::move(token));
      }
    }
  } else {
    for (const auto& [content, number] : files.added.members()) {
      const bool isSpecial =
          std::ranges::find(special, content, &AddedToken::content) != special.end();
      if (number.isInteger()) {
        numbered.insert_or_assign(
            number.integer(),
            AddedToken{.content = content, .isNormalized = !isSpecial, .isSpecial = isSpecial});
      }
    }
  }
  std::vector<AddedToken> tokens;
  for (auto& [number, token] : numbered) {
    tokens.push_back(std::move(token));
  }
  std::ranges::move(special, std::back_inserter(tokens));
  return tokens;
}

}  // namespace ulp::text
