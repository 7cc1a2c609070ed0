#include "runner/queue/resource_use.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>

#include "core/base/list_of.h"
#include "core/base/text/split.h"
#include "runner/queue/cuda_numbering.h"

namespace ulp::queue {
namespace {

// The part of NVML's binary interface that is used here (nvml.h of the driver, stable since R510).
using NvmlDevice = void*;
constexpr int kNvmlSuccess = 0;
struct NvmlMemory {
  unsigned long long total = 0;
  unsigned long long free = 0;
  unsigned long long used = 0;
};
struct NvmlUtilization {
  unsigned int gpu = 0;  ///< percent
  unsigned int memory = 0;
};
struct NvmlProcess {
  unsigned int pid = 0;
  unsigned long long usedGpuMemory = 0;
  unsigned int gpuInstanceId = 0;
  unsigned int computeInstanceId = 0;
};
constexpr unsigned long long kNotAvailable = ~0ULL;
constexpr unsigned int kMostProcesses = 128;
constexpr double kPercent = 100;

template <class Function>
bool find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(library, name));
  return function != nullptr;
}

GpuUse sumOf(const GpuUse& a, const GpuUse& b) {
  GpuUse sum{.usedBytes = a.usedBytes + b.usedBytes,
             .totalBytes = a.totalBytes + b.totalBytes,
             .utilization = std::max(a.utilization, b.utilization)};
  if (a.processBytes || b.processBytes) {
    sum.processBytes = a.processBytes.value_or(0) + b.processBytes.value_or(0);
  }
  return sum;
}

}  // namespace

class GpuMonitor::Library {
 public:
  static std::unique_ptr<Library> open() {
    auto library = std::make_unique<Library>();
    return library->m_isReady ? std::move(library) : nullptr;
  }

