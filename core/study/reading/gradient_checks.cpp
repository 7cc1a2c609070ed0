#include "core/study/reading/gradient_checks.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string_view>

namespace ulp::study {
namespace {

/// Of torch.optim.AdamW; SGD takes none.
constexpr double kDecayOfAdamW = 0.01;

const Setting& settingOf(const Settings& settings, std::string_view key) {
  return settings.find(key)->second;
}

bool isSet(const Settings& settings, std::string_view key) {
  return settingOf(settings, key).origin != Origin::Default;
}

double number(const Settings& settings, std::string_view key) {
  const std::string& text = settingOf(settings, key).value;
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool isSetAnywhere(const Study& study, std::string_view key) {
  const auto overrides = [key](const auto& settings) {
    return std::ranges::any_of(settings, [key](const auto& each) { return each.first == key; });
  };
  return isSet(study.settings, key) || overrides(study.reference) ||
         std::ranges::any_of(study.variants,
                             [&](const Variant& variant) { return overrides(variant.overrides); });
}

void warnUnused(const Study& study,
                std::initializer_list<std::string_view> keys,
                std::string_view why,
                KeyConflicts& conflicts) {
  for (const std::string_view key : keys) {
    if (isSetAnywhere(study, key)) {
      conflicts.warnings.push_back(fmt::format("{} has no effect: {}", key, why));
    }
  }
}

void checkWithoutBackward(const Study& study, KeyConflicts& conflicts) {
  constexpr std::string_view kWhy = "capture.backward is false";
  const Setting& optimizer = settingOf(study.settings, "optimizer.type");
  if (optimizer.value != "none") {
    conflicts.problems.push_back(
        {optimizer.position,
         fmt::format("optimizer.type '{}' needs gradients, but {}", optimizer.value, kWhy)});
  }
  if (settingOf(study.settings, "capture.parameter_gradients").value == "true") {
    warnUnused(study, {"capture.parameter_gradients"}, kWhy, conflicts);
  }
  warnUnused(study, {"gradient.scale", "precision.gradient_dtype"}, kWhy, conflicts);
}

void checkOptimizer(const Study& study, KeyConflicts& conflicts) {
  for (const std::string_view key : {"optimizer.beta1", "optimizer.beta2"}) {
    if (number(study.settings, key) >= 1) {
      conflicts.problems.push_back(
          {settingOf(study.settings, key).position, fmt::format("'{}' must be below 1", key)});
    }
  }
  const std::string& type = settingOf(study.settings, "optimizer.type").value;
  const std::string why = fmt::format("optimizer.type is {}", type);
  if (type == "none") {
    warnUnused(study,
               {"optimizer.learning_rate", "optimizer.weight_decay", "precision.optimizer_dtype"},
               why,
               conflicts);
  }
  if (type != "adamw") {
    warnUnused(study, {"optimizer.beta1", "optimizer.beta2", "optimizer.epsilon"}, why, conflicts);
  }
  if (type != "sgd") {
    warnUnused(study, {"optimizer.momentum"}, why, conflicts);
  }
}

}  // namespace

KeyConflicts checkGradientKeys(const Study& study) {
  KeyConflicts conflicts;
  if (settingOf(study.settings, "capture.backward").value == "false") {
    checkWithoutBackward(study, conflicts);
  }
  checkOptimizer(study, conflicts);
  return conflicts;
}

OptimizerSettings optimizerSettings(const Settings& settings) {
  using Type = OptimizerSettings::Type;
  const std::string& name = settingOf(settings, "optimizer.type").value;
  const Type type = name == "adamw" ? Type::AdamW : name == "sgd" ? Type::Sgd : Type::None;
  const double decay = type == Type::AdamW ? kDecayOfAdamW : 0;
  return {.type = type,
          .learningRate = number(settings, "optimizer.learning_rate"),
          .beta1 = number(settings, "optimizer.beta1"),
          .beta2 = number(settings, "optimizer.beta2"),
          .epsilon = number(settings, "optimizer.epsilon"),
          .weightDecay = isSet(settings, "optimizer.weight_decay")
                             ? number(settings, "optimizer.weight_decay")
                             : decay,
          .momentum = number(settings, "optimizer.momentum")};
}

}  // namespace ulp::study
