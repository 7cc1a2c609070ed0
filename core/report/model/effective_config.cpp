#include "core/report/model/effective_config.h"

#include <algorithm>

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
  const auto place = [&](const auto& entry) {
    return std::ranges::find_if(report.runs,
                                [&](const Run& run) { return run.name == entry.first; }) -
           report.runs.begin();
  };
  std::ranges::stable_sort(config,
                           [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return config;
}

}  // namespace ulp::report
