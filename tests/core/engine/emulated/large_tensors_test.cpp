#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <vector>

#include <gtest/gtest.h>

#include "core/engine/cuda/comparison_kernels.cuh"
#include "core/engine/cuda/result_layout.h"
#include "core/engine/cuda/worst_kernel.cuh"
#include "tests/core/engine/emulated/device_threads.h"
#include "tests/core/numerics/comparison/scalar_comparison.h"

namespace ulp::engine::cuda {
namespace {

using numerics::TensorView;
using numerics::testing::expectIdenticalMoments;
using numerics::testing::OwnedTensor;
using testing::runBlock;
using testing::Turns;

/// A tensor of zeros that take no memory, but for `tail` at its end.
class MostlyZeros {
 public:
  MostlyZeros(std::uint64_t zeros, const TensorView& tail)
      : m_bytes(zeros * itemSize(tail.dtype) + tail.sizeBytes()),
        // What cannot be written counts against no limit.
        m_memory(::mmap(nullptr, m_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    auto* const from = static_cast<std::byte*>(m_memory) + zeros * itemSize(tail.dtype);
    if (m_memory != MAP_FAILED && ::mprotect(from, tail.sizeBytes(), PROT_READ | PROT_WRITE) == 0) {
      std::memcpy(from, tail.data, tail.sizeBytes());
      m_isThere = true;
    }
  }
  ~MostlyZeros() {
    if (m_memory != MAP_FAILED) {
      ::munmap(m_memory, m_bytes);
    }
  }
  MostlyZeros(const MostlyZeros&) = delete;
  MostlyZeros& operator=(const MostlyZeros&) = delete;

  [[nodiscard]] bool isThere() const { return m_isThere; }
  [[nodiscard]] const __nv_bfloat16* data() const {
    return static_cast<const __nv_bfloat16*>(m_memory);
  }

 private:
  std::size_t m_bytes;
  void* m_memory;
  bool m_isThere = false;
};

/// The blocks that have chunks behind the 2^33rd element, and have chunks before them as well, and
/// those that look through these chunks.
TEST(ComparisonOfLargeTensors, CountsPositionsPastTheThirtyThirdBit) {
  constexpr unsigned int kBlocks = 1U << 19U;
  constexpr std::uint64_t kZeros = std::uint64_t{kBlocks} * kChunk + kChunk;
  const auto values =
      numerics::testing::randomPair(kChunk + 777, DType::BFloat16, DType::BFloat16, true);
  const OwnedTensor r(DType::BFloat16, values.reference);
  const OwnedTensor v(DType::BFloat16, values.candidate);
  const MostlyZeros reference(kZeros, r.view());
  const MostlyZeros candidate(kZeros, v.view());
  ASSERT_TRUE(reference.isThere() && candidate.isThere());

  constexpr std::size_t kWanted = 2;
  const PairOnDevice<__nv_bfloat16, __nv_bfloat16> pair{
      reference.data(), candidate.data(), kZeros + r.view().count()};
  ASSERT_GT(pair.count, std::uint64_t{1} << 33U);
  const ResultLayout layout(pair.count, kWanted);
  ASSERT_EQ(layout.chunks(), kBlocks + 3U);
  std::vector<std::byte> memory(layout.bytes());
  const auto scale =
      numerics::detail::ulpScaleOf(numerics::ulpFormat(DType::BFloat16, DType::BFloat16));
  // Chunks 1 and 2^19 + 1, 2 and 2^19 + 2, of which the last is not whole.
  for (const unsigned int block : {1U, 2U}) {
    runBlock(block, kBlocks, kThreads, Turns::Ascending, [&] {
      compareChunks(pair,
                    scale,
                    static_cast<std::uint32_t>(layout.chunks()),
                    layout.sums(memory.data()),
                    layout.largest(memory.data()),
                    layout.totals(memory.data()));
    });
  }
  for (unsigned int block = 0; block < layout.searched(); ++block) {
    runBlock(block, kWanted, kSearchThreads, Turns::Ascending, [&] {
      worstOfChunks(pair,
                    static_cast<std::int32_t>(layout.chunks()),
                    layout.largest(memory.data()),
                    static_cast<int>(layout.wanted()),
                    layout.worst(memory.data()));
    });
  }
  const auto* const worst = layout.worst(memory.data());
  std::vector<numerics::WorstElement> found(worst, worst + layout.found());
  std::erase_if(found, [&](const auto& element) { return element.flat >= pair.count; });
  numerics::Moments actual;
  addResult(actual,
            {pair.count, layout.totals(memory.data()), layout.sums(memory.data()), found},
            kWanted);

  auto expected = numerics::compare(r.view(), v.view(), {.worstCount = kWanted});
  ASSERT_TRUE(expected.has_value());
  for (std::uint64_t* count : {&expected->count,
                               &expected->compared,
                               &expected->equal,
                               &expected->differenceHistogram.front()}) {
    *count += kZeros;
  }
  for (numerics::WorstElement& element : expected->worst) {
    element.flat += kZeros;
  }
  ASSERT_EQ(expected->worst.size(), kWanted);
  expectIdenticalMoments(actual, *expected);
}

}  // namespace
}  // namespace ulp::engine::cuda
