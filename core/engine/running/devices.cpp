#include "core/engine/running/devices.h"

#include <array>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <optional>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "core/base/text/parse_number.h"

namespace ulp::engine {
namespace {

constexpr const char* kCudaLibrary = "libtorch_cuda.so";
constexpr const char* kDriverLibrary = "libcuda.so.1";

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  const std::string key = "model name";
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "CPU";
}

std::uint64_t systemMemory() {
  struct sysinfo info {};
  return sysinfo(&info) == 0 ? static_cast<std::uint64_t>(info.totalram) * info.mem_unit : 0;
}

/// The parts of the CUDA driver's C interface that name devices; its binary interface is stable.
class Driver {
 public:
  static std::optional<Driver> open() {
    Driver driver;
    driver.m_library = {dlopen(kDriverLibrary, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE),
                        [](void* library) {
                          if (library != nullptr) {
                            dlclose(library);
                          }
                        }};
    if (driver.m_library == nullptr) {
      return std::nullopt;
    }
    const auto initialize = driver.function<int(unsigned)>("cuInit");
    if (initialize == nullptr || initialize(0) != 0) {
      return std::nullopt;
    }
    return driver;
  }

  [[nodiscard]] int count() const {
    const auto get = function<int(int*)>("cuDeviceGetCount");
    int devices = 0;
    return get != nullptr && get(&devices) == 0 ? devices : 0;
  }

  [[nodiscard]] std::string name(int index) const {
    const auto get = function<int(char*, int, int)>("cuDeviceGetName");
    std::array<char, 256> buffer{};
    const bool found =
        get != nullptr && get(buffer.data(), static_cast<int>(buffer.size()) - 1, index) == 0;
    return found ? std::string(buffer.data()) : "CUDA device";
  }

  [[nodiscard]] std::uint64_t memory(int index) const {
    const auto get = function<int(std::size_t*, int)>("cuDeviceTotalMem_v2");
    std::size_t bytes = 0;
    return get != nullptr && get(&bytes, index) == 0 ? bytes : 0;
  }

 private:
  template <class Signature>
  [[nodiscard]] Signature* function(const char* symbol) const {
    return reinterpret_cast<Signature*>(dlsym(m_library.get(), symbol));
  }

  std::shared_ptr<void> m_library;
};

}  // namespace

Result<> Devices::loadCuda() {
  const std::lock_guard lock(m_mutex);
  if (!m_cudaTried) {
    m_cudaTried = true;
    if (m_cpuUsed) {
      m_cudaProblem =
          "CUDA was asked for after a run on the CPU; list the devices first, or start the CUDA "
          "run in a process of its own";
    } else if (!Driver::open()) {
      m_cudaProblem = "no CUDA driver (libcuda.so.1) answers on this machine";
    } else if (dlopen(kCudaLibrary, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) == nullptr) {
      const char* reason = dlerror();  // NOLINT(concurrency-mt-unsafe)
      m_cudaProblem = std::string("LibTorch's CUDA half cannot be loaded (") +
                      (reason != nullptr ? reason : "?") + "); run `make setup` with CUDA";
    } else if (at::detail::getCUDAHooks().deviceCount() == 0) {
      m_cudaProblem = "the CUDA driver is too old for this LibTorch, or no device is visible";
    }
  }
  if (!m_cudaProblem.empty()) {
    return fail(ErrorCode::Device, m_cudaProblem);
  }
  return {};
}

std::vector<DeviceInfo> Devices::list() {
  std::vector<DeviceInfo> devices{{"cpu", processorName(), systemMemory(), ""}};
  const std::optional<Driver> driver = Driver::open();
  if (!driver) {
    devices.push_back({"cuda", "", 0, "no CUDA driver (libcuda.so.1) answers on this machine"});
    return devices;
  }
  const Result<> loaded = loadCuda();
  for (int i = 0; i < driver->count(); ++i) {
    devices.push_back({"cuda:" + std::to_string(i),
                       driver->name(i),
                       driver->memory(i),
                       loaded ? "" : loaded.error().message()});
  }
  return devices;
}

Result<at::Device> Devices::resolve(std::string_view name) {
  if (name == "cpu") {
    const std::lock_guard lock(m_mutex);
    m_cpuUsed = true;
    return at::Device(at::kCPU);
  }
  constexpr std::string_view kCuda = "cuda";
  std::optional<int> index;
  if (name == kCuda) {
    index = 0;
  } else if (name.starts_with("cuda:")) {
    index = parseNatural<int>(name.substr(kCuda.size() + 1));
  }
  if (!index) {
    return fail(ErrorCode::InvalidArgument,
                "device: '" + std::string(name) + "' is none of cpu, cuda, cuda:N");
  }
  if (auto loaded = loadCuda(); !loaded) {
    return failWhile("device " + std::string(name), std::move(loaded));
  }
  const at::DeviceIndex count = at::detail::getCUDAHooks().deviceCount();
  if (*index >= count) {
    return fail(ErrorCode::Device,
                "device " + std::string(name) + ": this machine has " + std::to_string(count));
  }
  return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(*index));
}

bool Devices::isLost(const at::Device& device) {
  try {
    // The call that failed first may report what an earlier kernel did; the next one reports only
    // what stays.
    synchronize(device);
    return false;
  } catch (const c10::Error&) {
    return true;
  }
}

void Devices::releaseUnused(const at::Device& device) {
  if (device.is_cuda()) {
    at::getDeviceAllocator(device.type())->emptyCache();
    at::getHostAllocator(device.type())->empty_cache();
  }
}

void Devices::synchronize(const at::Device& device) {
  if (device.is_cuda()) {
    at::detail::getCUDAHooks().deviceSynchronize(device.index());
  }
}

void Devices::resetPeak(const at::Device& device) {
  if (device.is_cuda()) {
    at::globalContext().lazyInitDevice(at::kCUDA);
    at::getDeviceAllocator(device.type())->resetPeakStats(device.index());
  }
}

std::uint64_t Devices::peakBytes(const at::Device& device) {
  if (device.is_cuda()) {
    const auto stats = at::getDeviceAllocator(device.type())->getDeviceStats(device.index());
    return static_cast<std::uint64_t>(stats.allocated_bytes.front().peak);
  }
  struct rusage usage {};
  constexpr std::uint64_t kKibibyte = 1024;
  return getrusage(RUSAGE_SELF, &usage) == 0
             ? static_cast<std::uint64_t>(usage.ru_maxrss) * kKibibyte
             : 0;
}

}  // namespace ulp::engine
