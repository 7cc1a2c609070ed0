#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/study/reading/study.h"

namespace ulp::study {

/// Returns what an earlier run used for a key; null: it is not to be compared.
using RecordedValue = std::function<const std::string*(std::string_view key)>;

/// Names the first setting that is another one than was recorded: "input.seed was 1, is now 2";
/// empty where none is. Paths, the device and the output folder may differ, since what they lead to
/// is compared by digest and name; so may the noise floor, whose runs may come later, as variants
/// may.
[[nodiscard]] std::string changedSetting(const Settings& now, const RecordedValue& recorded);

/// What keeps one run from being continued.
struct RunChange {
  std::string run;
  std::string what;  ///< "input.seed was 1, is now 2"
};
/// Says each change once, in the order in which they come: "bf16, fp16: input.seed was 1, is now
/// 2", and without names where it is that of all of several runs; `compared`: how many there are.
[[nodiscard]] std::vector<std::string> changesOnce(const std::vector<RunChange>& changes,
                                                   std::size_t compared);

}  // namespace ulp::study
