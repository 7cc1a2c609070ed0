#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "core/engine/device_comparer.h"
#include "tests/core/engine/cuda/cuda_memory.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"

namespace ulp::engine {
namespace {

using numerics::CompareOptions;
using numerics::TensorView;
using numerics::testing::expectIdenticalMoments;
using numerics::testing::OwnedTensor;
using numerics::testing::randomPair;
using testing::OnDevice;

constexpr std::size_t kChunk = numerics::Comparer::kChunkElements;
constexpr DType kFormats[] = {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16};

class DeviceComparison : public ::testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
      if (std::getenv("ULP_REQUIRE_GPU") != nullptr) {
        FAIL() << "ULP_REQUIRE_GPU is set, but there is no CUDA device";
      }
      GTEST_SKIP() << "no CUDA device";
    }
    auto comparer = makeDeviceComparer(testing::runtimeMemory());
    ASSERT_TRUE(comparer.has_value()) << comparer.error().message();
    m_comparer = std::move(*comparer);
  }

  static DevicePair pairOf(const TensorView& r,
                           const OnDevice& reference,
                           const TensorView& v,
                           const OnDevice& candidate) {
    return {reference.get(), r.dtype, candidate.get(), v.dtype, r.count()};
  }

  void expectSameAsOnTheCpu(const TensorView& r,
                            const TensorView& v,
                            std::size_t worstCount = 8,
                            std::size_t misalignment = 0) {
    const CompareOptions options{.worstCount = worstCount};
    const auto expected = numerics::compare(r, v, options);
    ASSERT_TRUE(expected.has_value());
    const OnDevice reference(r, misalignment);
    const OnDevice candidate(v);
    ASSERT_TRUE(reference.isCopied() && candidate.isCopied());
    for (int repetition = 0; repetition < 2; ++repetition) {
      const auto actual = m_comparer->compare(pairOf(r, reference, v, candidate), options);
      ASSERT_TRUE(actual.has_value()) << actual.error().message();
      expectIdenticalMoments(*actual, *expected);
    }
  }

  void expectSameForEveryPairOfFormats(std::size_t count, bool special, bool misaligned = false) {
    for (const DType reference : kFormats) {
      for (const DType candidate : kFormats) {
        SCOPED_TRACE(std::string(toString(reference)) + " against " +
                     std::string(toString(candidate)) + ", " + std::to_string(count));
        const auto values = randomPair(count, reference, candidate, special);
        const OwnedTensor r(reference, values.reference);
        const OwnedTensor v(candidate, values.candidate);
        expectSameAsOnTheCpu(r.view(), v.view(), 8, misaligned ? itemSize(reference) : 0);
      }
    }
  }

  std::unique_ptr<DeviceComparer> m_comparer;
};

TEST_F(DeviceComparison, GivesTheMomentsOfTheCpuBitForBit) {
  expectSameForEveryPairOfFormats(12 * kChunk + 3, true);
}

TEST_F(DeviceComparison, TakesSizesAroundThoseOfItsParts) {
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{17}, std::size_t{513}, kChunk - 1, kChunk, kChunk + 1}) {
    expectSameForEveryPairOfFormats(count, true);
  }
}

TEST_F(DeviceComparison, TakesTensorsAtAnyAddress) {
  expectSameForEveryPairOfFormats(2 * kChunk + 5, true, true);
}

TEST_F(DeviceComparison, GivesEachBlockMoreThanOneChunk) {
  const std::size_t count = 3000 * kChunk + 11;
  std::vector<std::uint16_t> reference(count);
  std::vector<std::uint16_t> candidate(count);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    reference[i] = static_cast<std::uint16_t>(state >> 16);
    candidate[i] = static_cast<std::uint16_t>(reference[i] + (state >> 8 & 3));
  }
  const auto size = static_cast<std::int64_t>(count);
  expectSameAsOnTheCpu(
      {reference.data(), DType::BFloat16, {size}}, {candidate.data(), DType::BFloat16, {size}}, 50);
}

TEST_F(DeviceComparison, KeepsTheFirstOfEqualDifferences) {
  const std::vector<double> ones(40 * kChunk, 1.0);
  std::vector<double> others(ones.size(), 1.5);
  others[31 * kChunk] = 2;
  others[7 * kChunk + 100] = 2;
  const OwnedTensor r(DType::Float32, ones);
  const OwnedTensor v(DType::Float16, others);
  expectSameAsOnTheCpu(r.view(), v.view());
  expectSameAsOnTheCpu(r.view(), v.view(), 0);
}

