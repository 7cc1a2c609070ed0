#include "core/engine/device_comparer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "core/engine/cuda/comparison_result.h"
#include "core/engine/cuda/pair_kernels.h"
#include "core/engine/cuda/plugin.h"
#include "core/engine/cuda/proof.h"
#include "core/engine/cuda/result_layout.h"
#include "core/engine/cuda/status.h"

namespace ulp::engine::cuda {
namespace {

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

  /// `blocksOf(kernels, chunks)` says how many blocks compare.
  template <class BlocksOf>
  Result<> start(const ComparerMemory& memory, const BlocksOf& blocksOf) {
    const PairKernels kernels = ULP_TRY(pairKernels(m_pair.referenceDType, m_pair.candidateDType));
    const unsigned int blocks = ULP_TRY(blocksOf(kernels, m_layout.chunks()));
    m_onDevice = ULP_TRY(memory.onDevice(m_layout.bytes(), m_pair.device, m_pair.stream));
    m_onHost = ULP_TRY(memory.pinned(m_layout.copiedBytes()));
    cudaEvent_t event = nullptr;
    ULP_TRY(check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event"));
    Event done(event);
    const Result<> enqueued = enqueue(kernels, blocks);
    // Also behind the part of it that was enqueued: memory must not go while it is written.
    const Result<> recorded = check(cudaEventRecord(done.get(), stream()), "recording an event");
    if (recorded) {
      m_done = std::move(done);
    } else {
      cudaStreamSynchronize(stream());
    }
    return enqueued ? recorded : enqueued;
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
  [[nodiscard]] cudaStream_t stream() const { return static_cast<cudaStream_t>(m_pair.stream); }

  Result<> enqueue(const PairKernels& kernels, unsigned int blocks) {
    void* const memory = m_onDevice.get();
    ULP_TRY(check(cudaMemsetAsync(memory, 0, m_layout.clearedBytes(), stream()),
                  "clearing the totals of a comparison"));
    ULP_TRY(
        check(kernels.startComparing(m_pair, m_layout, memory, blocks), "starting a comparison"));
    ULP_TRY(check(kernels.startSearch(m_pair, m_layout, memory),
                  "starting the search for the worst elements"));
    return check(
        cudaMemcpyAsync(
            m_onHost.get(), memory, m_layout.copiedBytes(), cudaMemcpyDeviceToHost, stream()),
        "copying the result of a comparison");
  }

  DevicePair m_pair;
  std::size_t m_worstCount;
  ResultLayout m_layout;
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
    ULP_TRY(pending->start(m_memory, [&](const PairKernels& kernels, std::uint64_t chunks) {
      return blocksOf(pair.device, kernels, chunks);
    }));
    return pending;
  }

  Result<> prove(int device) override { return proveComparer(*this, m_memory, device); }

 private:
  /// As many blocks as run at once, or fewer: each adds its histogram to the total once.
  Result<unsigned int> blocksOf(int device, const PairKernels& kernels, std::uint64_t chunks) {
    const std::lock_guard lock(m_mutex);
    const std::pair key{device, kernels.compare};
    auto known = m_residentBlocks.find(key);
    if (known == m_residentBlocks.end()) {
      known = m_residentBlocks.emplace(key, ULP_TRY(residentBlocks(device, kernels))).first;
    }
    // A block counts in 32 bits.
    constexpr std::uint64_t kMostChunks = (std::uint64_t{1} << 32) / kChunk - 1;
    const std::uint64_t least = (chunks + kMostChunks - 1) / kMostChunks;
    const auto resident = static_cast<std::uint64_t>(known->second);
    return static_cast<unsigned int>(std::max(least, std::min(chunks, resident)));
  }

  static Result<int> residentBlocks(int device, const PairKernels& kernels) {
    // Without it a multiprocessor may keep its memory as a cache, and take fewer blocks.
    ULP_TRY(check(cudaFuncSetAttribute(kernels.compare,
                                       cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared),
                  "asking for shared memory"));
    ULP_TRY(check(cudaFuncSetAttribute(kernels.compare,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(kernels.sharedBytes)),
                  "asking for the shared memory of a block"));
    int multiprocessors = 0;
    int blocks = 0;
    ULP_TRY(check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
                  "asking for the multiprocessors of a device"));
    ULP_TRY(check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                      &blocks, kernels.compare, kernels.threads, kernels.sharedBytes),
                  "asking how many blocks of the comparison a multiprocessor takes"));
    return multiprocessors * blocks;
  }

  ComparerMemory m_memory;
  std::mutex m_mutex;
  std::map<std::pair<int, const void*>, int> m_residentBlocks;
};

}  // namespace
}  // namespace ulp::engine::cuda

void ulpscopeCreateDeviceComparer(ulp::engine::ComparerMemory memory,
                                  std::unique_ptr<ulp::engine::DeviceComparer>* comparer) {
  *comparer = std::make_unique<ulp::engine::cuda::Comparer>(std::move(memory));
}
