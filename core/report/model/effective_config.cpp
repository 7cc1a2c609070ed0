#include "core/report/model/effective_config.h"

#include <algorithm>

#include "core/base/text/parse_number.h"
#include "core/json/reader.h"

namespace ulp::report {
namespace {

std::string readText(json::Reader& json) {
  return json.peek() == json::Reader::Token::Text ? json.readString()
                                                  : std::string(json.skipValue());
}

EffectiveValue readValue(json::Reader& json) {
  EffectiveValue value;
  json.readObject([&](std::string_view field) {
    if (field == "value") {
      value.value = readText(json);
    } else if (field == "origin") {
      value.origin = readText(json);
    } else if (field == "follows") {
      value.follows = json.skipValue() == "true";
    } else {
      json.skipValue();
    }
  });
  return value;
}

EffectiveKeys readKeys(json::Reader& json) {
  EffectiveKeys keys;
  json.readObject([&](std::string_view field) {
    std::string key(field);
    keys[std::move(key)] = readValue(json);
  });
  return keys;
}

}  // namespace

std::string valueIn(const EffectiveKeys& keys, std::string_view key) {
  const auto found = keys.find(key);
  return found == keys.end() ? std::string() : found->second.value;
}

double logitsScaleIn(const EffectiveKeys& keys) {
  const auto scale = parseNumber<double>(valueIn(keys, "loss.logits_scale"));
  return scale && *scale > 0 ? *scale : 1;
}

const EffectiveKeys& keysOf(const EffectiveConfig& config, std::string_view run) {
  static const EffectiveKeys kNone;
  const auto found = std::ranges::find(config, run, &EffectiveConfig::value_type::first);
  return found == config.end() ? kNone : found->second;
}

Result<EffectiveConfig> effectiveConfig(const Report& report) {
  EffectiveConfig config;
  if (report.effectiveJson.empty()) {
    return config;
  }
  json::Reader json(report.effectiveJson, "effective configuration of the report");
  json.readObject([&](std::string_view field) {
    std::string run(field);
    config.emplace_back(std::move(run), readKeys(json));
  });
  ULP_TRY(json.finish());
  std::ranges::stable_sort(config, {}, [&](const auto& entry) {
    return std::ranges::find(report.runs, entry.first, &Run::name) - report.runs.begin();
  });
  return config;
}

}  // namespace ulp::report
