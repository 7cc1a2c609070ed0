#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"

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

  [[nodiscard]] tl::unexpected<Error> corrupt(std::string_view what) const;
  /// "tokenizer.json: pre_tokenizer: 'UnicodeScripts' is not supported"
  [[nodiscard]] tl::unexpected<Error> unsupported(std::string_view what) const;

 private:
  const json::Value* m_value;
  std::string m_place;
};

}  // namespace ulp::text
