#include "core/engine/device_comparer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/engine/cuda/lane_pass.h"
#include "tests/core/engine/emulated/fake_cuda.h"
#include "tests/core/engine/emulated/kernel_comparison.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"

namespace ulp::engine::cuda {
namespace {

using numerics::Moments;
using numerics::testing::expectIdenticalMoments;
using numerics::testing::OwnedTensor;
using numerics::testing::randomPair;
using testing::FakeCuda;
using testing::makeComparer;
using testing::pairOf;

/// Tensors that work of the device is on, which do not go before it.
class Tensors {
 public:
  explicit Tensors(std::size_t count) {
    const auto values = randomPair(count, DType::Float32, DType::BFloat16, true);
    m_reference = std::make_unique<OwnedTensor>(DType::Float32, values.reference);
    m_candidate = std::make_unique<OwnedTensor>(DType::BFloat16, values.candidate);
  }

  [[nodiscard]] DevicePair pair() const { return pairOf(m_reference->view(), m_candidate->view()); }
  [[nodiscard]] Moments onCpu() const {
    return numerics::compare(m_reference->view(), m_candidate->view()).value();
  }
  void addOnCpu(Moments& total) const {
    numerics::Comparer comparer({.threads = 1});
    EXPECT_TRUE(comparer.accumulate(total, m_reference->view(), m_candidate->view()));
  }

 private:
  std::unique_ptr<OwnedTensor> m_reference;
  std::unique_ptr<OwnedTensor> m_candidate;
};

class DeviceComparerOnHost : public ::testing::Test {
 protected:
  void SetUp() override { m_cuda.reset(); }
  void TearDown() override {
    EXPECT_EQ(m_cuda.faults(), std::vector<std::string>());
    EXPECT_EQ(m_cuda.liveBlocks(), 0U);
    EXPECT_EQ(m_cuda.finished(), m_cuda.enqueued());
    EXPECT_EQ(m_cuda.takeLastError(), cudaSuccess) << "LibTorch would take it for its own";
  }

  std::unique_ptr<PendingComparison> startOrFail(const Tensors& tensors) {
    auto pending = m_comparer->start(tensors.pair(), {});
    EXPECT_TRUE(pending) << (pending ? "" : pending.error().message());
    return pending ? std::move(*pending) : nullptr;
  }

