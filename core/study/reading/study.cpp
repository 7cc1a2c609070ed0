#include "core/study/reading/study.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/numerics/rounding/operation_formats.h"
#include "core/study/reading/site_formats.h"
#include "core/study/schema/schema.h"

namespace ulp::study {
namespace {

using numerics::Operation;

constexpr std::string_view kSemanticsKey = "semantics";
/// What each semantics takes for a kernel that nobody chose.
struct KernelKey {
  std::string_view path;
  std::string_view fastLlm;
};
constexpr std::array<KernelKey, 3> kKernels{{{"norm.implementation", "fused"},
                                             {"rotary.implementation", "fused"},
                                             {"mlp.implementation", "transformers"}}};

std::string pathOf(std::string_view key) {
  return "precision." + std::string(key);
}

Setting& at(Settings& settings, std::string_view path) {
  return settings.find(path)->second;
}

Settings runSettings(const Study& study) {
  Settings settings;
  for (const auto& [path, setting] : study.settings) {
    if (const Key* key = findKey(path); key != nullptr && key->scope == KeyScope::Run) {
      settings.emplace_hint(settings.end(), path, setting);
    }
  }
  return settings;
}

void forceFp32(Settings& settings) {
  for (const std::string_view key : numerics::operationKeys()) {
    at(settings, pathOf(key)) = {"", Origin::ReferenceFp32, {}};
  }
  at(settings, pathOf(keyOf(Operation::Compute))).value = "float32";
  at(settings, "precision.rules") = {"[]", Origin::ReferenceFp32, {}};
  at(settings, "precision.rounding") = {"nearest", Origin::ReferenceFp32, {}};
  at(settings, "matmul.float32_precision") = {"highest", Origin::ReferenceFp32, {}};
  for (const Key& key : schemaKeys()) {
    if (key.path.starts_with("matmul.float8")) {
      at(settings, key.path) = {std::string(key.defaultText), Origin::ReferenceFp32, {}};
    }
  }
}

void followSemantics(Settings& settings) {
  const Setting semantics = at(settings, kSemanticsKey);
  for (const KernelKey& kernel : kKernels) {
    Setting& follower = at(settings, kernel.path);
    if (follower.value.empty()) {
      follower = semantics;
      follower.value = semantics.value == "fast_llm" ? kernel.fastLlm : "transformers";
      follower.follows = true;
    }
  }
}

/// Whoever is followed comes before its followers, so that each finds its source filled in.
void followFormats(Settings& settings) {
  numerics::FormatOverrides set;
  for (const std::string_view key : numerics::operationKeys()) {
    set[*numerics::parseOperationKey(key)] =
        numerics::parseNumberFormat(at(settings, pathOf(key)).value);
  }
  const numerics::OperationFormats formats = resolveFormats(set, kernelDefaults(settings));
  for (const std::string_view key : numerics::operationKeys()) {
    const Operation operation = *numerics::parseOperationKey(key);
    Setting& follower = at(settings, pathOf(key));
    if (follower.value.empty()) {
      follower = at(settings, pathOf(keyOf(followed(operation))));
      follower.value = toString(formats[operation]);
      follower.follows = true;
    }
  }
}

}  // namespace

std::string_view toString(Origin origin) {
  constexpr std::array<std::string_view, 6> kNames{
      "default", "study", "reference_fp32", "variant", "command_line", "run"};
  return kNames.at(static_cast<std::size_t>(origin));
}

std::vector<std::string> noiseFloorKinds(const Study& study, bool isOnCuda) {
  const std::string repeat = "repeat";
  const auto named = study.settings.find("noise_floor");
  const bool isNamed = named != study.settings.end() && named->second.origin != Origin::Default;
  const bool isTaken =
      std::ranges::count(study.variants, noiseFloorRunName(repeat), &Variant::name) > 0;
  return isNamed || isTaken || !isOnCuda ? study.noiseFloor : std::vector{repeat};
}

std::string noiseFloorRunName(std::string_view kind) {
  return "floor." + std::string(kind);
}

Result<Settings> effectiveSettings(const Study& study, std::string_view run) {
  Settings settings = runSettings(study);
  const Overrides* overrides = &study.reference;
  if (run == kReferenceName) {
    forceFp32(settings);
  } else {
    const auto variant = std::ranges::find(study.variants, run, &Variant::name);
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
  followSemantics(settings);
  followFormats(settings);
  return settings;
}

std::string placeOf(const Study& study, std::string_view key, const Setting& setting) {
  if (setting.origin == Origin::CommandLine) {
    return fmt::format("--set {}={}", key, setting.value);
  }
  const auto [line, column] = setting.position;
  return line == 0 || study.file.empty()
             ? std::string()
             : fmt::format("{}:{}:{}", study.file.string(), line, column);
}

EffectiveTable effectiveTable(const Study& study) {
  EffectiveTable table;
  table.runs.emplace_back(kReferenceName);
  for (const Variant& variant : study.variants) {
    table.runs.push_back(variant.name);
  }
  std::vector<Settings> settings;
  for (const std::string& run : table.runs) {
    // All of these runs exist.
    settings.push_back(effectiveSettings(study, run).value_or(Settings{}));
  }
  for (const Key& key : schemaKeys()) {
    EffectiveRow row{.key = std::string(key.path), .cells = {}, .differs = false};
    for (const Settings& run : settings) {
      const auto found = run.find(key.path);
      row.cells.push_back(found == run.end() ? study.settings.find(key.path)->second
                                             : found->second);
    }
    row.differs = std::ranges::any_of(
        row.cells,
        [&](const std::string& value) { return value != row.cells.front().value; },
        &Setting::value);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ulp::study
