#include "runner/queue/resource_use.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>

#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"

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

/// The value of a line "VmRSS:     1234 kB".
std::string_view visibleDevices() {
  // Nothing in the program writes the environment.
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");  // NOLINT(concurrency-mt-unsafe)
  return visible == nullptr ? "" : visible;
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

std::optional<GpuName> gpuNameOf(std::string_view device, std::string_view visible) {
  constexpr std::string_view kCuda = "cuda";
  if (!device.starts_with(kCuda)) {
    return std::nullopt;
  }
  device.remove_prefix(kCuda.size());
  const auto index = device.empty()            ? std::optional(0)
                     : device.starts_with(':') ? parseNatural<int>(device.substr(1))
                                               : std::nullopt;
  if (!index) {
    return std::nullopt;
  }
  if (visible.empty()) {
    return GpuName{.index = *index};
  }
  // A comma at the end separates nothing: "0,1," names two.
  if (visible.ends_with(',')) {
    visible.remove_suffix(1);
  }
  const auto listed = split(visible, ',');
  if (static_cast<std::size_t>(*index) >= listed.size()) {
    return std::nullopt;
  }
  const std::string_view entry = listed[static_cast<std::size_t>(*index)];
  if (const auto plain = parseNatural<int>(entry)) {
    return GpuName{.index = *plain};
  }
  return GpuName{.uuid = std::string(entry)};
}

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

  std::optional<GpuUse> use(const GpuName& name, std::int64_t pid) {
    unsigned int devices = 0;
    m_count(&devices);
    for (unsigned int i = 0; i < devices; ++i) {
      NvmlDevice device = nullptr;
      if (m_byIndex(i, &device) == kNvmlSuccess) {
        if (const auto process = processOn(device, pid)) {
          return useOf(device, *process);
        }
      }
    }
    NvmlDevice device = deviceOf(name);
    return device != nullptr ? useOf(device, {}) : std::nullopt;
  }

  /// Of this device alone.
  std::optional<GpuUse> useOn(const GpuName& name, std::int64_t pid) {
    NvmlDevice device = deviceOf(name);
    return device != nullptr ? useOf(device, processOn(device, pid).value_or(NvmlProcess()))
                             : std::nullopt;
  }

  /// Nothing: no such device.
  std::optional<std::string> nameOf(const GpuName& name) {
    NvmlDevice device = deviceOf(name);
    std::array<char, 96> text{};
    const bool isKnown =
        device != nullptr &&
        m_name(device, text.data(), static_cast<unsigned int>(text.size()) - 1) == kNvmlSuccess;
    return isKnown ? std::optional<std::string>(text.data()) : std::nullopt;
  }

 private:
  /// Null: there is none.
  NvmlDevice deviceOf(const GpuName& name) {
    NvmlDevice device = nullptr;
    const int found = name.uuid.empty() ? m_byIndex(static_cast<unsigned int>(name.index), &device)
                                        : m_byUuid(name.uuid.c_str(), &device);
    return found == kNvmlSuccess ? device : nullptr;
  }

  std::optional<NvmlProcess> processOn(NvmlDevice device, std::int64_t pid) {
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
  int (*m_shutdown)() = nullptr;
  int (*m_count)(unsigned int*) = nullptr;
  int (*m_byIndex)(unsigned int, NvmlDevice*) = nullptr;
  int (*m_byUuid)(const char*, NvmlDevice*) = nullptr;
  int (*m_name)(NvmlDevice, char*, unsigned int) = nullptr;
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
  const std::vector<std::string_view> devices = split(device, '+');
  std::optional<GpuUse> all;
  for (const std::string_view each : devices) {
    const auto name = gpuNameOf(each, visibleDevices());
    if (!name || library() == nullptr) {
      continue;
    }
    const auto use =
        devices.size() == 1 ? library()->use(*name, pid) : library()->useOn(*name, pid);
    if (use) {
      all = all ? sumOf(*all, *use) : *use;
    }
  }
  return all;
}

std::vector<std::string> GpuMonitor::deviceNames() {
  std::vector<std::string> names;
  while (library() != nullptr) {
    const auto place = gpuNameOf("cuda:" + std::to_string(names.size()), visibleDevices());
    const auto name = place ? library()->nameOf(*place) : std::nullopt;
    if (!name) {
      break;
    }
    names.push_back(*name);
  }
  return names;
}

}  // namespace ulp::queue
