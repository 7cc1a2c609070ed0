#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "core/engine/cuda/comparison_kernels.cuh"
#include "core/engine/cuda/comparison_result.h"
#include "core/engine/cuda/plugin.h"
#include "core/engine/cuda/proof.h"
#include "core/engine/cuda/status.h"
#include "core/engine/cuda/worst_kernel.cuh"
#include "core/engine/device_comparer.h"

namespace ulp::engine::cuda {
// Of its own name: that of a namespace without one nvcc makes of the folder that this file lies in,
// and a library that is built in another folder would not be the same bytes.
namespace comparer {

/// Calls `body` with a null pointer of the element type.
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

/// Calls `body` with the pair, typed.
template <class Body>
Result<> withTypes(const DevicePair& pair, Body&& body) {
  return withType(pair.referenceDType, [&](auto* reference) {
    return withType(pair.candidateDType, [&](auto* candidate) {
      using Reference = std::remove_cvref_t<decltype(*reference)>;
      using Candidate = std::remove_cvref_t<decltype(*candidate)>;
      return body(PairOnDevice<Reference, Candidate>{static_cast<const Reference*>(pair.reference),
                                                     static_cast<const Candidate*>(pair.candidate),
                                                     pair.count});
    });
  });
}

/// What a comparison writes, in one piece of memory: first what is copied to the host.
class Layout {
 public:
  Layout(std::uint64_t count, std::size_t wanted) : m_chunks(chunksOf(count)), m_wanted(wanted) {}

  [[nodiscard]] std::uint64_t chunks() const { return m_chunks; }
  /// Worst elements that are looked for, at least one: it is the largest |d|.
  [[nodiscard]] std::size_t wanted() const { return m_wanted; }
  /// Chunks that are looked through for them.
  [[nodiscard]] std::size_t searched() const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(m_wanted, m_chunks));
  }
  [[nodiscard]] std::size_t found() const { return searched() * m_wanted; }

  [[nodiscard]] Totals* totals(void* memory) const { return at<Totals>(memory, 0); }
  [[nodiscard]] numerics::WorstElement* worst(void* memory) const {
    return at<numerics::WorstElement>(memory, sizeof(Totals));
  }
  [[nodiscard]] Sums* sums(void* memory) const { return at<Sums>(memory, sumsBegin()); }
  [[nodiscard]] double* largest(void* memory) const { return at<double>(memory, copiedBytes()); }
  /// Totals, which are added to, and worst elements, of which some may stay as they are.
  [[nodiscard]] std::size_t clearedBytes() const { return sumsBegin(); }
  [[nodiscard]] std::size_t copiedBytes() const { return sumsBegin() + m_chunks * sizeof(Sums); }
  [[nodiscard]] std::size_t bytes() const { return copiedBytes() + m_chunks * sizeof(double); }

 private:
  [[nodiscard]] std::size_t sumsBegin() const {
    return sizeof(Totals) + found() * sizeof(numerics::WorstElement);
  }
  template <class T>
  static T* at(void* memory, std::size_t offset) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(memory) + offset);
  }
  static_assert(sizeof(Totals) % sizeof(double) == 0);

  std::uint64_t m_chunks;
  std::size_t m_wanted;
};

struct EventDestroyer {
  void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
};
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDestroyer>;

