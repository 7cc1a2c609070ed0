#include "core/tensors/formats/numpy/npy_writer.h"

#include <cstring>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "core/tensors/formats/numpy/npy.h"
#include "tests/support/data/every_dtype.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using numerics::TensorView;

TEST(NpyWriter, WhatIsWrittenIsReadBackInEveryTypeThatNumPyHas) {
  const test::TempDir dir;
  for (const DType dtype : test::kEveryDType) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{3, 1, 5}, {}, {7}, {0, 4}}) {
      TensorView view{nullptr, dtype, shape};
      const auto bytes = test::countingElements(dtype, view.count());
      view.data = bytes.data();
      ASSERT_TRUE(writeNpy(dir / "x.npy", view));
      const auto tensor = readNpy(dir / "x.npy");
      ASSERT_TRUE(tensor) << tensor.error().message();
      EXPECT_EQ(tensor->view.shape, shape);
      EXPECT_EQ(tensor->view.dtype, isWidenedForNpy(dtype) ? DType::Float32 : dtype);
      for (std::size_t i = 0; i < view.count(); ++i) {
        EXPECT_EQ(numerics::elementAt(tensor->view, i), numerics::elementAt(view, i));
      }
    }
  }
}

TEST(NpyWriter, ShapesAreTuplesOfPython) {
  const test::TempDir dir;
  for (const auto& [shape, tuple] :
       {std::pair{std::vector<std::int64_t>{}, "'shape': (), }"},
        std::pair{std::vector<std::int64_t>{1}, "'shape': (1,), }"},
        std::pair{std::vector<std::int64_t>{1, 1}, "'shape': (1, 1), }"}}) {
    const float one = 1;
    ASSERT_TRUE(writeNpy(dir / "x.npy", {&one, DType::Float32, shape}));
    EXPECT_THAT(readTextFile(dir / "x.npy").value_or(""), testing::HasSubstr(tuple));
  }
}

TEST(NpyWriter, NumbersOfBFloat16AreTheSameInFloat32) {
  const test::TempDir dir;
  const std::vector<std::uint16_t> bits{0x3FC0, 0xC000, 0x7F80, 0x0001};  // 1.5, -2, inf, smallest
  ASSERT_TRUE(writeNpy(dir / "x.npy", {bits.data(), DType::BFloat16, {2, 2}}));
  const auto tensor = readNpy(dir / "x.npy");
  ASSERT_TRUE(tensor);
  ASSERT_EQ(tensor->view.dtype, DType::Float32);
  std::vector<std::uint32_t> widened(4);
  std::memcpy(widened.data(), tensor->view.data, 16);
  EXPECT_THAT(widened, testing::ElementsAre(0x3FC00000, 0xC0000000, 0x7F800000, 0x00010000));
}

TEST(NpyWriter, MoreThanABlockIsWidenedWhole) {
  const test::TempDir dir;
  constexpr std::int64_t kCount = 40'000;
  std::vector<std::uint16_t> bits(kCount);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = static_cast<std::uint16_t>(i % 0x7F00);
  }
  const TensorView view{bits.data(), DType::BFloat16, {kCount}};
  ASSERT_TRUE(writeNpy(dir / "x.npy", view));
  const auto tensor = readNpy(dir / "x.npy");
  ASSERT_TRUE(tensor);
  for (const std::size_t i : {0UL, 16'383UL, 16'384UL, 39'999UL}) {
    EXPECT_EQ(numerics::elementAt(tensor->view, i), numerics::elementAt(view, i)) << i;
  }
}

}  // namespace
}  // namespace ulp::tensors
