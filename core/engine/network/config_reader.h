#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/value.h"

namespace ulp::engine {

/// Reads the fields of a config.json. The first field of a wrong type or value is remembered and
/// ends up in status(); from then on the getters give their fallbacks. A null field is an absent
/// one.
class ConfigReader {
 public:
  /// `source` is what errors name: the file, with the field's place in it.
  ConfigReader(json::Value object, std::string source);

  [[nodiscard]] bool has(std::string_view key) const;
  /// An integer >= 1 within the limits of models; required without a fallback.
  std::int64_t positive(std::string_view key, std::optional<std::int64_t> fallback = std::nullopt);
  std::optional<std::int64_t> optionalInteger(std::string_view key);
  double number(std::string_view key, std::optional<double> fallback = std::nullopt);
  std::optional<double> optionalNumber(std::string_view key);
  bool boolean(std::string_view key, bool fallback);
  std::string text(std::string_view key, std::string_view fallback);
  std::vector<double> numbers(std::string_view key);

  void refuse(std::string_view key,
              std::string_view problem,
              ErrorCode code = ErrorCode::CorruptData);
  /// Takes over the error of a reader of a part.
  void adopt(const Error& error);
  /// A field; a value that is null where there is none.
  [[nodiscard]] const json::Value& field(std::string_view key) const { return m_object.at(key); }
  [[nodiscard]] const std::string& source() const { return m_source; }
  [[nodiscard]] Result<> status() const;

 private:
  /// A field of this type; null where it is absent, or refused for another one.
  [[nodiscard]] const json::Value* find(std::string_view key,
                                        bool (json::Value::*isOfType)() const,
                                        std::string_view type);

  json::Value m_object;
  std::string m_source;
  std::optional<Error> m_error;
};

}  // namespace ulp::engine
