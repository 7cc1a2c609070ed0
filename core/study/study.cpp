#include "core/study/study.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/study/schema.h"

namespace ulp::study {
namespace {

constexpr std::string_view kComputeKey = "precision.compute_dtype";
constexpr std::array<std::string_view, 2> kFollowers{"precision.residual_dtype",
                                                     "precision.lm_head_dtype"};

Settings runSettings(const Study& study) {
  Settings settings;
  for (const Key& key : schemaKeys()) {
    if (key.scope == KeyScope::Run) {
      settings.emplace(key.path, study.settings.find(key.path)->second);
    }
  }
  return settings;
}

void forceFp32(Settings& settings) {
  settings.find(kComputeKey)->second = {"float32", Origin::ReferenceFp32, {}};
  for (const std::string_view path : kFollowers) {
    settings.find(path)->second = {"", Origin::ReferenceFp32, {}};
  }
}

}  // namespace

std::string_view toString(Origin origin) {
  constexpr std::array<std::string_view, 6> kNames{
      "default", "study", "reference_fp32", "variant", "command_line", "run"};
  return kNames.at(static_cast<std::size_t>(origin));
}

Result<Settings> effectiveSettings(const Study& study, std::string_view run) {
  Settings settings = runSettings(study);
  const std::vector<std::pair<std::string, Setting>>* overrides = &study.reference;
  if (run == kReferenceName) {
    forceFp32(settings);
  } else {
    const auto variant = std::find_if(study.variants.begin(),
                                      study.variants.end(),
                                      [&](const Variant& v) { return v.name == run; });
    if (variant == study.variants.end()) {
      std::string names(kReferenceName);
      for (const Variant& known : study.variants) {
        names += ", " + known.name;
      }
      return fail(ErrorCode::NotFound,
                  fmt::format("the study has no run '{}'; its runs are {}", run, names));
    }
    overrides = &variant->overrides;
  }
  for (const auto& [path, setting] : *overrides) {
    settings[path] = setting;
  }
  const Setting compute = settings.find(kComputeKey)->second;
  for (const std::string_view path : kFollowers) {
    Setting& follower = settings.find(path)->second;
    if (follower.value.empty()) {
      follower = compute;
    }
  }
  return settings;
}

}  // namespace ulp::study
