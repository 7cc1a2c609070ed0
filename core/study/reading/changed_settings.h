#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/study/reading/study.h"

namespace ulp::study {

/// Returns what an earlier run used for a key; null: it is not to be compared.
using RecordedValue = std::function<const std::string*(std::string_view key)>;

/// Names the first setting that is another one than was recorded: "input.seed was 1, is now 2";
/// empty where none is. Paths, the device and the output folder may differ, since what they lead to
/// is compared by digest and name; so may the noise floor, whose runs may come later, as variants
/// may.
[[nodiscard]] std::string changedSetting(const Settings& now, const RecordedValue& recorded);

}  // namespace ulp::study
