#include <memory>
#include <vector>

#include "core/numerics/comparison/comparison.h"
#include "tests/core/engine/engine_fixture.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"

namespace ulp::engine {
namespace {

Capture onHost(std::vector<float> values, std::vector<std::int64_t> shape) {
  const auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return {.view = {.data = owner->data(), .dtype = DType::Float32, .shape = std::move(shape)},
          .owner = owner};
}

class CaptureComparing : public ::testing::Test {
 protected:
  std::unique_ptr<CaptureComparer> m_comparer =
      std::move(sharedEngine().captureComparer("cpu", {.worstCount = 2}).value());
  const Capture m_reference = onHost({1, 2, 3, 6, 5, 4}, {2, 3});
  const Capture m_candidate = onHost({1, 2.5, 3, 6, 7, 4}, {2, 3});
};

TEST_F(CaptureComparing, OnTheCpuAddsUpAsItsComparerDoes) {
  numerics::Comparer expected({.worstCount = 2});
  numerics::Moments both;
  numerics::Moments actual;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(expected.accumulate(both, m_reference.view, m_candidate.view));
    ASSERT_TRUE(m_comparer->accumulate(actual, m_reference, m_candidate));
  }
  numerics::testing::expectIdenticalMoments(actual, both);
}

TEST_F(CaptureComparing, FindsTheTopsOfRowsAndHasNoRoomOnADevice) {
  const auto tops = m_comparer->topAgreement(m_reference, m_candidate);
  ASSERT_TRUE(tops);
  EXPECT_EQ(tops->rows, 2U);
  EXPECT_EQ(tops->same, 1U);
  EXPECT_EQ(m_comparer->roomOnDevice().value(), 0U);
  EXPECT_EQ(m_comparer->problem(), "");
}

TEST_F(CaptureComparing, RefusesOtherShapes) {
  numerics::Moments total;
  const auto refused = m_comparer->accumulate(total, m_reference, onHost({1}, {1}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(total.count, 0U);
}

TEST_F(CaptureComparing, NeedsADeviceThatExists) {
  EXPECT_FALSE(sharedEngine().captureComparer("cuda:99", {}));
  EXPECT_EQ(sharedEngine().captureComparer("tpu", {}).error().code(), ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace ulp::engine
