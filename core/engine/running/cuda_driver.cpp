#include "core/engine/running/cuda_driver.h"

#include <array>
#include <cstddef>
#include <dlfcn.h>

namespace ulp::engine {
namespace {

// CUdevice_attribute of cuda.h.
constexpr int kMultiprocessorCount = 16;
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

std::shared_ptr<void> opened(const char* library) {
  return {dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE), [](void* handle) {
            if (handle != nullptr) {
              dlclose(handle);
            }
          }};
}

template <class Signature>
Signature* functionOf(const std::shared_ptr<void>& library, const char* symbol) {
  return library == nullptr ? nullptr : reinterpret_cast<Signature*>(dlsym(library.get(), symbol));
}

/// "580.82.07", which NVML alone knows; empty: it does not answer.
std::string driverRelease() {
  const std::shared_ptr<void> nvml = opened("libnvidia-ml.so.1");
  const auto initialize = functionOf<int()>(nvml, "nvmlInit_v2");
  const auto shutDown = functionOf<int()>(nvml, "nvmlShutdown");
  const auto release = functionOf<int(char*, unsigned)>(nvml, "nvmlSystemGetDriverVersion");
  if (initialize == nullptr || shutDown == nullptr || release == nullptr || initialize() != 0) {
    return {};
  }
  std::array<char, 96> text{};
  const bool isKnown = release(text.data(), static_cast<unsigned>(text.size()) - 1) == 0;
  shutDown();
  return isKnown ? text.data() : std::string();
}

}  // namespace

std::optional<CudaDriver> CudaDriver::open() {
  CudaDriver driver;
  driver.m_library = opened("libcuda.so.1");
  const auto initialize = driver.function<int(unsigned)>("cuInit");
  if (initialize == nullptr || initialize(0) != 0) {
    return std::nullopt;
  }
  return driver;
}

int CudaDriver::count() const {
  const auto get = function<int(int*)>("cuDeviceGetCount");
  int devices = 0;
  return get != nullptr && get(&devices) == 0 ? devices : 0;
}

std::string CudaDriver::name(int index) const {
  const auto get = function<int(char*, int, int)>("cuDeviceGetName");
  std::array<char, 256> buffer{};
  const bool found =
      get != nullptr && get(buffer.data(), static_cast<int>(buffer.size()) - 1, index) == 0;
  return found ? std::string(buffer.data()) : "CUDA device";
}

std::uint64_t CudaDriver::memory(int index) const {
  const auto get = function<int(std::size_t*, int)>("cuDeviceTotalMem_v2");
  std::size_t bytes = 0;
  return get != nullptr && get(&bytes, index) == 0 ? bytes : 0;
}

std::map<std::string, std::string> CudaDriver::facts(int index) const {
  std::map<std::string, std::string> facts;
  const auto major = attribute(kComputeCapabilityMajor, index);
  const auto minor = attribute(kComputeCapabilityMinor, index);
  if (major && minor) {
    facts["compute_capability"] = std::to_string(*major) + '.' + std::to_string(*minor);
  }
  if (const auto count = attribute(kMultiprocessorCount, index)) {
    facts["multiprocessors"] = std::to_string(*count);
  }
  const auto newest = function<int(int*)>("cuDriverGetVersion");
  if (int version = 0; newest != nullptr && newest(&version) == 0) {
    facts["cuda_of_driver"] =
        std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
  }
  if (const std::string release = driverRelease(); !release.empty()) {
    facts["driver"] = release;
  }
  return facts;
}

template <class Signature>
Signature* CudaDriver::function(const char* symbol) const {
  return functionOf<Signature>(m_library, symbol);
}

std::optional<int> CudaDriver::attribute(int which, int index) const {
  const auto get = function<int(int*, int, int)>("cuDeviceGetAttribute");
  int value = 0;
  return get != nullptr && get(&value, which, index) == 0 ? std::optional(value) : std::nullopt;
}

}  // namespace ulp::engine
