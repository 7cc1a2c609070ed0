#include "tests/core/engine/emulated/kernel_comparison.h"

#include <string>

#include <gtest/gtest.h>

#include "core/engine/cuda/comparison_kernels.cuh"
#include "core/engine/cuda/pair_kernels.h"
#include "core/engine/cuda/plugin.h"
#include "core/engine/cuda/worst_kernel.cuh"
#include "tests/core/engine/emulated/fake_cuda.h"

namespace ulp::engine::cuda {
namespace testing {
namespace {

using numerics::Moments;
using numerics::TensorView;

template <class Reference, class Candidate>
PairOnDevice<Reference, Candidate> typed(const DevicePair& pair) {
  return {static_cast<const Reference*>(pair.reference),
          static_cast<const Candidate*>(pair.candidate),
          pair.count};
}

template <class Reference, class Candidate>
cudaError_t startComparing(const DevicePair& pair,
                           const ResultLayout& layout,
                           void* memory,
                           unsigned int blocks) {
  FakeCuda::get().blocksAskedFor = blocks;
  const auto scale =
      numerics::detail::ulpScaleOf(numerics::ulpFormat(pair.referenceDType, pair.candidateDType));
  return FakeCuda::get().enqueue("startComparing", {pair.reference, pair.candidate, memory}, [=] {
    runBlocks(blocks, kThreads, FakeCuda::get().turns, [&] {
      compareChunks(typed<Reference, Candidate>(pair),
                    scale,
                    static_cast<std::uint32_t>(layout.chunks()),
                    layout.sums(memory),
                    layout.largest(memory),
                    layout.totals(memory));
    });
  });
}

template <class Reference, class Candidate>
cudaError_t startSearch(const DevicePair& pair, const ResultLayout& layout, void* memory) {
  return FakeCuda::get().enqueue("startSearch", {pair.reference, pair.candidate, memory}, [=] {
    runBlocks(
        static_cast<unsigned int>(layout.searched()), kSearchThreads, FakeCuda::get().turns, [&] {
          worstOfChunks(typed<Reference, Candidate>(pair),
                        static_cast<std::int32_t>(layout.chunks()),
                        layout.largest(memory),
                        static_cast<int>(layout.wanted()),
                        layout.worst(memory));
        });
  });
}

template <class Body>
Result<PairKernels> withType(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::Float64:
      return body(double());
    case DType::Float32:
      return body(float());
    case DType::Float16:
      return body(__half());
    case DType::BFloat16:
      return body(__nv_bfloat16());
    default:
      return fail(ErrorCode::Unsupported, std::string(toString(dtype)));
  }
}

}  // namespace

void accumulateByKernels(Moments& total,
                         const TensorView& reference,
                         const TensorView& candidate,
                         const KernelOptions& options) {
  FakeCuda& cuda = FakeCuda::get();
  cuda.reset();
  cuda.residentBlocks = options.blocks;
  cuda.turns = options.turns;
  const auto added =
      makeComparer(cuda.memory())
          ->accumulate(total, pairOf(reference, candidate), {.worstCount = options.worstCount});
  ASSERT_TRUE(added) << added.error().message();
}

DevicePair pairOf(const TensorView& reference, const TensorView& candidate) {
  return {.reference = reference.data,
          .referenceDType = reference.dtype,
          .candidate = candidate.data,
          .candidateDType = candidate.dtype,
          .count = reference.count()};
}

std::unique_ptr<DeviceComparer> makeComparer(const ComparerMemory& memory) {
  std::unique_ptr<DeviceComparer> comparer;
  ulpscopeCreateDeviceComparer(memory, &comparer);
  return comparer;
}

}  // namespace testing

Result<PairKernels> pairKernels(DType reference, DType candidate) {
  return testing::withType(reference, [&](auto r) {
    return testing::withType(candidate, [&](auto v) -> Result<PairKernels> {
      using Reference = decltype(r);
      using Candidate = decltype(v);
      return PairKernels{
          .compare = reinterpret_cast<const void*>(compareChunks<Reference, Candidate>),
          .threads = kThreads,
          .sharedBytes = sizeof(BlockMemory<Reference, Candidate>),
          .startComparing = testing::startComparing<Reference, Candidate>,
          .startSearch = testing::startSearch<Reference, Candidate>};
    });
  });
}

}  // namespace ulp::engine::cuda
