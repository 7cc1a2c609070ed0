#include "core/engine/running/devices.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <utility>

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/engine/running/cuda_driver.h"
#include "core/engine/running/cuda_libraries.h"

namespace ulp::engine {
namespace {

constexpr std::string_view kCpu = "cpu";
/// NVIDIA's libraries obey it whatever LibTorch asks of them.
constexpr const char* kTf32Variable = "NVIDIA_TF32_OVERRIDE";
/// Variables by which LibTorch and cuBLAS choose among kernels on CUDA.
constexpr std::array kKernelVariables{"CUBLAS_WORKSPACE_CONFIG",
                                      "CUBLASLT_WORKSPACE_SIZE",
                                      "TORCH_BLAS_PREFER_CUBLASLT",
                                      "TORCH_CUDNN_SDPA_DEPRIORITIZED"};

std::map<std::string, std::string> environmentFacts() {
  std::map<std::string, std::string> facts;
  for (const char* variable : kKernelVariables) {
    const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    if (value != nullptr) {
      facts.emplace(variable, value);
    }
  }
  return facts;
}

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

using Stats = c10::CachingDeviceAllocator::DeviceStats;

Stats statsOf(const at::Device& device) {
  return at::getDeviceAllocator(device.type())->getDeviceStats(device.index());
}

std::uint64_t unsignedBytes(std::int64_t bytes) {
  return static_cast<std::uint64_t>(bytes);
}

/// Over the CUDA devices.
template <class BytesOf>
std::uint64_t sumOf(const LayerDevices& devices, const BytesOf& bytesOf) {
  std::uint64_t sum = 0;
  for (const at::Device& device : devices.cuda()) {
    sum += unsignedBytes(bytesOf(statsOf(device)));
  }
  return sum;
}

/// Opens what runs on CUDA. Errors: those of CudaDriver::open() and openCudaLibraries(), and
/// Device.
Result<> useCuda() {
  const CudaDriver driver = ULP_TRY(CudaDriver::open());
  ULP_TRY(openCudaLibraries(driver.version()));
  if (at::detail::getCUDAHooks().deviceCount() == 0) {
    return fail(ErrorCode::Device,
                "LibTorch finds none of the " + std::to_string(driver.count()) +
                    " CUDA devices that the driver has; see what `python3 -c 'import torch; "
                    "torch.cuda.init()'` says");
  }
  return {};
}

}  // namespace

Result<> Devices::loadCuda() {
  if (std::getenv(kTf32Variable) != nullptr) {  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return fail(ErrorCode::Device,
                std::string("the environment variable ") + kTf32Variable +
                    " decides about TF32 in place of matmul.float32_precision; unset it");
  }
  const std::lock_guard lock(m_mutex);
  if (!m_cudaTried) {
    m_cudaTried = true;
    if (m_cpuUsed) {
      m_cudaProblem =
          "CUDA was asked for after a run on the CPU; list the devices first, or start the CUDA "
          "run in a process of its own";
    } else if (const auto used = useCuda(); !used) {
      m_cudaProblem = used.error().message();
    }
  }
  if (!m_cudaProblem.empty()) {
    return fail(ErrorCode::Device, m_cudaProblem);
  }
  return {};
}

std::vector<DeviceInfo> Devices::list() {
  std::vector<DeviceInfo> devices{{"cpu", processorName(), systemMemory()}};
  const Result<CudaDriver> driver = CudaDriver::open();
  if (!driver) {
    devices.push_back({.id = "cuda",
                       .note = driver.error().message(),
                       .hasDriver = driver.error().code() != ErrorCode::NotFound});
    return devices;
  }
  const Result<> loaded = loadCuda();
  std::map<std::string, std::string> shared = environmentFacts();
  shared.merge(loaded ? cudaLibraryVersions() : std::map<std::string, std::string>());
  for (int i = 0; i < driver->count(); ++i) {
    std::map<std::string, std::string> facts = driver->facts(i);
    facts.insert(shared.begin(), shared.end());
    devices.push_back({"cuda:" + std::to_string(i),
                       driver->name(i),
                       driver->memory(i),
                       loaded ? "" : loaded.error().message(),
                       std::move(facts),
                       true,
                       driver->uuid(i)});
  }
  return devices;
}

Result<at::Device> Devices::resolveOne(std::string_view name) {
  if (name == kCpu) {
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
                "device: '" + std::string(name) +
                    "' is none of cpu, cuda, cuda:N, nor several of them with + between them");
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

Result<std::vector<at::Device>> Devices::resolve(std::string_view names) {
  const std::vector<std::string_view> each = split(names, '+');
  std::vector<at::Device> devices(each.size(), at::kCPU);
  // LibTorch is to know of CUDA before the CPU is used.
  for (const bool isCpu : {false, true}) {
    for (std::size_t i = 0; i < each.size(); ++i) {
      if ((each[i] == kCpu) == isCpu) {
        devices[i] = ULP_TRY(resolveOne(each[i]));
      }
    }
  }
  return devices;
}

bool Devices::areLost(const LayerDevices& devices) {
  try {
    // The call that failed first may report what an earlier kernel did; the next one reports only
    // what stays.
    synchronize(devices);
    return false;
  } catch (const c10::Error&) {
    return true;
  }
}

void Devices::releaseUnused(const LayerDevices& devices) {
  if (devices.haveCuda()) {
    at::getDeviceAllocator(at::kCUDA)->emptyCache();
    at::getHostAllocator(at::kCUDA)->empty_cache();
  }
}

void Devices::synchronize(const LayerDevices& devices) {
  for (const at::Device& device : devices.cuda()) {
    at::detail::getCUDAHooks().deviceSynchronize(device.index());
  }
}

void Devices::resetPeak(const LayerDevices& devices) {
  for (const at::Device& device : devices.cuda()) {
    at::globalContext().lazyInitDevice(at::kCUDA);
    at::getDeviceAllocator(device.type())->resetPeakStats(device.index());
  }
}

std::uint64_t Devices::allocatedBytes(const LayerDevices& devices) {
  return sumOf(devices, [](const Stats& stats) { return stats.allocated_bytes.front().current; });
}

std::uint64_t Devices::reservedPeakBytes(const LayerDevices& devices) {
  return sumOf(devices, [](const Stats& stats) { return stats.reserved_bytes.front().peak; });
}

std::uint64_t Devices::freeBytes(const LayerDevices& devices) {
  return devices.asOfTheLeast([](const at::Device& device) {
    at::globalContext().lazyInitDevice(device.type());
    const Stats stats = statsOf(device);
    const std::uint64_t free =
        at::getDeviceAllocator(device.type())->getMemoryInfo(device.index()).first;
    return free + unsignedBytes(stats.reserved_bytes.front().current) -
           unsignedBytes(stats.allocated_bytes.front().current);
  });
}

std::uint64_t Devices::peakBytes(const LayerDevices& devices) {
  if (devices.haveCuda()) {
    return sumOf(devices, [](const Stats& stats) { return stats.allocated_bytes.front().peak; });
  }
  struct rusage usage {};
  constexpr std::uint64_t kKibibyte = 1024;
  return getrusage(RUSAGE_SELF, &usage) == 0
             ? static_cast<std::uint64_t>(usage.ru_maxrss) * kKibibyte
             : 0;
}

}  // namespace ulp::engine
