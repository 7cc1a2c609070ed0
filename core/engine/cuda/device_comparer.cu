#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "core/engine/cuda/comparison_kernels.cuh"
#include "core/engine/cuda/plugin.h"
#include "core/engine/device_comparer.h"

namespace ulp::engine::cuda {
namespace {

Result<> check(cudaError_t status, const char* action) {
  if (status == cudaSuccess) {
    return {};
  }
  const ErrorCode code =
      status == cudaErrorMemoryAllocation ? ErrorCode::OutOfMemory : ErrorCode::Device;
  return fail(code, std::string("CUDA: ") + action + ": " + cudaGetErrorString(status));
}

struct DeviceFree {
  void operator()(void* memory) const { cudaFree(memory); }
};

/// Device memory that grows and is reused.
class Scratch {
 public:
  [[nodiscard]] Result<> reserve(std::size_t bytes) {
    if (bytes <= m_bytes) {
      return {};
    }
    m_memory.reset();
    m_bytes = 0;
    void* memory = nullptr;
    ULP_TRY(check(cudaMalloc(&memory, bytes), "reserving scratch memory"));
    m_memory.reset(memory);
    m_bytes = bytes;
    return {};
  }
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(m_memory.get());
  }

 private:
  std::unique_ptr<void, DeviceFree> m_memory;
  std::size_t m_bytes = 0;
};

/// Makes a device current while in scope.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    cudaGetDevice(&m_previous);
    m_status = cudaSetDevice(device);
  }
  ~CurrentDevice() { cudaSetDevice(m_previous); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  [[nodiscard]] cudaError_t status() const { return m_status; }

 private:
  int m_previous = 0;
  cudaError_t m_status = cudaSuccess;
};

