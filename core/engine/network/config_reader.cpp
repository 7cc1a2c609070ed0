#include "core/engine/network/config_reader.h"

#include <utility>

#include "core/base/text/edit_distance.h"

namespace ulp::engine {

ConfigReader::ConfigReader(nlohmann::json object, std::string source)
    : m_object(std::move(object)), m_source(std::move(source)) {
  if (!m_object.is_object()) {
    m_error = Error(ErrorCode::CorruptData, m_source + ": is not a JSON object");
    m_object = nlohmann::json::object();
  }
}

const nlohmann::json& ConfigReader::field(std::string_view key) const {
  static const nlohmann::json kAbsent;
  const auto found = m_object.find(key);
  return found == m_object.end() ? kAbsent : *found;
}

bool ConfigReader::has(std::string_view key) const {
  return !field(key).is_null();
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
    refuse(key, "is missing", ErrorCode::CorruptData);
  }
  if (value && *value < 1) {
    refuse(key, "must be at least 1, is " + std::to_string(*value), ErrorCode::CorruptData);
    return fallback.value_or(1);
  }
  return value.value_or(fallback.value_or(1));
}

std::optional<std::int64_t> ConfigReader::optionalInteger(std::string_view key) {
  const nlohmann::json& value = field(key);
  if (value.is_null()) {
    return std::nullopt;
  }
  if (!value.is_number_integer()) {
    refuse(key, "must be an integer, is " + value.dump(), ErrorCode::CorruptData);
    return std::nullopt;
  }
  return value.get<std::int64_t>();
}

double ConfigReader::number(std::string_view key, std::optional<double> fallback) {
  const std::optional<double> value = optionalNumber(key);
  if (!value && !fallback) {
    refuse(key, "is missing", ErrorCode::CorruptData);
  }
  return value.value_or(fallback.value_or(0));
}

std::optional<double> ConfigReader::optionalNumber(std::string_view key) {
  const nlohmann::json& value = field(key);
  if (value.is_null()) {
    return std::nullopt;
  }
  if (!value.is_number()) {
    refuse(key, "must be a number, is " + value.dump(), ErrorCode::CorruptData);
    return std::nullopt;
  }
  return value.get<double>();
}

bool ConfigReader::boolean(std::string_view key, bool fallback) {
  const nlohmann::json& value = field(key);
  if (value.is_null()) {
    return fallback;
  }
  if (!value.is_boolean()) {
    refuse(key, "must be true or false, is " + value.dump(), ErrorCode::CorruptData);
    return fallback;
  }
  return value.get<bool>();
}

std::string ConfigReader::text(std::string_view key, std::string_view fallback) {
  const nlohmann::json& value = field(key);
  if (value.is_null()) {
    return std::string(fallback);
  }
  if (!value.is_string()) {
    refuse(key, "must be text, is " + value.dump(), ErrorCode::CorruptData);
    return std::string(fallback);
  }
  return value.get<std::string>();
}

std::vector<double> ConfigReader::numbers(std::string_view key) {
  const nlohmann::json& value = field(key);
  const bool listed =
      value.is_array() &&
      std::all_of(value.begin(), value.end(), [](const auto& item) { return item.is_number(); });
  if (!listed) {
    refuse(key, "must be a list of numbers", ErrorCode::CorruptData);
    return {};
  }
  return value.get<std::vector<double>>();
}

Result<> ConfigReader::status() const {
  if (m_error) {
    return tl::unexpected(*m_error);
  }
  return {};
}

std::string_view nearestName(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t bestDistance = 0;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = editDistance(name, candidate);
    if (best.empty() || distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

}  // namespace ulp::engine
