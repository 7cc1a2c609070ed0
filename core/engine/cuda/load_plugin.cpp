#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <utility>

#include "core/base/files/shared_library.h"
#include "core/engine/cuda/plugin.h"
#include "core/engine/device_comparer.h"
#include "core/engine/remedy.h"

namespace ulp::engine {
namespace {

/// Beside the library that this code was linked into, or in the lib folder next to it.
std::filesystem::path pluginPath() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&makeDeviceComparer), &info) == 0) {
    return cuda::kPluginName;
  }
  std::error_code ignored;
  const auto folder = std::filesystem::absolute(info.dli_fname, ignored).parent_path();
  const auto beside = folder / cuda::kPluginName;
  return std::filesystem::exists(beside, ignored)
             ? beside
             : folder.parent_path() / "lib" / cuda::kPluginName;
}

}  // namespace

Result<std::unique_ptr<DeviceComparer>> makeDeviceComparer(ComparerMemory memory) {
  const auto path = pluginPath();
  // It stays: its kernels are registered with the CUDA runtime for the life of the process.
  const auto library = openSharedLibrary(path);
  if (!library) {
    return fail(ErrorCode::Unsupported,
                "CUDA plug-in: cannot be loaded (" + library.error().message() + "); " +
                    kPluginRemedy.text());
  }
  const auto create = reinterpret_cast<decltype(&ulpscopeCreateDeviceComparer)>(
      ::dlsym(*library, cuda::kPluginSymbol));
  if (create == nullptr) {
    return fail(ErrorCode::Unsupported, path.string() + ": not a CUDA plug-in of Ulpscope");
  }
  std::unique_ptr<DeviceComparer> comparer;
  create(std::move(memory), &comparer);
  return comparer;
}

}  // namespace ulp::engine
