#include "core/analysis/tensors/bit_pattern.h"

#include <algorithm>
#include <cstring>

#include "core/numerics/rounding/number_format.h"

namespace ulp::analysis {
namespace {

/// A pattern of zeros with the parts of a type.
BitPattern zeroOf(DType dtype) {
  if (const auto format = numerics::formatOf(dtype)) {
    const numerics::FormatDescription& parts = numerics::describe(*format);
    return {0, 1, parts.exponentBits, parts.mantissaBits};
  }
  return {.mantissaBits = dtype == DType::Bool ? 1 : static_cast<int>(itemSize(dtype) * 8)};
}

std::uint64_t lowBits(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// The exponent without its bias; formats differ in what the lowest and highest codes mean, which
/// stay apart from every number's.
std::int64_t meaningOf(const BitPattern& pattern) {
  const auto code = static_cast<std::int64_t>(pattern.exponent());
  const std::int64_t bias = (std::int64_t{1} << (pattern.exponentBits - 1)) - 1;
  constexpr std::int64_t kBeyond = 1 << 20;
  // Code 0 stands for zero and subnormal numbers, all ones (but in e4m3fn) for Inf and NaN.
  if (code == 0) {
    return -kBeyond;
  }
  const bool isTop = pattern.exponent() == lowBits(pattern.exponentBits);
  return isTop && pattern.exponentBits != 4 ? kBeyond : code - bias;
}

}  // namespace

std::uint64_t BitPattern::sign() const {
  return signBits == 0 ? 0 : bits >> (exponentBits + mantissaBits) & 1;
}

std::uint64_t BitPattern::exponent() const {
  return exponentBits == 0 ? 0 : bits >> mantissaBits & lowBits(exponentBits);
}

std::uint64_t BitPattern::mantissa() const {
  return bits & lowBits(mantissaBits);
}

BitPattern bitPatternAt(const numerics::TensorView& tensor, std::size_t flat) {
  BitPattern pattern = zeroOf(tensor.dtype);
  const std::size_t size = itemSize(tensor.dtype);
  // The machines that this runs on are little-endian, as the files are.
  std::memcpy(&pattern.bits, static_cast<const std::byte*>(tensor.data) + flat * size, size);
  return pattern;
}

DifferingBits differingBits(const BitPattern& first, const BitPattern& second) {
  DifferingBits result;
  const int common = std::max(first.mantissaBits, second.mantissaBits);
  const int liftFirst = common - first.mantissaBits;
  const int liftSecond = common - second.mantissaBits;
  const bool bothFloat = first.exponentBits > 0 && second.exponentBits > 0;
  const std::uint64_t mantissas =
      bothFloat ? (first.mantissa() << liftFirst) ^ (second.mantissa() << liftSecond)
                : first.mantissa() ^ second.mantissa();
  result.first = bothFloat ? mantissas >> liftFirst : mantissas & lowBits(first.mantissaBits);
  result.second = bothFloat ? mantissas >> liftSecond : mantissas & lowBits(second.mantissaBits);
  if (!bothFloat) {
    return result;
  }
  if (first.exponentBits == second.exponentBits) {
    const std::uint64_t exponents = first.exponent() ^ second.exponent();
    result.first |= exponents << first.mantissaBits;
    result.second |= exponents << second.mantissaBits;
  } else if (meaningOf(first) != meaningOf(second)) {
    result.first |= lowBits(first.exponentBits) << first.mantissaBits;
    result.second |= lowBits(second.exponentBits) << second.mantissaBits;
  }
  if (first.sign() != second.sign()) {
    result.first |= std::uint64_t{1} << (first.width() - 1);
    result.second |= std::uint64_t{1} << (second.width() - 1);
  }
  return result;
}

}  // namespace ulp::analysis