  FakeCuda& m_cuda = FakeCuda::get();
  std::unique_ptr<DeviceComparer> m_comparer = makeComparer(m_cuda.memory());
  Tensors m_tensors{kChunk + 300};
};

TEST_F(DeviceComparerOnHost, ProvesItself) {
  const auto proved = m_comparer->prove(0);
  EXPECT_TRUE(proved) << proved.error().message();
}

TEST_F(DeviceComparerOnHost, ReadsNothingBeforeTheDeviceHasFinished) {
  const auto pending = startOrFail(m_tensors);
  EXPECT_EQ(m_cuda.enqueued(), 4U) << "it clears, compares, searches and copies";
  EXPECT_EQ(m_cuda.finished(), 0U);
  Moments moments;
  ASSERT_TRUE(pending->addTo(moments));
  EXPECT_EQ(m_cuda.finished(), 4U);
  expectIdenticalMoments(moments, m_tensors.onCpu());
}

TEST_F(DeviceComparerOnHost, WaitsForItsOwnWorkAlone) {
  const auto first = startOrFail(m_tensors);
  const auto second = startOrFail(m_tensors);
  Moments moments;
  ASSERT_TRUE(first->addTo(moments));
  EXPECT_EQ(m_cuda.finished(), 4U);
  EXPECT_EQ(m_cuda.enqueued(), 8U);
}

TEST_F(DeviceComparerOnHost, CountsEachOfManyUnderWayOnce) {
  std::vector<Tensors> tensors;
  for (const std::size_t count : {1U, 700U, 16384U, 20000U, 3U}) {
    tensors.emplace_back(count);
  }
  std::vector<std::unique_ptr<PendingComparison>> pending;
  for (const Tensors& each : tensors) {
    pending.push_back(startOrFail(each));
  }
  EXPECT_EQ(m_cuda.finished(), 0U);
  Moments total;
  Moments expected;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    ASSERT_TRUE(pending[i]->addTo(total));
    tensors[i].addOnCpu(expected);
  }
  expectIdenticalMoments(total, expected);
}

TEST_F(DeviceComparerOnHost, FinishesInAnyOrder) {
  const Tensors other(5000);
  const auto first = startOrFail(m_tensors);
  const auto second = startOrFail(other);
  Moments ofSecond;
  ASSERT_TRUE(second->addTo(ofSecond));
  Moments ofFirst;
  ASSERT_TRUE(first->addTo(ofFirst));
  expectIdenticalMoments(ofFirst, m_tensors.onCpu());
  expectIdenticalMoments(ofSecond, other.onCpu());
}

TEST_F(DeviceComparerOnHost, KeepsTheMemoryOfWhatIsDroppedUntilTheDeviceHasFinished) {
  auto pending = startOrFail(m_tensors);
  EXPECT_EQ(m_cuda.liveBlocks(), 2U);
  pending.reset();
  EXPECT_EQ(m_cuda.finished(), 4U);
  EXPECT_EQ(m_cuda.liveBlocks(), 0U);
}

TEST_F(DeviceComparerOnHost, AsksOnceHowManyBlocksTheDeviceTakes) {
  ASSERT_TRUE(m_comparer->compare(m_tensors.pair(), {}));
  ASSERT_TRUE(m_comparer->compare(m_tensors.pair(), {}));
  EXPECT_EQ(m_cuda.callsOf("cudaOccupancyMaxActiveBlocksPerMultiprocessor"), 1);
  EXPECT_EQ(m_cuda.callsOf("startComparing"), 2);
}

TEST_F(DeviceComparerOnHost, StartsNothingForOtherFormats) {
  DevicePair pair = m_tensors.pair();
  pair.candidateDType = DType::Int32;
  const auto pending = m_comparer->start(pair, {});
  ASSERT_FALSE(pending);
  EXPECT_EQ(pending.error().code(), ErrorCode::Unsupported);
  EXPECT_EQ(m_cuda.enqueued(), 0U);
}

TEST_F(DeviceComparerOnHost, PassesOnThatThereIsNoMemory) {
  const auto none = [] { return fail(ErrorCode::OutOfMemory, "none left"); };
  ComparerMemory withoutDevice = m_cuda.memory();
  withoutDevice.onDevice = [&](auto&&...) -> Result<std::shared_ptr<void>> { return none(); };
  ComparerMemory withoutPinned = m_cuda.memory();
  withoutPinned.pinned = [&](auto&&...) -> Result<std::shared_ptr<void>> { return none(); };
  for (const ComparerMemory& memory : {withoutDevice, withoutPinned}) {
    const auto pending = makeComparer(memory)->start(m_tensors.pair(), {});
    ASSERT_FALSE(pending);
    EXPECT_EQ(pending.error().code(), ErrorCode::OutOfMemory);
  }
  EXPECT_EQ(m_cuda.enqueued(), 0U);
}

/// What the device says when it is waited for has happened before, in the comparison or elsewhere.
TEST_F(DeviceComparerOnHost, AddsNothingWhereTheDeviceBreaksDown) {
  Moments total;
  m_tensors.addOnCpu(total);
  const Moments before = total;
  auto pending = startOrFail(m_tensors);
  auto dropped = startOrFail(m_tensors);
  m_cuda.breakDown(cudaErrorIllegalAddress);
  const auto added = pending->addTo(total);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code(), ErrorCode::Device);
  EXPECT_EQ(added.error().message(), "CUDA: comparing 16684 pairs: another error");
  expectIdenticalMoments(total, before);
  pending.reset();
  dropped.reset();
  const auto next = m_comparer->start(m_tensors.pair(), {});
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().code(), ErrorCode::Device);
  m_cuda.reset();
}

struct Failing {
  const char* call;
  const char* doing;
};

constexpr Failing kCallsOfAStart[] = {
    {"cudaGetDevice", "choosing the device 0"},
    {"cudaSetDevice", "choosing the device 0"},
    {"cudaFuncSetAttribute, carveout", "asking for shared memory"},
    {"cudaFuncSetAttribute, size", "asking for the shared memory of a block"},
    {"cudaDeviceGetAttribute", "asking for the multiprocessors of a device"},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor",
     "asking how many blocks of the comparison a multiprocessor takes"},
    {"cudaEventCreateWithFlags", "creating an event"},
    {"cudaMemsetAsync", "clearing the totals of a comparison"},
    {"startComparing", "starting a comparison"},
    {"startSearch", "starting the search for the worst elements"},
    {"cudaMemcpyAsync", "copying the result of a comparison"},
    {"cudaEventRecord", "recording an event"},
};

