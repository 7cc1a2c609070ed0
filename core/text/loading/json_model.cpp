#include <fmt/format.h>
#include <utility>

#include "core/json/value.h"
#include "core/text/loading/json_parts.h"

namespace ulp::text {
namespace {

Result<Vocabulary> readVocabulary(const JsonPart& model) {
  const auto part = ULP_TRY(model.at("vocab"));
  if (!part.value().isObject()) {
    return part.corrupt("an object of tokens and their numbers is needed");
  }
  std::vector<std::pair<std::string, std::int64_t>> tokens;
  for (const auto& [spelling, id] : part.value().members()) {
    if (!id.isInteger()) {
      return part.corrupt(fmt::format("the number of '{}' is no integer", spelling));
    }
    tokens.emplace_back(spelling, id.integer());
  }
  return whileDoing(part.place(), Vocabulary::create(std::move(tokens)));
}

/// "a b" as older files have it, or ["a", "b"].
Result<std::pair<std::string, std::string>> readMerge(const JsonPart& part) {
  const json::Value& value = part.value();
  const json::Array& pair = value.items();
  if (value.isText()) {
    const std::string& text = value.text();
    const std::size_t space = text.find(' ');
    if (space != std::string::npos && text.find(' ', space + 1) == std::string::npos) {
      return std::pair{text.substr(0, space), text.substr(space + 1)};
    }
  } else if (pair.size() == 2 && pair[0].isText() && pair[1].isText()) {
    return std::pair{pair[0].text(), pair[1].text()};
  }
  return part.corrupt("a merge is two tokens");
}

Result<std::vector<std::pair<std::string, std::string>>> readMerges(const JsonPart& model) {
  const auto items = ULP_TRY(model.items("merges"));
  std::vector<std::pair<std::string, std::string>> merges;
  for (const JsonPart& item : items) {
    // The older form begins with a line of its version.
    if (item.value().text().starts_with("#version")) {
      continue;
    }
    auto merge = ULP_TRY(readMerge(item));
    merges.push_back(std::move(merge));
  }
  return merges;
}

Result<> readFlags(const JsonPart& part, BpeDefinition& definition) {
  for (const auto& [key, target] : {std::pair{"fuse_unk", &definition.fuseUnknown},
                                    std::pair{"byte_fallback", &definition.byteFallback},
                                    std::pair{"ignore_merges", &definition.ignoreMerges}}) {
    *target = ULP_TRY(part.flag(key, false));
  }
  for (const auto& [key, target] :
       {std::pair{"continuing_subword_prefix", &definition.continuingPrefix},
        std::pair{"end_of_word_suffix", &definition.endSuffix}}) {
    *target = ULP_TRY(part.text(key, ""));
  }
  if (part.has("unk_token")) {
    definition.unknownToken = ULP_TRY(part.text("unk_token"));
  }
  return {};
}

Result<TokenModelPtr> readBpe(const JsonPart& part) {
  if (part.has("dropout")) {
    const json::Value& dropout = part.at("dropout")->value();
    if (!dropout.isNumber() || dropout.number() != 0) {
      return part.unsupported("dropout, which gives other tokens each time,");
    }
  }
  BpeDefinition definition;
  definition.vocabulary = ULP_TRY(readVocabulary(part));
  definition.merges = ULP_TRY(readMerges(part));
  ULP_TRY(readFlags(part, definition));
  return makeBpe(std::move(definition));
}

Result<TokenModelPtr> readUnigram(const JsonPart& part) {
  const auto items = ULP_TRY(part.items("vocab"));
  std::vector<std::pair<std::string, std::int64_t>> tokens;
  UnigramDefinition definition;
  definition.byteFallback = ULP_TRY(part.flag("byte_fallback", false));
  const auto unknown = ULP_TRY(part.integer("unk_id", -1));
  for (const JsonPart& item : items) {
    const json::Array& pair = item.value().items();
    if (pair.size() != 2 || !pair[0].isText() || !pair[1].isNumber()) {
      return item.corrupt("a token and its score are needed");
    }
    tokens.emplace_back(pair[0].text(), static_cast<std::int64_t>(tokens.size()));
    definition.scores.push_back(pair[1].number());
  }
  definition.vocabulary = ULP_TRY(Vocabulary::create(std::move(tokens)));
  if (unknown < -1 || unknown > Vocabulary::kLargestId) {
    return part.corrupt(fmt::format("unk_id {} is not a token", unknown));
  }
  if (unknown >= 0) {
    definition.unknownId = static_cast<std::uint32_t>(unknown);
  }
  return makeUnigram(std::move(definition));
}

Result<TokenModelPtr> readWordPiece(const JsonPart& part) {
  WordPieceDefinition definition;
  definition.vocabulary = ULP_TRY(readVocabulary(part));
  definition.unknownToken = ULP_TRY(part.text("unk_token", "[UNK]"));
  definition.continuingPrefix = ULP_TRY(part.text("continuing_subword_prefix", "##"));
  const auto longest = ULP_TRY(part.integer("max_input_chars_per_word", 100));
  if (longest < 0) {
    return part.corrupt("max_input_chars_per_word is negative");
  }
  definition.longestWord = static_cast<std::size_t>(longest);
  return makeWordPiece(std::move(definition));
}

/// Files of before 2020 do not name the kind.
Result<std::string> kindOf(const JsonPart& part) {
  if (part.has("type")) {
    return part.text("type");
  }
  if (part.has("merges")) {
    return std::string("BPE");
  }
  return part.corrupt("'type' is missing");
}

}  // namespace

Result<TokenModelPtr> readModel(const JsonPart& part) {
  const auto kind = ULP_TRY(kindOf(part));
  Result<TokenModelPtr> made;
  if (kind == "BPE") {
    made = readBpe(part);
  } else if (kind == "Unigram") {
    made = readUnigram(part);
  } else if (kind == "WordPiece") {
    made = readWordPiece(part);
  } else {
    return part.unsupported(fmt::format("'{}'", kind));
  }
  if (!made && !made.error().message().starts_with(part.place())) {
    return failWhile(part.place(), std::move(made));
  }
  return made;
}

}  // namespace ulp::text
