#include <cstdint>
#include <string>
#include <utility>

#include <cuda_runtime.h>

#include "core/engine/cuda/comparison_kernels.cuh"
#include "core/engine/cuda/pair_kernels.h"
#include "core/engine/cuda/worst_kernel.cuh"

namespace ulp::engine::cuda {
// Of its own name: that of a namespace without one nvcc makes of the folder that this file lies in,
// and a library that is built in another folder would not be the same bytes.
namespace starts {

template <class Reference, class Candidate>
PairOnDevice<Reference, Candidate> typed(const DevicePair& pair) {
  return {static_cast<const Reference*>(pair.reference),
          static_cast<const Candidate*>(pair.candidate),
          pair.count};
}

template <class Reference, class Candidate>
constexpr std::size_t kShared = sizeof(BlockMemory<Reference, Candidate>);

template <class Reference, class Candidate>
cudaError_t startComparing(const DevicePair& pair,
                           const ResultLayout& layout,
                           void* memory,
                           unsigned int blocks) {
  const auto scale =
      numerics::detail::ulpScaleOf(numerics::ulpFormat(pair.referenceDType, pair.candidateDType));
  compareChunks<Reference, Candidate>
      <<<blocks, kThreads, kShared<Reference, Candidate>, static_cast<cudaStream_t>(pair.stream)>>>(
          typed<Reference, Candidate>(pair),
          scale,
          static_cast<std::uint32_t>(layout.chunks()),
          layout.sums(memory),
          layout.largest(memory),
          layout.totals(memory));
  return cudaGetLastError();
}

template <class Reference, class Candidate>
cudaError_t startSearch(const DevicePair& pair, const ResultLayout& layout, void* memory) {
  worstOfChunks<Reference, Candidate>
      <<<static_cast<unsigned int>(layout.searched()),
         kSearchThreads,
         sizeof(SearchMemory),
         static_cast<cudaStream_t>(pair.stream)>>>(typed<Reference, Candidate>(pair),
                                                   static_cast<std::int32_t>(layout.chunks()),
                                                   layout.largest(memory),
                                                   static_cast<int>(layout.wanted()),
                                                   layout.worst(memory));
  return cudaGetLastError();
}

/// Calls `body` with a null pointer of the element type.
template <class Body>
Result<PairKernels> withType(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::Float64:
      return body(static_cast<const double*>(nullptr));
    case DType::Float32:
      return body(static_cast<const float*>(nullptr));
    case DType::Float16:
      return body(static_cast<const __half*>(nullptr));
    case DType::BFloat16:
      return body(static_cast<const __nv_bfloat16*>(nullptr));
    default:
      return fail(ErrorCode::Unsupported,
                  "comparing " + std::string(toString(dtype)) + " on a CUDA device");
  }
}

}  // namespace starts

Result<PairKernels> pairKernels(DType reference, DType candidate) {
  return starts::withType(reference, [&](auto* r) {
    return starts::withType(candidate, [&](auto* v) -> Result<PairKernels> {
      using Reference = std::remove_cvref_t<decltype(*r)>;
      using Candidate = std::remove_cvref_t<decltype(*v)>;
      return PairKernels{
          .compare = reinterpret_cast<const void*>(compareChunks<Reference, Candidate>),
          .threads = kThreads,
          .sharedBytes = starts::kShared<Reference, Candidate>,
          .startComparing = starts::startComparing<Reference, Candidate>,
          .startSearch = starts::startSearch<Reference, Candidate>};
    });
  });
}

}  // namespace ulp::engine::cuda
