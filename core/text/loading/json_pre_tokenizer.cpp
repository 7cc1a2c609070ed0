#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/base/text/utf8.h"
#include "core/text/loading/json_parts.h"

namespace ulp::text {
namespace {

/// The value that goes by `name`, if any.
template <class Value, std::size_t count>
std::optional<Value> named(const std::array<std::pair<std::string_view, Value>, count>& names,
                           std::string_view name) {
  const auto found = std::ranges::find(names, name, &std::pair<std::string_view, Value>::first);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

Result<SplitBehavior> readBehavior(const JsonPart& part, std::string_view fallback) {
  constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> kNames{
      {{"Removed", SplitBehavior::Removed},
       {"Isolated", SplitBehavior::Isolated},
       {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
       {"MergedWithNext", SplitBehavior::MergedWithNext},
       {"Contiguous", SplitBehavior::Contiguous}}};
  const auto name = ULP_TRY(part.text("behavior", fallback));
  const auto behavior = named(kNames, name);
  return behavior ? Result<SplitBehavior>(*behavior)
                  : part.unsupported(fmt::format("behavior '{}'", name));
}

/// A field that holds one character.
Result<std::string> readCharacter(const JsonPart& part, std::string_view key) {
  auto text = part.text(key);
  if (text && (text->empty() || codePointAt(*text, 0).size != text->size())) {
    return part.corrupt(fmt::format("'{}' must be one character", key));
  }
  return text;
}

Result<PreTokenizer> readSplit(const JsonPart& part, int /*depth*/) {
  auto pattern = ULP_TRY(readPattern(part));
  const auto behavior = ULP_TRY(readBehavior(part, ""));
  const auto invert = ULP_TRY(part.flag("invert", false));
  return makeSplit(std::move(pattern), behavior, invert);
}

Result<PreTokenizer> readByteLevel(const JsonPart& part, int /*depth*/) {
  const auto addsSpace = ULP_TRY(part.flag("add_prefix_space", true));
  const auto usesPattern = ULP_TRY(part.flag("use_regex", true));
  if (!usesPattern) {
    return makeByteLevel(std::nullopt, addsSpace);
  }
  auto pattern = ULP_TRY(Regex::compile(kByteLevelPattern));
  return makeByteLevel(std::move(pattern), addsSpace);
}

Result<PreTokenizer> readMetaspace(const JsonPart& part, int /*depth*/) {
  constexpr std::array<std::pair<std::string_view, PrependScheme>, 3> kNames{
      {{"always", PrependScheme::Always},
       {"first", PrependScheme::First},
       {"never", PrependScheme::Never}}};
  auto replacement = ULP_TRY(readCharacter(part, "replacement"));
  const auto name = ULP_TRY(part.text("prepend_scheme", "always"));
  const auto addsSpace = ULP_TRY(part.flag("add_prefix_space", true));
  const auto splits = ULP_TRY(part.flag("split", true));
  const auto scheme = named(kNames, name);
  if (!scheme) {
    return part.unsupported(fmt::format("prepend_scheme '{}'", name));
  }
  if (!addsSpace && part.has("prepend_scheme") && scheme != PrependScheme::Never) {
    return part.corrupt("add_prefix_space contradicts prepend_scheme");
  }
  return makeMetaspace(std::move(replacement), addsSpace ? *scheme : PrependScheme::Never, splits);
}

Result<PreTokenizer> readDigits(const JsonPart& part, int /*depth*/) {
  const auto isEachAlone = ULP_TRY(part.flag("individual_digits", false));
  return makeCharacterSplit(isNumeric,
                            isEachAlone ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

Result<PreTokenizer> readPunctuation(const JsonPart& part, int /*depth*/) {
  const auto behavior = ULP_TRY(readBehavior(part, "Isolated"));
  return makeCharacterSplit(isPunctuation, behavior);
}

Result<PreTokenizer> readDelimiter(const JsonPart& part, int /*depth*/) {
  const auto delimiter = ULP_TRY(readCharacter(part, "delimiter"));
  const char32_t wanted = codePointAt(delimiter, 0).value;
  return makeCharacterSplit([wanted](char32_t c) { return c == wanted; }, SplitBehavior::Removed);
}

Result<PreTokenizer> readFixedLength(const JsonPart& part, int /*depth*/) {
  const auto length = ULP_TRY(part.integer("length", 5));
  if (length < 1) {
    return part.corrupt("'length' must be at least 1");
  }
  return makeFixedLength(static_cast<std::size_t>(length));
}

Result<PreTokenizer> readPreTokenizerSequence(const JsonPart& part, int depth) {
  auto parts = ULP_TRY(readParts(part, "pretokenizers", depth, &readPreTokenizer));
  return makePreTokenizers(std::move(parts));
}

constexpr PartKinds<PreTokenizer, 11> kPreTokenizerKinds{
    {{"ByteLevel", readByteLevel},
     {"Split", readSplit},
     {"Metaspace", readMetaspace},
     {"Digits", readDigits},
     {"Punctuation", readPunctuation},
     {"Whitespace", readPlain<makeWhitespace>},
     {"WhitespaceSplit", readPlain<makeWhitespaceSplit>},
     {"BertPreTokenizer", readPlain<makeBertPreTokenizer>},
     {"CharDelimiterSplit", readDelimiter},
     {"FixedLength", readFixedLength},
     {"Sequence", readPreTokenizerSequence}}};

}  // namespace

Result<PreTokenizer> readPreTokenizer(const JsonPart& part, int depth) {
  return readByKind(part, depth, kPreTokenizerKinds);
}

}  // namespace ulp::text