/// Fails to start a comparison beside others, of one kind.
void expectError(const Result<std::unique_ptr<PendingComparison>>& pending,
                 cudaError_t error,
                 const char* doing) {
  ASSERT_FALSE(pending);
  const bool isShortage = error == cudaErrorMemoryAllocation;
  EXPECT_EQ(pending.error().code(), isShortage ? ErrorCode::OutOfMemory : ErrorCode::Device);
  EXPECT_EQ(pending.error().message(),
            std::string("CUDA: ") + doing + (isShortage ? ": out of memory" : ": another error"));
}

TEST_F(DeviceComparerOnHost, NamesWhatFailsAndLosesNothingBeside) {
  for (const auto& [call, doing] : kCallsOfAStart) {
    for (const cudaError_t error : {cudaErrorMemoryAllocation, cudaErrorLaunchFailure}) {
      SCOPED_TRACE(call);
      m_cuda.reset();
      const auto comparer = makeComparer(m_cuda.memory());
      const Tensors others(900);
      m_cuda.fail(call, error);
      expectError(comparer->start(m_tensors.pair(), {}), error, doing);
      EXPECT_EQ(m_cuda.liveBlocks(), 0U);
      EXPECT_EQ(m_cuda.finished(), m_cuda.enqueued());
      EXPECT_EQ(m_cuda.takeLastError(), cudaSuccess);

      auto before = comparer->start(others.pair(), {});
      ASSERT_TRUE(before) << before.error().message();
      const bool isAskedOnce = std::string(call).find("Attribute") != std::string::npos ||
                               std::string(call).find("Occupancy") != std::string::npos;
      if (!isAskedOnce) {
        m_cuda.fail(call, error);
        expectError(comparer->start(m_tensors.pair(), {}), error, doing);
      }
      auto after = comparer->start(m_tensors.pair(), {});
      ASSERT_TRUE(after) << after.error().message();
      Moments total;
      ASSERT_TRUE((*before)->addTo(total));
      ASSERT_TRUE((*after)->addTo(total));
      Moments expected;
      others.addOnCpu(expected);
      m_tensors.addOnCpu(expected);
      expectIdenticalMoments(total, expected);
      EXPECT_EQ(m_cuda.faults(), std::vector<std::string>());
    }
  }
}

TEST_F(DeviceComparerOnHost, WaitsForTheStreamWhereNoEventTellsTheEnd) {
  m_cuda.fail("cudaEventRecord", cudaErrorLaunchFailure);
  const auto pending = m_comparer->start(m_tensors.pair(), {});
  ASSERT_FALSE(pending);
  EXPECT_EQ(m_cuda.enqueued(), 4U);
  EXPECT_EQ(m_cuda.finished(), 4U);
  EXPECT_EQ(m_cuda.callsOf("cudaStreamSynchronize"), 1);
}

TEST_F(DeviceComparerOnHost, NamesTheFirstOfTwoFailures) {
  m_cuda.fail("cudaMemcpyAsync", cudaErrorMemoryAllocation);
  m_cuda.fail("cudaEventRecord", cudaErrorLaunchFailure);
  expectError(m_comparer->start(m_tensors.pair(), {}),
              cudaErrorMemoryAllocation,
              "copying the result of a comparison");
}

TEST_F(DeviceComparerOnHost, AddsNothingWhereItCannotWait) {
  Moments total;
  auto pending = startOrFail(m_tensors);
  m_cuda.fail("cudaEventSynchronize", cudaErrorLaunchFailure);
  const auto added = pending->addTo(total);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code(), ErrorCode::Device);
  expectIdenticalMoments(total, Moments());
}

TEST_F(DeviceComparerOnHost, SaysThatItCannotBeProved) {
  m_cuda.fail("cudaMemcpy", cudaErrorMemoryAllocation, 1);
  const auto proved = m_comparer->prove(0);
  ASSERT_FALSE(proved);
  EXPECT_EQ(proved.error().code(), ErrorCode::OutOfMemory);
  EXPECT_EQ(proved.error().message(), "CUDA: copying a few numbers to the device: out of memory");
}

TEST_F(DeviceComparerOnHost, GivesNoBlockMorePairsThanItCounts) {
  DevicePair large = m_tensors.pair();
  large.count = std::uint64_t{1} << 33U;
  m_cuda.residentBlocks = 1;
  // Enough to see what is asked for, and nothing runs.
  m_cuda.fail("startSearch", cudaErrorLaunchFailure);
  m_cuda.breakDown(cudaErrorLaunchFailure);
  ASSERT_FALSE(m_comparer->start(large, {}));
  EXPECT_EQ(m_cuda.blocksAskedFor, 3U);
  m_cuda.reset();
}

}  // namespace
}  // namespace ulp::engine::cuda
