#include "core/numerics/comparison/top_agreement.h"

#include <array>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace ulp::numerics {
namespace {

TEST(TopAgreement, CountsRowsWithTheSameLargestElement) {
  const std::array<float, 9> a{0, 1, 2, 5, 4, 3, -1, -2, -3};
  const std::array<double, 9> b{0, 2, 1, 9, 1, 1, -1, -2, -3};
  const auto found =
      topAgreement({a.data(), DType::Float32, {1, 3, 3}}, {b.data(), DType::Float64, {1, 3, 3}});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->rows, 3U);
  EXPECT_EQ(found->same, 2U);
}

TEST(TopAgreement, TakesTheFirstOfEqualElements) {
  const std::array<std::uint16_t, 3> a{0x3F80, 0x3F80, 0};  // bfloat16 1, 1, 0
  const std::array<std::uint16_t, 3> b{0x3C00, 0x3800, 0};  // float16 1, 0.5, 0
  const auto found =
      topAgreement({a.data(), DType::BFloat16, {1, 3}}, {b.data(), DType::Float16, {1, 3}});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->same, 1U);
}

TEST(TopAgreement, LeavesOutRowsWithANan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const std::array<float, 6> a{1, 2, nan, infinity, 0, 0};
  const std::array<float, 6> b{1, 2, 3, infinity, 0, 0};
  const auto found =
      topAgreement({a.data(), DType::Float32, {2, 3}}, {b.data(), DType::Float32, {2, 3}});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->rows, 1U);
  EXPECT_EQ(found->same, 1U);
  const auto nanFirst =
      topAgreement({a.data() + 2, DType::Float32, {2}}, {b.data(), DType::Float32, {2}});
  EXPECT_EQ(nanFirst->rows, 0U);
}

TEST(TopAgreement, RefusesOtherShapes) {
  const std::array<float, 6> a{};
  EXPECT_EQ(topAgreement({a.data(), DType::Float32, {2, 3}}, {a.data(), DType::Float32, {3, 2}})
                .error()
                .code(),
            ErrorCode::InvalidArgument);
  EXPECT_FALSE(topAgreement({a.data(), DType::Float32, {}}, {a.data(), DType::Float32, {}}));
}

}  // namespace
}  // namespace ulp::numerics
