#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/engine/precision/simulated_format.h"

/// Numbers and formats for tests of quantize().
namespace ulp::engine::cases {

inline at::Tensor randomPatterns(std::int64_t count) {
  at::manual_seed(1);
  return at::randint(std::numeric_limits<std::int32_t>::min(),
                     std::numeric_limits<std::int32_t>::max(),
                     {count},
                     at::kInt)
      .view(at::kFloat);
}

/// Rows of numbers as activations have them, blocks cut off at their ends.
inline at::Tensor activations(std::int64_t rows, std::int64_t columns) {
  at::manual_seed(2);
  const at::Tensor outliers = (at::rand({rows, columns}) < 0.01).to(at::kFloat) * 100 + 1;
  return at::randn({rows, columns}) * outliers;
}

/// NaN equals NaN, -0 does not equal 0.
inline void expectSame(const at::Tensor& actual,
                       const at::Tensor& expected,
                       const std::string& what) {
  ASSERT_EQ(actual.scalar_type(), expected.scalar_type()) << what;
  ASSERT_EQ(actual.sizes(), expected.sizes()) << what;
  const at::Tensor same =
      at::logical_or(at::logical_and(actual == expected, actual.signbit() == expected.signbit()),
                     at::logical_and(actual.isnan(), expected.isnan()));
  const auto differing = at::logical_not(same).sum().item<std::int64_t>();
  if (differing != 0) {
    const auto first = at::logical_not(same).flatten().nonzero().select(0, 0).item<std::int64_t>();
    FAIL() << what << ": " << differing << " differ, first at " << first << ": "
           << actual.flatten()[first].item<double>() << " instead of "
           << expected.flatten()[first].item<double>();
  }
}

inline std::string nameOf(numerics::NumberFormat format) {
  return std::string(numerics::toString(format));
}

inline std::vector<Quantization> everyQuantization() {
  std::vector<Quantization> all;
  for (const numerics::FormatDescription& format : numerics::numberFormats()) {
    for (const numerics::RoundingMode mode :
         {numerics::RoundingMode::NearestEven, numerics::RoundingMode::Stochastic}) {
      for (const numerics::Overflow overflow :
           {numerics::Overflow::Propagate, numerics::Overflow::Saturate}) {
        all.push_back(
            {format.format, {.mode = mode, .overflow = overflow, .seed = 9, .stream = 4}});
      }
    }
  }
  return all;
}

}  // namespace ulp::engine::cases
