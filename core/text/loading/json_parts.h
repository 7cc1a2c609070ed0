#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/text/models/token_model.h"
#include "core/text/steps/added_tokens.h"
#include "core/text/steps/normalizer.h"
#include "core/text/steps/pre_tokenizer.h"
#include "core/text/steps/speller.h"

/// The parts of a tokenizer.json, each of which names its kind in the field `type`. Errors of all:
/// CorruptData and Unsupported with the place in the file. `depth`: as of kindOf().
namespace ulp::text {

/// A value inside of a JSON document, and where it is, for errors such as
/// `tokenizer.json: normalizer.normalizers[1]: 'pattern' is missing`. Does not own the document.
class JsonPart {
 public:
  JsonPart(const json::Value& value, std::string place)
      : m_value(&value), m_place(std::move(place)) {}

  [[nodiscard]] const json::Value& value() const { return *m_value; }
  [[nodiscard]] const std::string& place() const { return m_place; }

  /// An object that has this field, and not null.
  [[nodiscard]] bool has(std::string_view key) const;
  /// Errors of all below: CorruptData (missing, or of another type).
  [[nodiscard]] Result<JsonPart> at(std::string_view key) const;
  [[nodiscard]] Result<std::vector<JsonPart>> items(std::string_view key) const;
  [[nodiscard]] Result<std::string> text(std::string_view key) const;
  [[nodiscard]] Result<std::string> text(std::string_view key, std::string_view fallback) const;
  [[nodiscard]] Result<bool> flag(std::string_view key, bool fallback) const;
  [[nodiscard]] Result<std::int64_t> integer(std::string_view key) const;
  [[nodiscard]] Result<std::int64_t> integer(std::string_view key, std::int64_t fallback) const;
  /// The integers of a list.
  [[nodiscard]] Result<std::vector<std::int64_t>> integers(std::string_view key) const;

  [[nodiscard]] tl::unexpected<Error> corrupt(std::string_view what) const;
  /// "tokenizer.json: pre_tokenizer: 'UnicodeScripts' is not supported"
  [[nodiscard]] tl::unexpected<Error> unsupported(std::string_view what) const;

 private:
  const json::Value* m_value;
  std::string m_place;
};

/// The field `type` of a part, by which parts are told apart. Those of type Sequence hold further
/// ones: `depth` is the number of sequences around it, which must not be many. Errors: CorruptData.
[[nodiscard]] Result<std::string> kindOf(const JsonPart& part, int depth);

template <typename Part>
using ReadPart = Result<Part> (*)(const JsonPart& part, int depth);

template <typename Part, std::size_t count>
using PartKinds = std::array<std::pair<std::string_view, ReadPart<Part>>, count>;

/// Reads a part as its kind is read. Errors: those of kindOf() and of the kind; Unsupported for one
/// that is not in `kinds`.
template <typename Part, std::size_t count>
[[nodiscard]] Result<Part> readByKind(const JsonPart& part,
                                      int depth,
                                      const PartKinds<Part, count>& kinds) {
  const auto kind = ULP_TRY(kindOf(part, depth));
  for (const auto& [name, read] : kinds) {
    if (name == kind) {
      return read(part, depth);
    }
  }
  return part.unsupported("'" + kind + "'");
}

/// Reads a part of a kind that has no fields.
template <auto make>
[[nodiscard]] auto readPlain(const JsonPart& /*part*/, int /*depth*/)
    -> Result<std::invoke_result_t<decltype(make)>> {
  return make();
}

/// The parts of a sequence that itself lies in `depth` others. Errors: those of `read`; CorruptData
/// where `key` is no list.
template <typename Part>
[[nodiscard]] Result<std::vector<Part>> readParts(const JsonPart& sequence,
                                                  std::string_view key,
                                                  int depth,
                                                  ReadPart<Part> read) {
  const auto items = ULP_TRY(sequence.items(key));
  std::vector<Part> parts;
  for (const JsonPart& item : items) {
    auto part = ULP_TRY(read(item, depth + 1));
    parts.push_back(std::move(part));
  }
  return parts;
}

[[nodiscard]] Result<Normalizer> readNormalizer(const JsonPart& part, int depth);
[[nodiscard]] Result<PreTokenizer> readPreTokenizer(const JsonPart& part, int depth);
[[nodiscard]] Result<TokenModelPtr> readModel(const JsonPart& part);
[[nodiscard]] Result<Speller> readDecoder(const JsonPart& part, int depth);
[[nodiscard]] Result<std::vector<AddedToken>> readAddedTokens(const JsonPart& root,
                                                              const Vocabulary& vocabulary);

/// What is put in front of a sequence and behind it.
struct SequenceFrame {
  std::vector<std::int64_t> prefix;
  std::vector<std::int64_t> suffix;
};
[[nodiscard]] Result<SequenceFrame> readPostProcessor(const JsonPart& part, int depth);

/// The field `pattern`, {"String": …} or {"Regex": …}.
[[nodiscard]] Result<Regex> readPattern(const JsonPart& part);

}  // namespace ulp::text