TEST_F(DeviceComparison, ComparesNothingOfTensorsWithoutNumbers) {
  const std::vector<double> nan(3 * kChunk, std::numeric_limits<double>::quiet_NaN());
  const OwnedTensor r(DType::BFloat16, nan);
  expectSameAsOnTheCpu(r.view(), r.view());
}

TEST_F(DeviceComparison, HasManyUnderWayAtOnce) {
  const auto values = randomPair(5 * kChunk, DType::Float32, DType::BFloat16, true);
  const OwnedTensor r(DType::Float32, values.reference);
  const OwnedTensor v(DType::BFloat16, values.candidate);
  const OnDevice reference(r.view());
  const OnDevice candidate(v.view());
  const auto expected = numerics::compare(r.view(), v.view());
  std::vector<std::unique_ptr<PendingComparison>> pending;
  for (int i = 0; i < 20; ++i) {
    auto one = m_comparer->start(pairOf(r.view(), reference, v.view(), candidate), {});
    ASSERT_TRUE(one.has_value()) << one.error().message();
    pending.push_back(std::move(*one));
  }
  pending.resize(15);  // the others are waited for and dropped
  for (const auto& one : pending) {
    numerics::Moments actual;
    const auto finished = one->addTo(actual);
    ASSERT_TRUE(finished.has_value()) << finished.error().message();
    expectIdenticalMoments(actual, *expected);
  }
}

TEST_F(DeviceComparison, AddsPairsThatFollowEachOther) {
  const auto values = randomPair(7 * kChunk + 9, DType::BFloat16, DType::Float32, true);
  const OwnedTensor r(DType::BFloat16, values.reference);
  const OwnedTensor v(DType::Float32, values.candidate);
  const auto expected = numerics::compare(r.view(), v.view());
  ASSERT_TRUE(expected.has_value());
  numerics::Moments total;
  for (const auto& [first, count] :
       {std::pair{std::size_t{0}, 4 * kChunk}, std::pair{4 * kChunk, 3 * kChunk + 9}}) {
    const TensorView partR = r.slice(first, count);
    const TensorView partV = v.slice(first, count);
    const OnDevice reference(partR);
    const OnDevice candidate(partV);
    const auto added =
        m_comparer->accumulate(total, pairOf(partR, reference, partV, candidate), {});
    ASSERT_TRUE(added.has_value()) << added.error().message();
  }
  expectIdenticalMoments(total, *expected);
}

TEST_F(DeviceComparison, ProvesItsKernels) {
  const auto proved = m_comparer->prove(0);
  EXPECT_TRUE(proved.has_value()) << proved.error().message();
}

TEST_F(DeviceComparison, TakesTensorsWithoutElements) {
  const auto moments = m_comparer->compare({.count = 0}, {});
  ASSERT_TRUE(moments.has_value());
  EXPECT_EQ(moments->count, 0U);
  EXPECT_EQ(moments->differenceHistogram.size(), numerics::kHistogramBins);
}

TEST_F(DeviceComparison, RefusesOtherFormats) {
  const OwnedTensor tensor(DType::Int32, std::vector<double>(10, 1.0));
  const OnDevice onDevice(tensor.view());
  const auto moments =
      m_comparer->compare(pairOf(tensor.view(), onDevice, tensor.view(), onDevice), {});
  ASSERT_FALSE(moments.has_value());
  EXPECT_EQ(moments.error().code(), ErrorCode::Unsupported);
}

TEST_F(DeviceComparison, PassesOnThatThereIsNoMemory) {
  auto memory = testing::runtimeMemory();
  memory.onDevice = [](std::size_t, int, void*) -> Result<std::shared_ptr<void>> {
    return fail(ErrorCode::OutOfMemory, "none left");
  };
  auto comparer = makeDeviceComparer(memory);
  ASSERT_TRUE(comparer.has_value());
  const OwnedTensor tensor(DType::Float32, std::vector<double>(10, 1.0));
  const OnDevice onDevice(tensor.view());
  const auto moments =
      (*comparer)->compare(pairOf(tensor.view(), onDevice, tensor.view(), onDevice), {});
  ASSERT_FALSE(moments.has_value());
  EXPECT_EQ(moments.error().code(), ErrorCode::OutOfMemory);
}

}  // namespace
}  // namespace ulp::engine
