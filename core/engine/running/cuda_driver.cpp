#include "core/engine/running/cuda_driver.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

namespace ulp::engine {
namespace {

// CUdevice_attribute of cuda.h.
constexpr int kMultiprocessorCount = 16;
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

constexpr const char* kDriverLibrary = "libcuda.so.1";
constexpr const char* kVisibleDevices = "CUDA_VISIBLE_DEVICES";
/// CUresult of cuda.h: CUDA_ERROR_NO_DEVICE.
constexpr int kNoDevice = 100;

/// What helps where cuInit() ends with a CUresult of cuda.h.
struct DriverRemedy {
  int code;
  const char* text;
};
constexpr std::array kDriverRemedies{
    DriverRemedy{34, "this is the stub of a CUDA toolkit; take its folder out of LD_LIBRARY_PATH"},
    DriverRemedy{802, "start nvidia-fabricmanager, which devices with NVSwitch wait for"},
    DriverRemedy{803,
                 "libcuda.so.1 and the driver of the kernel have different versions, as after an "
                 "update; restart the machine, or install the driver again"},
    DriverRemedy{804,
                 "the libcuda.so.1 of a CUDA compatibility package does not run on this device; "
                 "take its folder out of LD_LIBRARY_PATH, or update the driver"}};
constexpr const char* kUsualRemedy =
    "see whether nvidia-smi lists the device; restart the machine, or install the driver again";

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

std::string remedyOf(int code) {
  if (code == kNoDevice) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it
    const char* visible = std::getenv(kVisibleDevices);
    return visible == nullptr
               ? "see whether nvidia-smi lists one; a container is started with its GPUs (--gpus "
                 "all)"
               : std::string(kVisibleDevices) + "='" + visible +
                     "' hides all devices; unset it, or name those of nvidia-smi -L";
  }
  const auto* const known = std::ranges::find(kDriverRemedies, code, &DriverRemedy::code);
  return known == kDriverRemedies.end() ? kUsualRemedy : known->text;
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

Result<CudaDriver> CudaDriver::open() {
  CudaDriver driver;
  driver.m_library = opened(kDriverLibrary);
  if (driver.m_library == nullptr) {
    const char* reason = dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread
    return fail(ErrorCode::NotFound,
                std::string("no CUDA driver (") + (reason == nullptr ? kDriverLibrary : reason) +
                    "); where there is a GPU, install its driver, or start the container with it "
                    "(--gpus all)");
  }
  const auto initialize = driver.function<int(unsigned)>("cuInit");
  if (initialize == nullptr) {
    return fail(ErrorCode::Device,
                std::string(kDriverLibrary) + ": not a CUDA driver; install the driver again");
  }
  if (const int code = initialize(0); code != 0) {
    return fail(ErrorCode::Device, driver.reasonOf(code));
  }
  if (driver.count() == 0) {
    return fail(ErrorCode::Device, driver.reasonOf(kNoDevice));
  }
  return driver;
}

std::string CudaDriver::reasonOf(int code) const {
  const auto get = function<int(int, const char**)>("cuGetErrorString");
  const char* text = nullptr;
  const bool isKnown = get != nullptr && get(code, &text) == 0 && text != nullptr;
  return std::string(code == kNoDevice ? "the CUDA driver has no device"
                                       : "the CUDA driver does not answer") +
         " (error " + std::to_string(code) + (isKnown ? std::string(": ") + text : "") + "); " +
         remedyOf(code);
}

int CudaDriver::count() const {
  const auto get = function<int(int*)>("cuDeviceGetCount");
  int devices = 0;
  return get != nullptr && get(&devices) == 0 ? devices : 0;
}

int CudaDriver::version() const {
  const auto get = function<int(int*)>("cuDriverGetVersion");
  int version = 0;
  return get != nullptr && get(&version) == 0 ? version : 0;
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

std::string CudaDriver::uuid(int index) const {
  using Bytes = std::array<unsigned char, 16>;
  const auto told = [&](const char* symbol) {
    const auto get = function<int(Bytes*, int)>(symbol);
    Bytes bytes{};
    return get != nullptr && get(&bytes, index) == 0 ? std::optional(bytes) : std::nullopt;
  };
  const auto own = told("cuDeviceGetUuid_v2");
  if (!own) {
    return {};
  }
  // The older function tells of a part the card that it is of.
  const auto card = told("cuDeviceGetUuid");
  std::string text = card && *card != *own ? "MIG" : "GPU";
  for (std::size_t i = 0; i < own->size(); ++i) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const bool beginsGroup = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    text += beginsGroup ? "-" : "";
    text += {kDigits[own->at(i) >> 4U], kDigits[own->at(i) & 0xFU]};
  }
  return text;
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
  if (const int newest = version(); newest > 0) {
    facts["cuda_of_driver"] = cudaVersionText(newest);
  }
  if (const std::string release = driverRelease(); !release.empty()) {
    facts["driver"] = release;
  }
  return facts;
}

std::string cudaVersionText(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
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
