#include "core/engine/running/cuda_libraries.h"

#include <array>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include "core/base/files/shared_library.h"
#include "core/engine/remedy.h"
#include "core/engine/running/cuda_driver.h"

namespace ulp::engine {
namespace {

namespace fs = std::filesystem;

/// A library without what follows ".so", and the folder of its own wheel below nvidia/.
struct WheelLibrary {
  std::string_view folder;
  std::string_view name;
};

/// _preload_cuda_deps of torch/__init__.py. cuBLASLt comes before cuBLAS, which would open another
/// one; NVRTC is what cuDNN compiles attention kernels with, and finds only where it is open.
constexpr std::array kWheelLibraries{WheelLibrary{"cublas", "libcublasLt"},
                                     WheelLibrary{"cublas", "libcublas"},
                                     WheelLibrary{"cudnn", "libcudnn"},
                                     WheelLibrary{"cuda_nvrtc", "libnvrtc"},
                                     WheelLibrary{"cuda_nvrtc", "libnvrtc-builtins"},
                                     WheelLibrary{"cuda_runtime", "libcudart"},
                                     WheelLibrary{"cuda_cupti", "libcupti"},
                                     WheelLibrary{"cufft", "libcufft"},
                                     WheelLibrary{"curand", "libcurand"},
                                     WheelLibrary{"nvjitlink", "libnvJitLink"},
                                     WheelLibrary{"cusparse", "libcusparse"},
                                     WheelLibrary{"cusparselt", "libcusparseLt"},
                                     WheelLibrary{"cusolver", "libcusolver"},
                                     WheelLibrary{"nccl", "libnccl"},
                                     WheelLibrary{"nvshmem", "libnvshmem_host"},
                                     WheelLibrary{"cufile", "libcufile"}};

/// One wheel holds most libraries of CUDA 13.
constexpr const char* kSharedWheel = "cu13";
constexpr const char* kCublas = "libcublas.so.13";
/// 13.0 is 13000.
constexpr int kVersionsOfMajor = 1000;

Result<> openLibrary(const fs::path& file, LibraryScope scope = LibraryScope::Local) {
  if (const auto opened = openSharedLibrary(file, scope); !opened) {
    return fail(ErrorCode::Device,
                file.string() + " cannot be loaded (" + opened.error().message() + "); " +
                    kTorchCudaRemedy.text());
  }
  return {};
}

/// The folder of libtorch_cpu.so.
fs::path torchFolder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&at::globalContext), &info) == 0) {
    return {};
  }
  std::error_code ignored;
  return fs::weakly_canonical(info.dli_fname, ignored).parent_path();
}

/// The versioned file of the library in `folder`; empty: there is none.
fs::path fileOf(std::string_view library, const fs::path& folder) {
  const std::string start = std::string(library) + ".so.";
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    if (entry->path().filename().string().starts_with(start)) {
      return entry->path();
    }
  }
  return {};
}

Result<> openWheelLibrary(const WheelLibrary& library, const fs::path& packages) {
  const fs::path nvidia = packages / "nvidia";
  for (const fs::path& wheel : {nvidia / library.folder, nvidia / kSharedWheel}) {
    if (const fs::path file = fileOf(library.name, wheel / "lib"); !file.empty()) {
      return openLibrary(file);
    }
  }
  return {};
}

/// A driver runs every CUDA of its major version.
Result<> checkDriver(int version) {
  const int needed = static_cast<int>(at::detail::getCUDAHooks().versionCUDART());
  if (version == 0 || version / kVersionsOfMajor >= needed / kVersionsOfMajor) {
    return {};
  }
  return fail(ErrorCode::Device,
              "the driver is for CUDA " + cudaVersionText(version) + ", and this LibTorch needs " +
                  cudaVersionText(needed) + "; update the driver");
}

std::string dotted(const std::vector<long>& parts) {
  std::string text;
  for (const long part : parts) {
    text += (text.empty() ? "" : ".") + std::to_string(part);
  }
  return text;
}

/// Empty: it is not open.
std::string cublasVersion() {
  void* library = ::dlopen(kCublas, RTLD_LAZY | RTLD_NOLOAD);
  const auto get =
      library == nullptr
          ? nullptr
          : reinterpret_cast<int (*)(int, int*)>(::dlsym(library, "cublasGetProperty"));
  std::vector<long> parts;
  for (int property = 0; property < 3; ++property) {  // libraryPropertyType: major, minor, patch
    int value = 0;
    if (get == nullptr || get(property, &value) != 0) {
      return {};
    }
    parts.push_back(value);
  }
  return dotted(parts);
}

}  // namespace

Result<> openCudaLibraries(int driverVersion) {
  const fs::path torch = torchFolder();
  ULP_TRY(openLibrary(torch / "libtorch_global_deps.so", LibraryScope::Global));
  for (const WheelLibrary& library : kWheelLibraries) {
    ULP_TRY(openWheelLibrary(library, torch.parent_path().parent_path()));
  }
  ULP_TRY(openLibrary(torch / "libtorch_cuda.so"));
  ULP_TRY(checkDriver(driverVersion));
  // The only one that is linked with the driver, of which it would name a function that is missing.
  // Needs NVRTC, without which cuDNN would only say that it has no kernel.
  return openLibrary(torch / "libcaffe2_nvrtc.so");
}

std::map<std::string, std::string> cudaLibraryVersions() {
  const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
  const long cuda = hooks.versionCUDART();
  const long cudnn = hooks.versionRuntimeCuDNN();
  std::map<std::string, std::string> versions{
      {"cuda", cudaVersionText(static_cast<int>(cuda))},
      {"cudnn", dotted({cudnn / 10000, cudnn / 100 % 100, cudnn % 100})}};
  if (const std::string cublas = cublasVersion(); !cublas.empty()) {
    versions["cublas"] = cublas;
  }
  return versions;
}

}  // namespace ulp::engine
