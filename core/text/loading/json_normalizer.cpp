#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>

#include "core/text/loading/json_kind.h"
#include "core/text/loading/json_parts.h"

namespace ulp::text {
namespace {

template <NormalForm form>
Result<NormalizerPtr> readNormalForm(const JsonPart& /*part*/, int /*depth*/) {
  return makeNormalForm(form);
}

template <NormalizerPtr (*make)()>
Result<NormalizerPtr> readPlain(const JsonPart& /*part*/, int /*depth*/) {
  return make();
}

Result<NormalizerPtr> readStrip(const JsonPart& part, int /*depth*/) {
  const auto left = part.flag("strip_left", true);
  const auto right = part.flag("strip_right", true);
  if (!left || !right) {
    return tl::unexpected(!left ? left.error() : right.error());
  }
  return makeStrip(*left, *right);
}

Result<NormalizerPtr> readPrepend(const JsonPart& part, int /*depth*/) {
  auto prefix = ULP_TRY(part.text("prepend"));
  return makePrepend(std::move(prefix));
}

Result<NormalizerPtr> readReplace(const JsonPart& part, int /*depth*/) {
  auto pattern = readPattern(part);
  auto content = part.text("content");
  if (!pattern || !content) {
    return tl::unexpected(!pattern ? pattern.error() : content.error());
  }
  return makeReplace(*std::move(pattern), *std::move(content));
}

Result<NormalizerPtr> readBert(const JsonPart& part, int /*depth*/) {
  const auto clean = part.flag("clean_text", true);
  const auto chinese = part.flag("handle_chinese_chars", true);
  const auto lowercase = part.flag("lowercase", true);
  for (const auto* flag : {&clean, &chinese, &lowercase}) {
    if (!*flag) {
      return tl::unexpected(flag->error());
    }
  }
  const auto accents = ULP_TRY(part.flag("strip_accents", *lowercase));
  return makeBert({.cleanText = *clean,
                   .handleChineseCharacters = *chinese,
                   .stripAccents = accents,
                   .lowercase = *lowercase});
}

Result<NormalizerPtr> readPrecompiled(const JsonPart& part, int /*depth*/) {
  const auto encoded = ULP_TRY(part.text("precompiled_charsmap"));
  std::string table(encoded.size() / 4 * 3 + 4, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(table.data()),
                                   reinterpret_cast<const unsigned char*>(encoded.data()),
                                   static_cast<int>(encoded.size()));
  if (size < 0) {
    return part.corrupt("precompiled_charsmap is not in base64");
  }
  // OpenSSL counts the bytes that only fill up the last block.
  const bool hasOne = encoded.ends_with('=');
  const bool hasTwo = encoded.ends_with("==");
  table.resize(static_cast<std::size_t>(size) - (hasOne ? 1 : 0) - (hasTwo ? 1 : 0));
  auto made = makePrecompiled(table);
  if (!made) {
    return failWhile(part.place(), std::move(made));
  }
  return made;
}

Result<NormalizerPtr> readNormalizerSequence(const JsonPart& part, int depth) {
  auto parts = ULP_TRY(readParts(part, "normalizers", depth, &readNormalizer));
  return makeNormalizers(std::move(parts));
}

constexpr PartKinds<NormalizerPtr, 14> kNormalizerKinds{
    {{"NFC", readNormalForm<NormalForm::Nfc>},
     {"NFD", readNormalForm<NormalForm::Nfd>},
     {"NFKC", readNormalForm<NormalForm::Nfkc>},
     {"NFKD", readNormalForm<NormalForm::Nfkd>},
     {"Lowercase", readPlain<makeLowercase>},
     {"StripAccents", readPlain<makeStripAccents>},
     {"Strip", readStrip},
     {"Nmt", readPlain<makeNmt>},
     {"ByteLevel", readPlain<makeByteLevelNormalizer>},
     {"Prepend", readPrepend},
     {"Replace", readReplace},
     {"BertNormalizer", readBert},
     {"Precompiled", readPrecompiled},
     {"Sequence", readNormalizerSequence}}};

}  // namespace

Result<NormalizerPtr> readNormalizer(const JsonPart& part, int depth) {
  return readByKind(part, depth, kNormalizerKinds);
}

Result<Regex> readPattern(const JsonPart& part) {
  const auto pattern = ULP_TRY(part.at("pattern"));
  const bool isText = pattern.has("String");
  auto text = ULP_TRY(pattern.text(isText ? "String" : "Regex"));
  if (text.empty()) {
    return pattern.corrupt("an empty pattern");
  }
  auto compiled = Regex::compile(isText ? escapedForRegex(text) : text);
  if (!compiled) {
    return failWhile(pattern.place(), std::move(compiled));
  }
  return compiled;
}

}  // namespace ulp::text