  Library() : m_handle(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (m_handle == nullptr) {
      return;
    }
    int (*init)() = nullptr;
    m_isReady = find(m_handle, "nvmlInit_v2", init) && find(m_handle, "nvmlShutdown", m_shutdown) &&
                find(m_handle, "nvmlDeviceGetCount_v2", m_count) &&
                find(m_handle, "nvmlDeviceGetHandleByIndex_v2", m_byIndex) &&
                find(m_handle, "nvmlDeviceGetHandleByUUID", m_byUuid) &&
                find(m_handle, "nvmlDeviceGetName", m_name) &&
                find(m_handle, "nvmlDeviceGetUUID", m_uuid) &&
                find(m_handle, "nvmlDeviceGetMemoryInfo", m_memory) &&
                find(m_handle, "nvmlDeviceGetUtilizationRates", m_utilization) &&
                find(m_handle, "nvmlDeviceGetComputeRunningProcesses_v3", m_processes) &&
                init() == kNvmlSuccess;
  }
  ~Library() {
    if (m_isReady) {
      m_shutdown();
    }
    if (m_handle != nullptr) {
      ::dlclose(m_handle);
    }
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  struct Card {
    NvmlDevice handle = nullptr;  ///< null: it does not answer
    GpuCard facts;
  };

  /// In the order of the PCI bus. Names and UUIDs are asked for when their number changes, and as
  /// long as one does not answer.
  const std::vector<Card>& cards() {
    unsigned int count = 0;
    m_count(&count);
    if (count != m_cards.size() || std::ranges::count(m_cards, nullptr, &Card::handle) > 0) {
      m_cards.assign(count, Card());
      for (unsigned int i = 0; i < count; ++i) {
        NvmlDevice handle = nullptr;
        if (m_byIndex(i, &handle) == kNvmlSuccess) {
          m_cards[i] = {handle, {textOf(m_name, handle), textOf(m_uuid, handle)}};
        }
      }
    }
    return m_cards;
  }

  /// cuda:0, cuda:1, …, with null for one of which nobody knows which it is.
  std::vector<NvmlDevice> devices(const std::vector<Card>& cards) {
    std::vector<NvmlDevice> handles;
    for (const CudaDevice& device :
         cudaDevices(listOf(cards, &Card::facts), CudaNumbering::ofEnvironment())) {
      handles.push_back(device.card ? cards[*device.card].handle : deviceOf(device.migUuid));
    }
    return handles;
  }

  /// Null: there is none.
  NvmlDevice deviceOf(const std::string& uuid) {
    NvmlDevice handle = nullptr;
    return !uuid.empty() && m_byUuid(uuid.c_str(), &handle) == kNvmlSuccess ? handle : nullptr;
  }

  /// Of the card on which the process computes; nothing: on none.
  std::optional<GpuUse> useOf(std::int64_t pid, const std::vector<Card>& cards) {
    for (const Card& card : cards) {
      if (const auto process = processOn(card.handle, pid)) {
        return useOf(card.handle, *process);
      }
    }
    return std::nullopt;
  }

  /// Of this device alone.
  std::optional<GpuUse> useOn(NvmlDevice device, std::int64_t pid) {
    return useOf(device, processOn(device, pid).value_or(NvmlProcess()));
  }

  /// Empty: nobody tells.
  std::string nameOf(NvmlDevice device) { return textOf(m_name, device); }

 private:
  using TextOf = int (*)(NvmlDevice, char*, unsigned int);

  static std::string textOf(TextOf get, NvmlDevice device) {
    std::array<char, 96> text{};
    const bool isKnown =
        device != nullptr &&
        get(device, text.data(), static_cast<unsigned int>(text.size()) - 1) == kNvmlSuccess;
    return isKnown ? text.data() : std::string();
  }

  std::optional<NvmlProcess> processOn(NvmlDevice device, std::int64_t pid) {
    if (device == nullptr) {
      return std::nullopt;
    }
    std::array<NvmlProcess, kMostProcesses> processes{};
    unsigned int count = kMostProcesses;
    if (m_processes(device, &count, processes.data()) != kNvmlSuccess) {
      return std::nullopt;
    }
    for (unsigned int i = 0; i < count && i < kMostProcesses; ++i) {
      if (static_cast<std::int64_t>(processes.at(i).pid) == pid) {
        return processes.at(i);
      }
    }
    return std::nullopt;
  }

  std::optional<GpuUse> useOf(NvmlDevice device, const NvmlProcess& process) {
    NvmlMemory memory;
    if (m_memory(device, &memory) != kNvmlSuccess) {
      return std::nullopt;
    }
    GpuUse use;
    use.usedBytes = memory.used;
    use.totalBytes = memory.total;
    if (process.usedGpuMemory != 0 && process.usedGpuMemory != kNotAvailable) {
      use.processBytes = process.usedGpuMemory;
    }
    NvmlUtilization utilization;
    if (m_utilization(device, &utilization) == kNvmlSuccess) {
      use.utilization = utilization.gpu / kPercent;
    }
    return use;
  }

  void* m_handle;
  bool m_isReady = false;
  std::vector<Card> m_cards;
  int (*m_shutdown)() = nullptr;
  int (*m_count)(unsigned int*) = nullptr;
  int (*m_byIndex)(unsigned int, NvmlDevice*) = nullptr;
  int (*m_byUuid)(const char*, NvmlDevice*) = nullptr;
  TextOf m_name = nullptr;
  TextOf m_uuid = nullptr;
  int (*m_memory)(NvmlDevice, NvmlMemory*) = nullptr;
  int (*m_utilization)(NvmlDevice, NvmlUtilization*) = nullptr;
  int (*m_processes)(NvmlDevice, unsigned int*, NvmlProcess*) = nullptr;
};

GpuMonitor::GpuMonitor() = default;
GpuMonitor::~GpuMonitor() = default;

GpuMonitor::Library* GpuMonitor::library() {
  if (!m_isOpened) {
    m_isOpened = true;
    m_library = Library::open();
  }
  return m_library.get();
}

std::optional<GpuUse> GpuMonitor::use(std::string_view device, std::int64_t pid) {
  const std::vector<std::string_view> parts = split(device, '+');
  const auto isGpu = [](std::string_view each) { return cudaNumberOf(each) || isGpuUuid(each); };
  if (std::ranges::none_of(parts, isGpu) || library() == nullptr) {
    return std::nullopt;
  }
  const auto& cards = library()->cards();
  std::optional<GpuUse> all = parts.size() == 1 ? library()->useOf(pid, cards) : std::nullopt;
  if (all) {
    return all;
  }
  const auto devices = library()->devices(cards);
  for (const std::string_view each : parts) {
    const auto number = cudaNumberOf(each);
    NvmlDevice handle = isGpuUuid(each) ? library()->deviceOf(std::string(each))
                        : number && *number < devices.size() ? devices[*number]
                                                             : nullptr;
    if (const auto use = handle != nullptr ? library()->useOn(handle, pid) : std::nullopt) {
      all = all ? sumOf(*all, *use) : *use;
    }
  }
  return all;
}

std::vector<std::string> GpuMonitor::deviceNames(const std::vector<std::string>& uuids) {
  if (library() == nullptr) {
    return {};
  }
  const auto devices =
      uuids.empty()
          ? library()->devices(library()->cards())
          : listOf(uuids, [this](const std::string& uuid) { return library()->deviceOf(uuid); });
  return listOf(devices, [this](NvmlDevice device) { return library()->nameOf(device); });
}

}  // namespace ulp::queue