/// Calls `body` with null pointers of the element types of a pair.
template <class Body>
Result<> withType(DType dtype, Body&& body) {
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

template <class Body>
Result<> withTypes(const DevicePair& pair, Body&& body) {
  return withType(pair.referenceDType, [&](auto* reference) {
    return withType(pair.candidateDType, [&](auto* candidate) {
      using Reference = decltype(reference);
      using Candidate = decltype(candidate);
      return body(static_cast<Reference>(pair.reference), static_cast<Candidate>(pair.candidate));
    });
  });
}

numerics::Moments toMoments(const PairAccumulator& total, std::uint64_t count) {
  const auto counts = [&](int side) {
    const auto& c = total.nonFinite[side];
    return numerics::NonFiniteCounts{c[0], c[1], c[2]};
  };
  numerics::Moments moments;
  moments.count = count;
  moments.compared = total.compared;
  moments.equal = total.equal;
  moments.sumSquaredReference = total.squaredReference;
  moments.sumSquaredCandidate = total.squaredCandidate;
  moments.sumProduct = total.product;
  moments.sumSquaredDifference = total.squaredDifference;
  moments.sumAbsoluteDifference = total.absoluteDifference;
  moments.maxAbsoluteDifference = std::max(0.0, total.maxAbsolute);
  moments.maxRelativeDifference = total.maxRelative;
  moments.sumUlp = total.ulp;
  moments.maxUlp = total.maxUlp;
  moments.reference = counts(0);
  moments.candidate = counts(1);
  return moments;
}

class Comparer final : public DeviceComparer {
 public:
  Result<numerics::Moments> compare(const DevicePair& pair,
                                    const numerics::CompareOptions& options) override {
    const CurrentDevice current(pair.device);
    ULP_TRY(check(current.status(), "choosing the device"));
    const std::uint64_t chunks = (pair.count + kChunk - 1) / kChunk;
    std::vector<PairAccumulator> partials(chunks);
    numerics::Moments moments;
    moments.differenceHistogram.assign(numerics::kHistogramBins, 0);
    if (chunks > 0) {
      ULP_TRY(runChunks(pair, partials, moments.differenceHistogram));
    }
    PairAccumulator total;
    for (const PairAccumulator& partial : partials) {
      total.combine(partial);
    }
    auto histogram = std::move(moments.differenceHistogram);
    moments = toMoments(total, pair.count);
    moments.differenceHistogram = std::move(histogram);
    ULP_TRY(findWorst(pair, partials, options.worstCount, moments.worst));
    return moments;
  }

 private:
  static cudaStream_t streamOf(const DevicePair& pair) {
    return static_cast<cudaStream_t>(pair.stream);
  }

  Result<> runChunks(const DevicePair& pair,
                     std::vector<PairAccumulator>& partials,
                     std::vector<std::uint64_t>& histogram) {
    const std::size_t partialBytes = partials.size() * sizeof(PairAccumulator);
    const std::size_t histogramBytes = histogram.size() * sizeof(std::uint64_t);
    ULP_TRY(m_partials.reserve(partialBytes));
    ULP_TRY(m_histogram.reserve(histogramBytes));
    const cudaStream_t stream = streamOf(pair);
    cudaMemsetAsync(m_histogram.as<void>(), 0, histogramBytes, stream);
    ULP_TRY(withTypes(pair, [&](auto* reference, auto* candidate) -> Result<> {
      compareChunks<<<static_cast<unsigned int>(partials.size()), kThreads, 0, stream>>>(
          reference,
          candidate,
          pair.count,
          ulpGridOf(numerics::ulpFormat(pair.referenceDType, pair.candidateDType)),
          m_partials.as<PairAccumulator>(),
          m_histogram.as<unsigned long long>());
      return check(cudaGetLastError(), "starting the comparison");
    }));
    cudaMemcpyAsync(
        partials.data(), m_partials.as<void>(), partialBytes, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(
        histogram.data(), m_histogram.as<void>(), histogramBytes, cudaMemcpyDeviceToHost, stream);
    return check(cudaStreamSynchronize(stream), "comparing");
  }

  /// The K worst pairs lie in the K chunks whose own worst pair is worst.
  Result<> findWorst(const DevicePair& pair,
                     const std::vector<PairAccumulator>& partials,
                     std::size_t wanted,
                     std::vector<numerics::WorstElement>& worst) {
    std::vector<std::uint64_t> chunks;
    for (std::uint64_t chunk = 0; chunk < partials.size(); ++chunk) {
      if (partials[chunk].maxAbsolute > 0) {
        chunks.push_back(chunk);
      }
    }
    const std::size_t kept = std::min(wanted, chunks.size());
    if (kept == 0) {
      return {};
    }
    std::partial_sort(chunks.begin(),
                      chunks.begin() + static_cast<std::ptrdiff_t>(kept),
                      chunks.end(),
                      [&](std::uint64_t a, std::uint64_t b) {
                        const bool larger = partials[a].maxAbsolute > partials[b].maxAbsolute;
                        return larger ||
                               (partials[a].maxAbsolute == partials[b].maxAbsolute && a < b);
                      });
    chunks.resize(kept);
    std::vector<numerics::WorstElement> found(kept * wanted, {pair.count, 0, 0});
    ULP_TRY(scanChunks(pair, chunks, static_cast<int>(wanted), found));
    std::erase_if(found, [&](const auto& element) { return element.flat == pair.count; });
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      const double da = magnitudeOf(a.candidate - a.reference);
      const double db = magnitudeOf(b.candidate - b.reference);
      return da > db || (da == db && a.flat < b.flat);
    });
    found.resize(std::min(found.size(), wanted));
    worst = std::move(found);
    return {};
  }

  Result<> scanChunks(const DevicePair& pair,
                      const std::vector<std::uint64_t>& chunks,
                      int wanted,
                      std::vector<numerics::WorstElement>& found) {
    const std::size_t chunkBytes = chunks.size() * sizeof(std::uint64_t);
    const std::size_t foundBytes = found.size() * sizeof(numerics::WorstElement);
    ULP_TRY(m_partials.reserve(chunkBytes));
    ULP_TRY(m_histogram.reserve(foundBytes));
    const cudaStream_t stream = streamOf(pair);
    cudaMemcpyAsync(
        m_partials.as<void>(), chunks.data(), chunkBytes, cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(
        m_histogram.as<void>(), found.data(), foundBytes, cudaMemcpyHostToDevice, stream);
    ULP_TRY(withTypes(pair, [&](auto* reference, auto* candidate) -> Result<> {
      worstOfChunks<<<static_cast<unsigned int>(chunks.size()), kThreads, 0, stream>>>(
          reference,
          candidate,
          pair.count,
          m_partials.as<std::uint64_t>(),
          wanted,
          m_histogram.as<numerics::WorstElement>());
      return check(cudaGetLastError(), "starting the search for the worst elements");
    }));
    cudaMemcpyAsync(
        found.data(), m_histogram.as<void>(), foundBytes, cudaMemcpyDeviceToHost, stream);
    return check(cudaStreamSynchronize(stream), "searching for the worst elements");
  }

  Scratch m_partials;
  Scratch m_histogram;
};

}  // namespace
}  // namespace ulp::engine::cuda

void ulpscopeCreateDeviceComparer(std::unique_ptr<ulp::engine::DeviceComparer>* comparer) {
  *comparer = std::make_unique<ulp::engine::cuda::Comparer>();
}
