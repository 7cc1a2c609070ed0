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
constexpr std::size_t kReadAtOnce = 2048;  ///< elements that are read at once

std::string boolText(bool value) {
  return value ? "true" : "false";
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

/// msprobe records none of float8.
bool isWithoutNumbers(DType dtype) {
  return dtype == DType::Float8E4M3FN || dtype == DType::Float8E5M2;
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

void TorchStatistics::add(std::span<const std::byte> elements) {
  const std::size_t count = elements.size() / itemSize(m_dtype);
  m_count += count;
  const numerics::TensorView flat{elements.data(), m_dtype, {static_cast<std::int64_t>(count)}};
  if (m_dtype == DType::Bool) {
    addBools(elements);
  } else if (!isFloatingPoint(m_dtype)) {
    addIntegers(flat);
  } else if (!isWithoutNumbers(m_dtype)) {
    addReals(flat);
  }
}

void TorchStatistics::addBools(std::span<const std::byte> elements) {
  for (const std::byte element : elements) {
    const bool value = element != std::byte{0};
    m_isAnyTrue = m_isAnyTrue || value;
    m_isAllTrue = m_isAllTrue && value;
  }
}

void TorchStatistics::addIntegers(const numerics::TensorView& elements) {
  const std::size_t count = elements.count();
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t value = integerAt(elements, i);
    m_largest = std::max(m_largest, value);
    m_smallest = std::min(m_smallest, value);
  }
}

inline void TorchStatistics::Reals::add(double value) {
  max = std::max(max, value);
  min = std::min(min, value);
  sum += value;
  squares += value * value;
  hasNan = hasNan || std::isnan(value);
}

void TorchStatistics::addReals(const numerics::TensorView& elements) {
  Reals reals = m_reals;
  const std::size_t count = elements.count();
  std::array<double, kReadAtOnce> block{};
  for (std::size_t first = 0; first < count; first += kReadAtOnce) {
    const std::span<double> values = std::span(block).first(std::min(kReadAtOnce, count - first));
    numerics::readElements(elements, static_cast<std::int64_t>(first), 1, values);
    for (const double value : values) {
      reals.add(value);
    }
  }
  m_reals = reals;
}

Statistics TorchStatistics::numbers() const {
  if (m_count == 0 || isWithoutNumbers(m_dtype)) {
    return {};
  }
  if (m_dtype == DType::Bool) {
    return {.max = m_isAnyTrue ? 1 : 0, .min = m_isAllTrue ? 1 : 0};
  }
  if (!isFloatingPoint(m_dtype)) {
    const auto max = static_cast<double>(m_largest);
    return m_isScalar ? Statistics{max, max, max, max}
                      : Statistics{.max = max, .min = static_cast<double>(m_smallest)};
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double max = m_reals.hasNan ? nan : m_reals.max;
  return m_isScalar ? Statistics{max, max, max, max}
                    : Statistics{.max = max,
                                 .min = m_reals.hasNan ? nan : m_reals.min,
                                 .mean = m_reals.sum / static_cast<double>(m_count),
                                 .norm = std::sqrt(m_reals.squares)};
}

StatisticTexts TorchStatistics::texts() const {
  if (m_count == 0 || isWithoutNumbers(m_dtype)) {
    return {kNull, kNull, kNull, kNull};
  }
  if (m_dtype == DType::Bool) {
    return {boolText(m_isAnyTrue), boolText(m_isAllTrue), kNull, kNull};
  }
  if (isFloatingPoint(m_dtype)) {
    return textsOfReals();
  }
  const std::string text = std::to_string(m_largest);
  return m_isScalar ? StatisticTexts{text, text, text, text}
                    : StatisticTexts{text, std::to_string(m_smallest), kNull, kNull};
}

StatisticTexts TorchStatistics::textsOfReals() const {
  const Statistics made = numbers();
  const std::string max = msprobe::jsonFloat(*made.max);
  if (m_isScalar) {
    return {max, max, max, max};
  }
  const std::string min = msprobe::jsonFloat(*made.min);
  if (m_dtype == DType::Float64) {
    return {max, min, kNull, kNull};
  }
  return {max,
          min,
          msprobe::jsonFloat(roundedTo(m_dtype, *made.mean)),
          msprobe::jsonFloat(roundedTo(m_dtype, *made.norm))};
}

double roundedTo(DType dtype, double value) {
  using numerics::NumberFormat;
  const NumberFormat format = dtype == DType::BFloat16  ? NumberFormat::BFloat16
                              : dtype == DType::Float16 ? NumberFormat::Float16
                                                        : NumberFormat::Float32;
  if (dtype == DType::Float64) {
    return value;
  }
  double rounded = value;
  numerics::quantize(std::span(&value, 1), std::span(&rounded, 1), {.format = format});
  return rounded;
}

StatisticTexts statisticTexts(const Statistics& recorded, std::string_view dtype) {
  return {recordedText(recorded.max, dtype),
          recordedText(recorded.min, dtype),
          recordedText(recorded.mean, dtype),
          recordedText(recorded.norm, dtype)};
}

}  // namespace ulp::dumps
