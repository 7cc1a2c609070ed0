#include "core/text/loading/tokenizer_json.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/json/parse.h"
#include "core/text/loading/json_parts.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"

namespace ulp::text {
namespace {

/// Builds the document as json::parse() does, from other numbers.
class SerdeDocument final : public json::DocumentBuilder {
 public:
  bool real(double /*nearest*/, const std::string& spelled) override {
    return DocumentBuilder::real(serdeNumber(spelled), spelled);
  }
};

/// The digits of a number as one integer, times a power of ten. Digits that do not fit are cut off.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

Decimal readDigits(std::string_view& text) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  Decimal number;
  bool isFull = false;
  bool isFraction = false;
  for (; !text.empty() && (text.front() == '.' || (text.front() >= '0' && text.front() <= '9'));
       text.remove_prefix(1)) {
    if (text.front() == '.') {
      isFraction = true;
      continue;
    }
    const auto digit = static_cast<std::uint64_t>(text.front() - '0');
    isFull = isFull || number.digits > (kLargest - digit) / 10;
    if (!isFull) {
      number.digits = number.digits * 10 + digit;
      number.exponent -= isFraction ? 1 : 0;
    } else if (!isFraction) {
      ++number.exponent;
    }
  }
  return number;
}

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

void addTokens(std::vector<AddedToken>& tokens,
               std::vector<AddedToken> more,
               const Vocabulary& vocabulary) {
  std::unordered_set<std::string> known;
  auto next = static_cast<std::int64_t>(vocabulary.count());
  for (const AddedToken& token : tokens) {
    known.insert(token.content);
    next = std::max(next, token.id + 1);
  }
  for (AddedToken& token : more) {
    if (token.content.empty() || !known.insert(token.content).second) {
      continue;
    }
    const auto there = vocabulary.find(token.content);
    token.id = there ? std::int64_t{*there} : next;
    next = std::max(next, token.id + 1);
    tokens.push_back(std::move(token));
  }
}

Result<Pipeline> readPipeline(const JsonPart& root, std::vector<AddedToken> more) {
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
  addTokens(tokens, std::move(more), pipeline.model->vocabulary());
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

double serdeNumber(std::string_view text) {
  const bool isNegative = text.starts_with('-');
  text.remove_prefix(isNegative ? 1 : 0);
  Decimal number = readDigits(text);
  if (!text.empty()) {
    text.remove_prefix(text.starts_with("e+") || text.starts_with("E+") ? 2 : 1);
    const int beyond = text.starts_with('-') ? -100'000 : 100'000;
    number.exponent += parseNumber<int>(text).value_or(beyond);
  }
  constexpr int kLargestPower = 308;
  auto value = static_cast<double>(number.digits);
  while (number.exponent < -kLargestPower && value != 0) {
    value /= 1e308;
    number.exponent += kLargestPower;
  }
  // Powers of ten up to 308 as nearest doubles, as serde_json has them in a table.
  const auto power = [](int exponent) {
    return parseNumber<double>(fmt::format("1e{}", exponent)).value_or(0);
  };
  if (value != 0 && number.exponent > kLargestPower) {
    value = std::numeric_limits<double>::infinity();
  } else if (value != 0 && number.exponent > 0) {
    value *= power(number.exponent);
  } else if (value != 0 && number.exponent < 0) {
    value /= power(-number.exponent);
  }
  return isNegative ? -value : value;
}

Result<json::Value> parseAsSerde(std::string_view text, std::string_view origin) {
  SerdeDocument builder;
  auto read = json::readEvents(text, builder);
  if (!read && read.error().code() == ErrorCode::CorruptData) {
    return fail(ErrorCode::CorruptData, fmt::format("{}: {}", origin, builder.problem()));
  }
  ULP_TRY(whileDoing(origin, std::move(read)));
  return builder.take();
}

Result<TokenizerPtr> parseTokenizerJson(std::string_view text,
                                        std::string_view origin,
                                        std::string_view endOfText,
                                        std::vector<AddedToken> more) {
  const auto document = ULP_TRY(parseAsSerde(text, origin));
  const JsonPart root(document, fmt::format("{}: ", origin));
  if (!document.isObject()) {
    return root.corrupt("an object is needed");
  }
  auto pipeline = ULP_TRY(readPipeline(root, std::move(more)));
  const std::string kind = root.at("model")->text("type", "BPE").value_or("BPE");
  pipeline.description =
      fmt::format("{}, {}", std::filesystem::path(origin).filename().string(), kind);
  if (!endOfText.empty()) {
    pipeline.endOfText = idOf(pipeline, endOfText);
  }
  return whileDoing(origin, makePipelineTokenizer(std::move(pipeline)));
}

std::optional<std::string> tokenIn(const json::Value& config, std::string_view name) {
  const json::Value& field = config.at(name);
  const json::Value& token = field.isObject() ? field.at("content") : field;
  return token.isText() ? std::optional(token.text()) : std::nullopt;
}

}  // namespace ulp::text
