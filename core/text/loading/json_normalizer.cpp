#include <array>
#include <openssl/evp.h>

#include "core/text/loading/json_parts.h"

namespace ulp::text {
namespace {

template <NormalForm form>
Result<Normalizer> readNormalForm(const JsonPart& /*part*/, int /*depth*/) {
  return makeNormalForm(form);
}

Result<Normalizer> readByteLevelNormalizer(const JsonPart& /*part*/, int /*depth*/) {
  return Normalizer(spelledInBytes);
}

Result<Normalizer> readStrip(const JsonPart& part, int /*depth*/) {
  const auto left = ULP_TRY(part.flag("strip_left", true));
  const auto right = ULP_TRY(part.flag("strip_right", true));
  return makeStrip(left, right);
}

Result<Normalizer> readPrepend(const JsonPart& part, int /*depth*/) {
  auto prefix = ULP_TRY(part.text("prepend"));
  return makePrepend(std::move(prefix));
}

Result<Normalizer> readReplace(const JsonPart& part, int /*depth*/) {
  auto pattern = ULP_TRY(readPattern(part));
  auto content = ULP_TRY(part.text("content"));
  return makeReplace(std::move(pattern), std::move(content));
}

Result<Normalizer> readBert(const JsonPart& part, int /*depth*/) {
  BertCleaning cleaning;
  cleaning.cleanText = ULP_TRY(part.flag("clean_text", true));
  cleaning.handleChineseCharacters = ULP_TRY(part.flag("handle_chinese_chars", true));
  cleaning.lowercase = ULP_TRY(part.flag("lowercase", true));
  cleaning.stripAccents = ULP_TRY(part.flag("strip_accents", cleaning.lowercase));
  return makeBert(cleaning);
}

Result<Normalizer> readPrecompiled(const JsonPart& part, int /*depth*/) {
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
  return whileDoing(part.place(), makePrecompiled(table));
}

Result<Normalizer> readNormalizerSequence(const JsonPart& part, int depth) {
  auto parts = ULP_TRY(readParts(part, "normalizers", depth, &readNormalizer));
  return makeNormalizers(std::move(parts));
}

constexpr PartKinds<Normalizer, 14> kNormalizerKinds{{{"NFC", readNormalForm<NormalForm::Nfc>},
                                                      {"NFD", readNormalForm<NormalForm::Nfd>},
                                                      {"NFKC", readNormalForm<NormalForm::Nfkc>},
                                                      {"NFKD", readNormalForm<NormalForm::Nfkd>},
                                                      {"Lowercase", readPlain<makeLowercase>},
                                                      {"StripAccents", readPlain<makeStripAccents>},
                                                      {"Strip", readStrip},
                                                      {"Nmt", readPlain<makeNmt>},
                                                      {"ByteLevel", readByteLevelNormalizer},
                                                      {"Prepend", readPrepend},
                                                      {"Replace", readReplace},
                                                      {"BertNormalizer", readBert},
                                                      {"Precompiled", readPrecompiled},
                                                      {"Sequence", readNormalizerSequence}}};

}  // namespace

Result<Normalizer> readNormalizer(const JsonPart& part, int depth) {
  return readByKind(part, depth, kNormalizerKinds);
}

Result<Regex> readPattern(const JsonPart& part) {
  const auto pattern = ULP_TRY(part.at("pattern"));
  const bool isText = pattern.has("String");
  auto text = ULP_TRY(pattern.text(isText ? "String" : "Regex"));
  if (text.empty()) {
    return pattern.corrupt("an empty pattern");
  }
  return whileDoing(pattern.place(), Regex::compile(isText ? escapedForRegex(text) : text));
}

}  // namespace ulp::text