class Pending final : public PendingComparison {
 public:
  Pending(const DevicePair& pair, std::size_t worstCount)
      : m_pair(pair),
        m_worstCount(worstCount),
        m_layout(pair.count, std::max<std::size_t>(worstCount, 1)) {}
  ~Pending() override {
    if (m_done != nullptr) {
      // An error stays with the device: whoever uses it next gets it.
      cudaEventSynchronize(m_done.get());
    }
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  template <class BlocksOf>
  Result<> start(const ComparerMemory& memory, const BlocksOf& blocksOf) {
    m_onDevice = ULP_TRY(memory.onDevice(m_layout.bytes(), m_pair.device, m_pair.stream));
    m_onHost = ULP_TRY(memory.pinned(m_layout.copiedBytes()));
    cudaEvent_t event = nullptr;
    ULP_TRY(check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event"));
    Event done(event);
    const cudaStream_t stream = static_cast<cudaStream_t>(m_pair.stream);
    const auto enqueue = [&]() -> Result<> {
      ULP_TRY(check(cudaMemsetAsync(m_onDevice.get(), 0, m_layout.clearedBytes(), stream),
                    "clearing the totals of a comparison"));
      ULP_TRY(withTypes(m_pair, [&](auto pair) { return launch(pair, stream, blocksOf); }));
      return check(cudaMemcpyAsync(m_onHost.get(),
                                   m_onDevice.get(),
                                   m_layout.copiedBytes(),
                                   cudaMemcpyDeviceToHost,
                                   stream),
                   "copying the result of a comparison");
    };
    const Result<> enqueued = enqueue();
    // Also behind the part of it that was enqueued: memory must not go while it is written.
    ULP_TRY(check(cudaEventRecord(done.get(), stream), "recording an event"));
    m_done = std::move(done);
    return enqueued;
  }

  Result<> addTo(numerics::Moments& total) override {
    ULP_TRY(check(cudaEventSynchronize(m_done.get()),
                  "comparing " + std::to_string(m_pair.count) + " pairs"));
    ComparisonResult result{.count = m_pair.count,
                            .totals = m_layout.totals(m_onHost.get()),
                            .sumsOfChunks = m_layout.sums(m_onHost.get()),
                            .worst = {}};
    const auto* worst = m_layout.worst(m_onHost.get());
    std::copy_if(worst,
                 worst + m_layout.found(),
                 std::back_inserter(result.worst),
                 [&](const auto& element) { return element.flat < m_pair.count; });
    addResult(total, std::move(result), m_worstCount);
    return {};
  }

 private:
  template <class Reference, class Candidate, class BlocksOf>
  Result<> launch(const PairOnDevice<Reference, Candidate>& pair,
                  cudaStream_t stream,
                  const BlocksOf& blocksOf) {
    void* const memory = m_onDevice.get();
    const auto kernel = compareChunks<Reference, Candidate>;
    constexpr std::size_t kShared = sizeof(BlockMemory<Reference, Candidate>);
    const unsigned int blocks = ULP_TRY(
        blocksOf(m_pair.device, reinterpret_cast<const void*>(kernel), kShared, m_layout.chunks()));
    const auto scale = numerics::detail::ulpScaleOf(
        numerics::ulpFormat(m_pair.referenceDType, m_pair.candidateDType));
    kernel<<<blocks, kThreads, kShared, stream>>>(pair,
                                                  scale,
                                                  static_cast<std::uint32_t>(m_layout.chunks()),
                                                  m_layout.sums(memory),
                                                  m_layout.largest(memory),
                                                  m_layout.totals(memory));
    ULP_TRY(check(cudaGetLastError(), "starting a comparison"));
    worstOfChunks<<<static_cast<unsigned int>(m_layout.searched()),
                    kSearchThreads,
                    sizeof(SearchMemory),
                    stream>>>(pair,
                              static_cast<std::int32_t>(m_layout.chunks()),
                              m_layout.largest(memory),
                              static_cast<int>(m_layout.wanted()),
                              m_layout.worst(memory));
    return check(cudaGetLastError(), "starting the search for the worst elements");
  }

  DevicePair m_pair;
  std::size_t m_worstCount;
  Layout m_layout;
  std::shared_ptr<void> m_onDevice;
  std::shared_ptr<void> m_onHost;
  Event m_done;  ///< destroyed first, when all above is no longer in use
};

/// The comparison of tensors without elements.
class NothingPending final : public PendingComparison {
 public:
  Result<> addTo(numerics::Moments& total) override {
    total.differenceHistogram.resize(numerics::kHistogramBins);
    return {};
  }
};

class Comparer final : public DeviceComparer {
 public:
  explicit Comparer(ComparerMemory memory) : m_memory(std::move(memory)) {}

  Result<std::unique_ptr<PendingComparison>> start(
      const DevicePair& pair, const numerics::CompareOptions& options) override {
    const CurrentDevice current(pair.device);
    ULP_TRY(check(current.status(), "choosing the device " + std::to_string(pair.device)));
    if (pair.count == 0) {
      return std::make_unique<NothingPending>();
    }
    if (pair.reference == nullptr || pair.candidate == nullptr) {
      return fail(ErrorCode::InvalidArgument, "CUDA: a tensor to compare has no data");
    }
    auto pending = std::make_unique<Pending>(pair, options.worstCount);
    ULP_TRY(pending->start(
        m_memory, [this](int device, const void* kernel, std::size_t shared, std::uint64_t chunks) {
          return blocksOf(device, kernel, shared, chunks);
        }));
    return pending;
  }

  Result<> prove(int device) override { return proveComparer(*this, m_memory, device); }

 private:
  /// As many blocks as run at once, or fewer: each adds its histogram to the total once.
  Result<unsigned int> blocksOf(int device,
                                const void* kernel,
                                std::size_t shared,
                                std::uint64_t chunks) {
    const std::lock_guard lock(m_mutex);
    auto known = m_residentBlocks.find({device, kernel});
    if (known == m_residentBlocks.end()) {
      // Without it a multiprocessor may keep its memory as a cache, and take fewer blocks.
      ULP_TRY(check(cudaFuncSetAttribute(kernel,
                                         cudaFuncAttributePreferredSharedMemoryCarveout,
                                         cudaSharedmemCarveoutMaxShared),
                    "asking for shared memory"));
      ULP_TRY(
          check(cudaFuncSetAttribute(
                    kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
                "asking for the shared memory of a block"));
      int multiprocessors = 0;
      int blocks = 0;
      ULP_TRY(
          check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
                "asking for the multiprocessors of a device"));
      ULP_TRY(
          check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, shared),
                "asking how many blocks of the comparison a multiprocessor takes"));
      known = m_residentBlocks.emplace(std::pair{device, kernel}, multiprocessors * blocks).first;
    }
    // A block counts in 32 bits.
    constexpr std::uint64_t kMostChunks = (std::uint64_t{1} << 32) / kChunk - 1;
    const std::uint64_t least = (chunks + kMostChunks - 1) / kMostChunks;
    const auto resident = static_cast<std::uint64_t>(known->second);
    return static_cast<unsigned int>(std::max(least, std::min(chunks, resident)));
  }

  ComparerMemory m_memory;
  std::mutex m_mutex;
  std::map<std::pair<int, const void*>, int> m_residentBlocks;
};

}  // namespace comparer
}  // namespace ulp::engine::cuda

void ulpscopeCreateDeviceComparer(ulp::engine::ComparerMemory memory,
                                  std::unique_ptr<ulp::engine::DeviceComparer>* comparer) {
  *comparer = std::make_unique<ulp::engine::cuda::comparer::Comparer>(std::move(memory));
}
