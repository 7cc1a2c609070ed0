#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/files/mapped_file.h"
#include "core/dumps/model/dump.h"
#include "core/numerics/tensor_view.h"

namespace ulp::dumps {

/// Max, min, mean and norm as msprobe 26.x writes them: numbers of JSON with Python's words for
/// what is none ("NaN", "-Infinity", "true", "null").
using StatisticTexts = std::array<std::string, 4>;

/// Of elements, by msprobe's rules: in the tensor's own type, mean and norm of floating types up to
/// float32 alone; of truth values whether any and whether all are true; of a scalar four times
/// itself; of float8 and of nothing none. A NaN makes all four NaN, as it does in torch. Sums are
/// float64 and rounded once, where torch adds up in float32: they may differ from it in the last
/// places. Pages of the file `from`, where the elements are mapped from one, leave memory on the
/// way.
[[nodiscard]] StatisticTexts statisticTexts(const numerics::TensorView& tensor,
                                            const MappedFile* from = nullptr);

/// Of numbers that were recorded; `dtype` is the tensor's.
[[nodiscard]] StatisticTexts statisticTexts(const Statistics& recorded, std::string_view dtype);

}  // namespace ulp::dumps
