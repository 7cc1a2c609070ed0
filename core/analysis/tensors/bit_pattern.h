#pragma once

#include <cstddef>
#include <cstdint>

#include "core/numerics/tensor_view.h"

namespace ulp::analysis {

/// An element as it is stored. Bit 0 is the lowest of the mantissa; above the mantissa come the
/// exponent and the sign. An integer is all mantissa (two's complement), a bool a single bit.
struct BitPattern {
  std::uint64_t bits = 0;
  int signBits = 0;
  int exponentBits = 0;
  int mantissaBits = 0;

  [[nodiscard]] int width() const { return signBits + exponentBits + mantissaBits; }
  [[nodiscard]] std::uint64_t sign() const;
  [[nodiscard]] std::uint64_t exponent() const;
  [[nodiscard]] std::uint64_t mantissa() const;
};

/// `flat` is below the count of the tensor.
[[nodiscard]] BitPattern bitPatternAt(const numerics::TensorView& tensor, std::size_t flat);

/// Which bits of two patterns differ, field by field: one mask for each of them.
struct DifferingBits {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// Mantissas are compared from their highest bit on; what one has beyond the end of the other
/// differs where it is 1. Exponents of unequal width are compared by what they mean, and differ as
/// a whole.
[[nodiscard]] DifferingBits differingBits(const BitPattern& first, const BitPattern& second);

}  // namespace ulp::analysis
