#include "core/dumps/exporters/torch_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "core/dumps/msprobe/python_text.h"
#include "core/numerics/rounding/quantize.h"
#include "core/numerics/tensor_view.h"

namespace ulp::dumps {
namespace {

constexpr const char* kNull = "null";
constexpr std::size_t kReadAtOnce = 2048;                 ///< elements that are read at once
constexpr std::size_t kGivenBack = std::size_t{1} << 18;  ///< whose pages are given back at once

std::string boolText(bool value) {
  return value ? "true" : "false";
}

double roundedTo(DType dtype, double value) {
  using numerics::NumberFormat;
  const NumberFormat format = dtype == DType::BFloat16  ? NumberFormat::BFloat16
                              : dtype == DType::Float16 ? NumberFormat::Float16
                                                        : NumberFormat::Float32;
  double rounded = value;
  numerics::quantize(std::span(&value, 1), std::span(&rounded, 1), {.format = format});
  return rounded;
}

template <class Integer>
Integer integerAt(const numerics::TensorView& tensor, std::size_t i) {
  Integer value{};
  std::memcpy(&value, static_cast<const std::byte*>(tensor.data) + i * sizeof value, sizeof value);
  return value;
}

std::int64_t integerAt(const numerics::TensorView& tensor, std::size_t i) {
  switch (tensor.dtype) {
    case DType::Int64:
      return integerAt<std::int64_t>(tensor, i);
    case DType::Int32:
      return integerAt<std::int32_t>(tensor, i);
    case DType::Int16:
      return integerAt<std::int16_t>(tensor, i);
    case DType::Int8:
      return integerAt<std::int8_t>(tensor, i);
    default:
      return integerAt<std::uint8_t>(tensor, i);
  }
}

/// Calls `each(first, end)` for one range of elements after the other.
template <class Each>
void forEachRange(const numerics::TensorView& tensor, const MappedFile* from, Each each) {
  const std::size_t count = tensor.count();
  const std::size_t size = itemSize(tensor.dtype);
  for (std::size_t first = 0; first < count; first += kGivenBack) {
    const std::size_t end = std::min(first + kGivenBack, count);
    each(first, end);
    if (from != nullptr) {
      from->release(tensor.bytes().subspan(first * size, (end - first) * size));
    }
  }
}

StatisticTexts ofBools(const numerics::TensorView& tensor, const MappedFile* from) {
  bool any = false;
  bool all = true;
  forEachRange(tensor, from, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const bool value = integerAt<std::uint8_t>(tensor, i) != 0;
      any = any || value;
      all = all && value;
    }
  });
  return {boolText(any), boolText(all), kNull, kNull};
}

StatisticTexts ofIntegers(const numerics::TensorView& tensor, const MappedFile* from) {
  std::int64_t max = std::numeric_limits<std::int64_t>::min();
  std::int64_t min = std::numeric_limits<std::int64_t>::max();
  forEachRange(tensor, from, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      const std::int64_t value = integerAt(tensor, i);
      max = std::max(max, value);
      min = std::min(min, value);
    }
  });
  const std::string text = std::to_string(max);
  return tensor.shape.empty() ? StatisticTexts{text, text, text, text}
                              : StatisticTexts{text, std::to_string(min), kNull, kNull};
}

struct Sums {
  double max = -std::numeric_limits<double>::infinity();
  double min = std::numeric_limits<double>::infinity();
  double sum = 0;
  double squares = 0;
  bool hasNan = false;

  void add(double value) {
    max = std::max(max, value);
    min = std::min(min, value);
    sum += value;
    squares += value * value;
    hasNan = hasNan || std::isnan(value);
  }
};

void addRange(Sums& sums, const numerics::TensorView& tensor, std::size_t first, std::size_t end) {
  if (tensor.dtype == DType::Float32) {
    const auto* const values = static_cast<const float*>(tensor.data);
    for (const float value : std::span(values + first, end - first)) {
      sums.add(value);
    }
    return;
  }
  std::array<double, kReadAtOnce> block{};
  for (; first < end; first += kReadAtOnce) {
    const std::span<double> values = std::span(block).first(std::min(kReadAtOnce, end - first));
    numerics::readElements(tensor, static_cast<std::int64_t>(first), 1, values);
    for (const double value : values) {
      sums.add(value);
    }
  }
}

StatisticTexts ofReals(const numerics::TensorView& tensor, const MappedFile* from) {
  if (tensor.shape.empty()) {
    const std::string text = msprobe::jsonFloat(numerics::elementAt(tensor, 0));
    return {text, text, text, text};
  }
  Sums sums;
  forEachRange(tensor, from, [&](std::size_t first, std::size_t end) {
    addRange(sums, tensor, first, end);
  });
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string max = msprobe::jsonFloat(sums.hasNan ? nan : sums.max);
  const std::string min = msprobe::jsonFloat(sums.hasNan ? nan : sums.min);
  if (tensor.dtype == DType::Float64) {
    return {max, min, kNull, kNull};
  }
  const double mean = sums.sum / static_cast<double>(tensor.count());
  return {max,
          min,
          msprobe::jsonFloat(roundedTo(tensor.dtype, mean)),
          msprobe::jsonFloat(roundedTo(tensor.dtype, std::sqrt(sums.squares)))};
}

bool isIntegerName(std::string_view dtype) {
  return dtype.find("int") != std::string_view::npos || dtype.find("Int") != std::string_view::npos;
}

std::string recordedText(const std::optional<double>& value, std::string_view dtype) {
  if (!value) {
    return kNull;
  }
  if (dtype.find("bool") != std::string_view::npos) {
    return boolText(*value != 0);
  }
  constexpr double kExact = 9007199254740992;  // 2^53
  if (isIntegerName(dtype) && std::abs(*value) <= kExact && std::trunc(*value) == *value) {
    return std::to_string(static_cast<std::int64_t>(*value));
  }
  return msprobe::jsonFloat(*value);
}

}  // namespace

StatisticTexts statisticTexts(const numerics::TensorView& tensor, const MappedFile* from) {
  if (tensor.count() == 0 || tensor.dtype == DType::Float8E4M3FN ||
      tensor.dtype == DType::Float8E5M2) {
    return {kNull, kNull, kNull, kNull};
  }
  if (tensor.dtype == DType::Bool) {
    return ofBools(tensor, from);
  }
  return isFloatingPoint(tensor.dtype) ? ofReals(tensor, from) : ofIntegers(tensor, from);
}

StatisticTexts statisticTexts(const Statistics& recorded, std::string_view dtype) {
  return {recordedText(recorded.max, dtype),
          recordedText(recorded.min, dtype),
          recordedText(recorded.mean, dtype),
          recordedText(recorded.norm, dtype)};
}

}  // namespace ulp::dumps
