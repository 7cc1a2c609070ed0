#include "core/engine/network/config_reader.h"

#include <utility>

#include "core/base/model_limits.h"
#include "core/json/dump.h"

namespace ulp::engine {

ConfigReader::ConfigReader(json::Value object, std::string source)
    : m_object(std::move(object)), m_source(std::move(source)) {
  if (!m_object.isObject()) {
    m_error = Error(ErrorCode::CorruptData, m_source + ": is not a JSON object");
  }
}

bool ConfigReader::has(std::string_view key) const {
  return !field(key).isNull();
}

void ConfigReader::refuse(std::string_view key, std::string_view problem, ErrorCode code) {
  if (!m_error) {
    m_error = Error(code, m_source + ": " + std::string(key) + ": " + std::string(problem));
  }
}

void ConfigReader::adopt(const Error& error) {
  if (!m_error) {
    m_error = error;
  }
}

std::int64_t ConfigReader::positive(std::string_view key, std::optional<std::int64_t> fallback) {
  const std::optional<std::int64_t> value = optionalInteger(key);
  if (!value && !fallback) {
    refuse(key, "is missing");
  }
  if (value && *value < 1) {
    refuse(key, "must be at least 1, is " + std::to_string(*value));
    return fallback.value_or(1);
  }
  if (const auto believed = checkModelSize(key, value.value_or(0)); !believed) {
    refuse(key, believed.error().message());
    return fallback.value_or(1);
  }
  return value.value_or(fallback.value_or(1));
}

const json::Value* ConfigReader::find(std::string_view key,
                                      bool (json::Value::*isOfType)() const,
                                      std::string_view type) {
  const json::Value& value = field(key);
  if (value.isNull()) {
    return nullptr;
  }
  if (!(value.*isOfType)()) {
    refuse(key, "must be " + std::string(type) + ", is " + json::dump(value));
    return nullptr;
  }
  return &value;
}

std::optional<std::int64_t> ConfigReader::optionalInteger(std::string_view key) {
  const json::Value* value = find(key, &json::Value::isInteger, "an integer");
  return value == nullptr ? std::nullopt : std::optional(value->integer());
}

double ConfigReader::number(std::string_view key, std::optional<double> fallback) {
  const std::optional<double> value = optionalNumber(key);
  if (!value && !fallback) {
    refuse(key, "is missing");
  }
  return value.value_or(fallback.value_or(0));
}

std::optional<double> ConfigReader::optionalNumber(std::string_view key) {
  const json::Value* value = find(key, &json::Value::isNumber, "a number");
  return value == nullptr ? std::nullopt : std::optional(value->number());
}

bool ConfigReader::boolean(std::string_view key, bool fallback) {
  const json::Value* value = find(key, &json::Value::isBoolean, "true or false");
  return value == nullptr ? fallback : value->boolean();
}

std::string ConfigReader::text(std::string_view key, std::string_view fallback) {
  const json::Value* value = find(key, &json::Value::isText, "text");
  return value == nullptr ? std::string(fallback) : value->text();
}

std::vector<double> ConfigReader::numbers(std::string_view key) {
  const json::Value& value = field(key);
  std::vector<double> numbers;
  for (const json::Value& item : value.items()) {
    if (item.isNumber()) {
      numbers.push_back(item.number());
    }
  }
  if (!value.isArray() || numbers.size() != value.items().size()) {
    refuse(key, "must be a list of numbers");
    return {};
  }
  return numbers;
}

Result<> ConfigReader::status() const {
  if (m_error) {
    return tl::unexpected(*m_error);
  }
  return {};
}

}  // namespace ulp::engine
