#include "core/numerics/read_elements.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/data/every_dtype.h"

namespace ulp::numerics {
namespace {

/// NaN equals NaN.
bool isSame(double left, double right) {
  return left == right || (std::isnan(left) && std::isnan(right));
}

/// Ten thousand bytes of every value, one byte off any alignment.
std::vector<std::byte> manyBytes() {
  std::vector<std::byte> bytes(10001);
  unsigned state = 1;
  for (std::byte& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::byte>(state >> 24U);
  }
  return bytes;
}

TEST(ReadElements, GivesWhatElementAtGivesForEveryDtypeAndStep) {
  const std::vector<std::byte> bytes = manyBytes();
  for (const DType dtype : test::kEveryDType) {
    const auto count = static_cast<std::int64_t>(10000 / itemSize(dtype));
    const TensorView tensor{bytes.data() + 1, dtype, {count}};
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{7}, std::int64_t{-3}}) {
      const std::int64_t first = step < 0 ? count - 1 : 2;
      std::vector<double> elements(150);
      readElements(tensor, first, step, elements);
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto flat = static_cast<std::size_t>(first + static_cast<std::int64_t>(i) * step);
        ASSERT_TRUE(isSame(elements[i], elementAt(tensor, flat)))
            << toString(dtype) << ", step " << step << ", element " << flat << ": " << elements[i];
      }
    }
  }
}

TEST(ReadElements, OfNoneReadsNothing) {
  readElements({nullptr, DType::Float32, {0}}, 0, 1, {});
  std::array<double, 1> kept{3};
  readElements({nullptr, DType::Float32, {0}}, 0, 1, std::span(kept).first(0));
  EXPECT_EQ(kept[0], 3);
}

}  // namespace
}  // namespace ulp::numerics
