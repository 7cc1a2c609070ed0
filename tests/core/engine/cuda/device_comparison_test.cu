#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "core/engine/device_comparer.h"

namespace ulp::engine {
namespace {

/// A copy of host memory on the device.
class OnDevice {
 public:
  explicit OnDevice(const numerics::TensorView& tensor) {
    EXPECT_EQ(cudaMalloc(&m_memory, tensor.sizeBytes()), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(m_memory, tensor.data, tensor.sizeBytes(), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  ~OnDevice() { cudaFree(m_memory); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  const void* get() const { return m_memory; }

 private:
  void* m_memory = nullptr;
};

class DeviceComparison : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
      if (std::getenv("ULP_REQUIRE_GPU") != nullptr) {
        FAIL() << "ULP_REQUIRE_GPU is set, but there is no CUDA device";
      }
      GTEST_SKIP() << "no CUDA device";
    }
  }
};

void expectSameAsOnTheCpu(DType referenceDType, DType candidateDType, std::int64_t count) {
  std::mt19937 random(3);
  // Random bit patterns: every exponent, NaN and Inf of each format.
  std::vector<std::uint32_t> reference(static_cast<std::size_t>(count) * 2);
  std::vector<std::uint32_t> candidate(reference.size());
  for (std::size_t i = 0; i < reference.size(); ++i) {
    reference[i] = static_cast<std::uint32_t>(random());
    candidate[i] = random() % 4 == 0 ? reference[i] : static_cast<std::uint32_t>(random());
  }
  const numerics::TensorView r{reference.data(), referenceDType, {count}};
  const numerics::TensorView v{candidate.data(), candidateDType, {count}};
  const auto expected = numerics::compare(r, v);
  ASSERT_TRUE(expected.has_value());
  const OnDevice deviceReference(r);
  const OnDevice deviceCandidate(v);
  auto comparer = makeDeviceComparer();
  ASSERT_TRUE(comparer.has_value()) << comparer.error().message();
  const DevicePair pair{deviceReference.get(),
                        referenceDType,
                        deviceCandidate.get(),
                        candidateDType,
                        static_cast<std::uint64_t>(count)};
  const auto actual = (*comparer)->compare(pair, {});
  ASSERT_TRUE(actual.has_value()) << actual.error().message();

  EXPECT_EQ(actual->compared, expected->compared);
  EXPECT_EQ(actual->equal, expected->equal);
  EXPECT_EQ(actual->reference, expected->reference);
  EXPECT_EQ(actual->candidate, expected->candidate);
  EXPECT_EQ(actual->maxAbsoluteDifference, expected->maxAbsoluteDifference);
  EXPECT_EQ(actual->maxRelativeDifference, expected->maxRelativeDifference);
  EXPECT_EQ(actual->maxUlp, expected->maxUlp);
  EXPECT_EQ(actual->differenceHistogram, expected->differenceHistogram);
  ASSERT_EQ(actual->worst.size(), expected->worst.size());
  for (std::size_t i = 0; i < actual->worst.size(); ++i) {
    EXPECT_EQ(actual->worst[i].flat, expected->worst[i].flat);
  }
  if (std::isfinite(expected->sumAbsoluteDifference)) {
    EXPECT_NEAR(actual->sumAbsoluteDifference / expected->sumAbsoluteDifference, 1, 1e-12);
  }
  const auto again = (*comparer)->compare(pair, {});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->sumAbsoluteDifference, actual->sumAbsoluteDifference);
}

TEST_F(DeviceComparison, AgreesWithTheCpuForEveryPairOfFormats) {
  for (const DType reference : {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16}) {
    for (const DType candidate :
         {DType::Float64, DType::Float32, DType::Float16, DType::BFloat16}) {
      SCOPED_TRACE(std::string(toString(reference)) + " against " +
                   std::string(toString(candidate)));
      expectSameAsOnTheCpu(reference, candidate, 200'003);
    }
  }
}

TEST_F(DeviceComparison, HandlesSmallTensors) {
  for (const std::int64_t count : {1, 2, 127, 129}) {
    expectSameAsOnTheCpu(DType::Float32, DType::BFloat16, count);
  }
}

}  // namespace
}  // namespace ulp::engine
