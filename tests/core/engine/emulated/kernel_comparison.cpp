#include "tests/core/engine/emulated/kernel_comparison.h"

#include <algorithm>
#include <vector>

#include "core/engine/cuda/comparison_kernels.cuh"
#include "core/engine/cuda/comparison_result.h"
#include "core/engine/cuda/worst_kernel.cuh"

namespace ulp::engine::cuda::testing {
namespace {

using numerics::Moments;
using numerics::TensorView;

template <class Reference, class Candidate>
void accumulateTyped(Moments& total,
                     const TensorView& reference,
                     const TensorView& candidate,
                     const KernelOptions& options) {
  const PairOnDevice<Reference, Candidate> pair{static_cast<const Reference*>(reference.data),
                                                static_cast<const Candidate*>(candidate.data),
                                                reference.count()};
  const auto wanted = static_cast<unsigned int>(std::max<std::size_t>(options.worstCount, 1));
  const auto chunks = static_cast<std::uint32_t>(chunksOf(pair.count));
  Totals totals{};
  std::vector<Sums> sums(chunks);
  std::vector<double> largest(chunks);
  const auto scale =
      numerics::detail::ulpScaleOf(numerics::ulpFormat(reference.dtype, candidate.dtype));
  runBlocks(std::min(options.blocks, chunks), kThreads, options.turns, [&] {
    compareChunks(pair, scale, chunks, sums.data(), largest.data(), &totals);
  });
  const auto searched = std::min<unsigned int>(wanted, chunks);
  std::vector<numerics::WorstElement> found(searched * wanted);
  runBlocks(searched, kSearchThreads, options.turns, [&] {
    worstOfChunks(pair,
                  static_cast<std::int32_t>(chunks),
                  largest.data(),
                  static_cast<int>(wanted),
                  found.data());
  });
  std::erase_if(found, [&](const auto& element) { return element.flat >= pair.count; });
  addResult(total, {pair.count, &totals, sums.data(), found}, options.worstCount);
}

template <class Body>
void withType(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::Float64:
      return body(double());
    case DType::Float32:
      return body(float());
    case DType::Float16:
      return body(__half());
    default:
      return body(__nv_bfloat16());
  }
}

}  // namespace

void accumulateByKernels(Moments& total,
                         const TensorView& reference,
                         const TensorView& candidate,
                         const KernelOptions& options) {
  withType(reference.dtype, [&](auto r) {
    withType(candidate.dtype, [&](auto v) {
      accumulateTyped<decltype(r), decltype(v)>(total, reference, candidate, options);
    });
  });
}

}  // namespace ulp::engine::cuda::testing
