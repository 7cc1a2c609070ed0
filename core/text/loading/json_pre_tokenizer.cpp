#include <array>
#include <fmt/format.h>

#include "core/text/characters/utf8.h"
#include "core/text/loading/json_kind.h"
#include "core/text/loading/json_parts.h"

namespace ulp::text {
namespace {

template <PreTokenizerPtr (*make)()>
Result<PreTokenizerPtr> readPlain(const JsonPart& /*part*/, int /*depth*/) {
  return make();
}

Result<SplitBehavior> readBehavior(const JsonPart& part, std::string_view fallback) {
  constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> kNames{
      {{"Removed", SplitBehavior::Removed},
       {"Isolated", SplitBehavior::Isolated},
       {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
       {"MergedWithNext", SplitBehavior::MergedWithNext},
       {"Contiguous", SplitBehavior::Contiguous}}};
  const auto name = ULP_TRY(part.text("behavior", fallback));
  for (const auto& [known, behavior] : kNames) {
    if (known == name) {
      return behavior;
    }
  }
  return part.unsupported(fmt::format("behavior '{}'", name));
}

/// A field that holds one character.
Result<std::string> readCharacter(const JsonPart& part, std::string_view key) {
  auto text = part.text(key);
  if (text && (text->empty() || codePointAt(*text, 0).size != text->size())) {
    return part.corrupt(fmt::format("'{}' must be one character", key));
  }
  return text;
}

Result<PreTokenizerPtr> readSplit(const JsonPart& part, int /*depth*/) {
  auto pattern = readPattern(part);
  const auto behavior = readBehavior(part, "");
  const auto invert = part.flag("invert", false);
  if (!pattern) {
    return tl::unexpected(pattern.error());
  }
  if (!behavior || !invert) {
    return tl::unexpected(!behavior ? behavior.error() : invert.error());
  }
  return makeSplit(*std::move(pattern), *behavior, *invert);
}

Result<PreTokenizerPtr> readByteLevel(const JsonPart& part, int /*depth*/) {
  const auto addsSpace = part.flag("add_prefix_space", true);
  const auto usesPattern = part.flag("use_regex", true);
  if (!addsSpace || !usesPattern) {
    return tl::unexpected(!addsSpace ? addsSpace.error() : usesPattern.error());
  }
  if (!*usesPattern) {
    return makeByteLevel(nullptr, *addsSpace);
  }
  auto pattern = ULP_TRY(Regex::compile(byteLevelPattern()));
  return makeByteLevel(std::make_unique<const Regex>(std::move(pattern)), *addsSpace);
}

Result<PreTokenizerPtr> readMetaspace(const JsonPart& part, int /*depth*/) {
  auto replacement = readCharacter(part, "replacement");
  const auto name = part.text("prepend_scheme", "always");
  const auto addsSpace = part.flag("add_prefix_space", true);
  const auto splits = part.flag("split", true);
  for (const auto* text : {&std::as_const(replacement), &name}) {
    if (!*text) {
      return tl::unexpected(text->error());
    }
  }
  if (!addsSpace || !splits) {
    return tl::unexpected(!addsSpace ? addsSpace.error() : splits.error());
  }
  PrependScheme scheme = PrependScheme::Always;
  if (*name == "first") {
    scheme = PrependScheme::First;
  } else if (*name == "never") {
    scheme = PrependScheme::Never;
  } else if (*name != "always") {
    return part.unsupported(fmt::format("prepend_scheme '{}'", *name));
  }
  if (!*addsSpace && part.has("prepend_scheme") && scheme != PrependScheme::Never) {
    return part.corrupt("add_prefix_space contradicts prepend_scheme");
  }
  return makeMetaspace(
      *std::move(replacement), *addsSpace ? scheme : PrependScheme::Never, *splits);
}

Result<PreTokenizerPtr> readDigits(const JsonPart& part, int /*depth*/) {
  const auto individually = ULP_TRY(part.flag("individual_digits", false));
  return makeDigits(individually);
}

Result<PreTokenizerPtr> readPunctuation(const JsonPart& part, int /*depth*/) {
  const auto behavior = ULP_TRY(readBehavior(part, "Isolated"));
  return makePunctuation(behavior);
}

Result<PreTokenizerPtr> readDelimiter(const JsonPart& part, int /*depth*/) {
  const auto delimiter = ULP_TRY(readCharacter(part, "delimiter"));
  return makeDelimiterSplit(codePointAt(delimiter, 0).value);
}

Result<PreTokenizerPtr> readFixedLength(const JsonPart& part, int /*depth*/) {
  const auto length = ULP_TRY(part.integer("length", 5));
  if (length < 1) {
    return part.corrupt("'length' must be at least 1");
  }
  return makeFixedLength(static_cast<std::size_t>(length));
}

Result<PreTokenizerPtr> readPreTokenizerSequence(const JsonPart& part, int depth) {
  auto parts = ULP_TRY(readParts(part, "pretokenizers", depth, &readPreTokenizer));
  return makePreTokenizers(std::move(parts));
}

constexpr PartKinds<PreTokenizerPtr, 11> kPreTokenizerKinds{
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

Result<PreTokenizerPtr> readPreTokenizer(const JsonPart& part, int depth) {
  return readByKind(part, depth, kPreTokenizerKinds);
}

}  // namespace ulp::text
