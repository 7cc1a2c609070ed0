#include "core/study/reading/changed_settings.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ulp::study {
namespace {

constexpr std::array<std::string_view, 5> kComparedOtherwise{
    "model.path", "input.path", "device", "output_dir", "noise_floor"};

}  // namespace

std::string changedSetting(const Settings& now, const RecordedValue& recorded) {
  for (const auto& [key, setting] : now) {
    if (std::ranges::count(kComparedOtherwise, key) > 0) {
      continue;
    }
    const std::string* before = recorded(key);
    if (before != nullptr && *before != setting.value) {
      return fmt::format("{} was {}, is now {}", key, *before, setting.value);
    }
  }
  return {};
}

}  // namespace ulp::study
