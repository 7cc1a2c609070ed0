#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/study/editing/study_edit.h"

namespace ulp::study {

/// A key and the values that a grid gives it.
struct GridAxis {
  std::string key;
  std::vector<std::string> values;
};

struct GridVariant {
  std::string name;
  OverrideTexts overrides;
};

inline constexpr std::size_t kLargestGrid = 200;

/// `{compute_dtype}_{cast}` for these axes.
[[nodiscard]] std::string defaultGridPattern(const std::vector<GridAxis>& axes);
/// Shortens a value as names of variants have it: bf16 for bfloat16, fp32 for float32; other values
/// as they are.
[[nodiscard]] std::string shortValue(std::string_view value);
/// All combinations, the last axis running fastest. In `pattern`, {compute_dtype} or
/// {precision.compute_dtype} stands for the short value of that key. Errors (InvalidArgument): no
/// axis or an axis without values, an unknown or repeated key, a name in braces that no axis has,
/// two variants of one name, more than kLargestGrid.
[[nodiscard]] Result<std::vector<GridVariant>> makeGrid(const std::vector<GridAxis>& axes,
                                                        std::string_view pattern);

}  // namespace ulp::study
