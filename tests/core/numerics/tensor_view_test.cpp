#include "core/numerics/tensor_view.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/data/every_dtype.h"

namespace ulp::numerics {
namespace {

template <class T>
double readBack(DType dtype, T value) {
  // One byte off any alignment.
  std::vector<std::byte> bytes(3 * sizeof(T) + 1);
  std::memcpy(bytes.data() + 1 + 2 * sizeof(T), &value, sizeof(T));
  return elementAt({bytes.data() + 1, dtype, {3}}, 2);
}

TEST(ElementAt, ReadsEveryDtype) {
  EXPECT_EQ(readBack<double>(DType::Float64, 0x1.23456789abcdp-3), 0x1.23456789abcdp-3);
  EXPECT_EQ(readBack<float>(DType::Float32, -1.5F), -1.5);
  EXPECT_EQ(readBack<std::uint16_t>(DType::Float16, 0xC000), -2);
  EXPECT_EQ(readBack<std::uint16_t>(DType::BFloat16, 0x4049), 3.140625);
  EXPECT_EQ(readBack<std::uint8_t>(DType::Float8E4M3FN, 0x7E), 448);
  EXPECT_EQ(readBack<std::uint8_t>(DType::Float8E5M2, 0x7B), 57344);
  EXPECT_EQ(readBack<std::int64_t>(DType::Int64, -(std::int64_t{1} << 53)), -0x1p53);
  EXPECT_EQ(readBack<std::int32_t>(DType::Int32, -7), -7);
  EXPECT_EQ(readBack<std::int16_t>(DType::Int16, -300), -300);
  EXPECT_EQ(readBack<std::int8_t>(DType::Int8, -128), -128);
  EXPECT_EQ(readBack<std::uint8_t>(DType::UInt8, 200), 200);
  EXPECT_EQ(readBack<std::uint8_t>(DType::Bool, 2), 1);
  EXPECT_EQ(readBack<std::uint8_t>(DType::Bool, 0), 0);
}

TEST(ElementAt, KeepsNonFiniteNumbers) {
  EXPECT_TRUE(std::isnan(readBack<std::uint16_t>(DType::BFloat16, 0x7FC0)));
  EXPECT_EQ(readBack<std::uint16_t>(DType::Float16, 0xFC00), -INFINITY);
}

TEST(TensorView, CountsElementsAndBytes) {
  const TensorView view{nullptr, DType::BFloat16, {2, 3, 4}};
  EXPECT_EQ(view.count(), 24);
  EXPECT_EQ(view.sizeBytes(), 48);
  EXPECT_EQ(TensorView{}.count(), 1) << "a scalar";
  EXPECT_EQ((TensorView{nullptr, DType::Float32, {5, 0}}.count()), 0);
}

TEST(Unravel, GivesRowMajorIndices) {
  const std::array<std::int64_t, 3> shape{2, 3, 4};
  EXPECT_EQ(unravel(0, shape), (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(unravel(23, shape), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(unravel(13, shape), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_TRUE(unravel(0, {}).empty());
}

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
