#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <torch/headeronly/version.h>

#include "core/base/list_of.h"
#include "core/base/stop_scope.h"
#include "core/engine/captures/torch_capture_comparer.h"
#include "core/engine/captures/torch_memory.h"
#include "core/engine/device_comparer.h"
#include "core/engine/engine.h"
#include "core/engine/engine_abi.h"
#include "core/engine/families/family.h"
#include "core/engine/precision/torch_team.h"
#include "core/engine/running/devices.h"
#include "core/engine/running/host_losses.h"
#include "core/engine/running/torch_model.h"
#include "core/engine/torch_folder.h"

namespace ulp::engine {
namespace {

static_assert(std::string_view(kTorchVersion) == TORCH_VERSION);

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t physicalMemory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size)
                               : 0;
}

/// The heap is grown once, in addresses only, and marked for large pages: pages that it gets later
/// cannot be marked, since the C library says nothing when it grows.
void growHeapInLargePages() {
  struct Free {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): this deleter is what owns the memory.
    void operator()(void* memory) const { std::free(memory); }
  };
  // A system that counts promised memory refuses so much; less is then as good as it gets.
  for (std::size_t pages = physicalMemory() / kHugePage; pages >= 16; pages /= 2) {
    const std::size_t size = pages * kHugePage;
    const std::unique_ptr<void, Free> block(std::aligned_alloc(kHugePage, size));
    if (block != nullptr) {
      // Refused by kernels without large pages: everything works as well with small ones.
      static_cast<void>(::madvise(block.get(), size, MADV_HUGEPAGE));
      return;
    }
  }
}

/// Makes the C library keep freed memory for the next allocation instead of giving it back to the
/// system, and take it in pages of 2 MB where the system offers them. A run frees and allocates
/// gigabytes of activations and gradients; without this, half of a study's time goes into page
/// faults, the clearing of the same pages again, and misses of the address cache. Process-wide;
/// memory in use at the peak stays the same.
void keepFreedMemory() {
  // One heap for all threads, since only the main heap can grow without bound; from the heap also
  // what would be mapped on its own; never trimmed (-1 turns trimming off).
  // NOLINTBEGIN(concurrency-mt-unsafe): glibc sets each, one word, under the lock of the main heap.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  // NOLINTEND(concurrency-mt-unsafe)
  growHeapInLargePages();
}

class TorchEngine final : public Engine {
 public:
  TorchEngine() : m_devices(std::make_shared<Devices>()), m_defaultThreads(at::get_num_threads()) {
    registerBuiltin(m_registry);
    registerBuiltin(m_losses);
    limitInterOpThreads();
    keepFreedMemory();
  }

  std::string torchVersion() const override { return TORCH_VERSION; }

  std::vector<FamilyInfo> families() const override {
    return listOf(m_registry.families(), &Family::info);
  }

  std::vector<DeviceInfo> devices() override { return m_devices->list(); }

  Result<std::uint64_t> freeBytes(const std::string& name) override {
    const auto devices = ULP_TRY(m_devices->resolve(name));
    return guarded([&] { return Devices::freeBytes({devices, {}}); });
  }

  int setThreads(int threads) override {
    at::set_num_threads(threads > 0 ? threads : m_defaultThreads);
    return at::get_num_threads();
  }

  std::string cudaKernelsProblem() const override {
    // First, since with them comes the CUDA runtime of LibTorch, which the kernels then share.
    const std::vector<DeviceInfo> devices = m_devices->list();
    const auto comparer = makeDeviceComparer(torchMemory());
    if (!comparer) {
      return comparer.error().message();
    }
    for (const DeviceInfo& info : devices) {
      if (info.id == "cpu") {
        continue;
      }
      // What cannot be used says so itself.
      const auto device = m_devices->resolve(info.id);
      if (!device) {
        continue;
      }
      if (const Result<> proved = (*comparer)->prove(device->front().index()); !proved) {
        return proved.error().message();
      }
    }
    return "";
  }

  numerics::Team& team() override { return m_team; }

  Result<std::unique_ptr<CaptureComparer>> captureComparer(
      const std::string& device, const numerics::CompareOptions& options) override {
    const auto devices = ULP_TRY(m_devices->resolve(device));
    return makeCaptureComparer({devices, {}}, options);
  }

  Result<std::unique_ptr<StepLosses>> stepLosses(const RunRequest& request,
                                                 std::int64_t vocabularySize) override {
    return makeHostLosses(m_losses, request, vocabularySize);
  }

  Result<TokenBatch> randomTokens(std::int64_t vocabulary,
                                  std::int64_t batch,
                                  std::int64_t length,
                                  std::uint64_t seed) override {
    if (vocabulary < 1 || batch < 1 || length < 1) {
      return fail(ErrorCode::InvalidArgument,
                  "input: vocabulary, batch and length must be at least 1");
    }
    return guarded([&] {
      const at::Tensor ids = at::randint(0,
                                         vocabulary,
                                         {batch, length + 1},
                                         at::detail::createCPUGenerator(seed),
                                         at::TensorOptions().dtype(at::kLong));
      const auto* data = ids.const_data_ptr<std::int64_t>();
      return TokenBatch{{data, data + ids.numel()}, batch, length};
    });
  }

  Result<std::vector<float>> randomNormals(std::int64_t count, std::uint64_t seed) override {
    if (count < 0) {
      return fail(ErrorCode::InvalidArgument, "loss: a negative number of values to draw");
    }
    return guarded([&] {
      const at::Tensor values = at::randn(
          {count}, at::detail::createCPUGenerator(seed), at::TensorOptions().dtype(at::kFloat));
      const auto* data = values.const_data_ptr<float>();
      return std::vector<float>(data, data + count);
    });
  }

  Result<std::unique_ptr<Model>> openModel(const ModelRequest& request,
                                           const std::stop_token& stop) override {
    const StopScope scope(stop);
    auto opened = guarded([&] {
      return std::make_unique<Result<std::unique_ptr<Model>>>(
          TorchModel::open(m_registry, m_devices, request, stop));
    });
    if (!opened) {
      return failWhile("opening " + request.path.string(), std::move(opened));
    }
    return std::move(**opened);
  }

 private:
  /// LibTorch accepts this once in a process.
  static void limitInterOpThreads() {
    static const bool kDone = [] {
      at::set_num_interop_threads(1);
      return true;
    }();
    static_cast<void>(kDone);
  }

  FamilyRegistry m_registry;
  LossRegistry m_losses;
  TorchTeam m_team;
  std::shared_ptr<Devices> m_devices;
  int m_defaultThreads;
};

}  // namespace
}  // namespace ulp::engine

extern "C" __attribute__((visibility("default"))) bool ulpscopeCreateEngine(
    std::uint64_t fingerprint, std::unique_ptr<ulp::engine::Engine>* engine) {
  if (fingerprint != ulp::engine::engineFingerprint()) {
    return false;
  }
  *engine = std::make_unique<ulp::engine::TorchEngine>();
  return true;
}
