#pragma once

#include <map>
#include <string>

#include "core/base/result.h"

namespace ulp::engine {

/// Opens LibTorch's CUDA half with what it needs: the libraries that Python's torch opens before,
/// out of the wheels beside LibTorch and in the same order, so that neither LD_LIBRARY_PATH nor a
/// CUDA toolkit of the machine decides which are used. Libraries that no wheel holds are left to
/// the dynamic linker. They stay in the process. `driverVersion`: CudaDriver::version(). Errors:
/// Device, with the library, the reason and the remedy, or that the driver is too old for LibTorch.
[[nodiscard]] Result<> openCudaLibraries(int driverVersion);

/// The versions of cuda ("13.0", the runtime), cublas and cudnn ("9.19.0") that are open.
[[nodiscard]] std::map<std::string, std::string> cudaLibraryVersions();

}  // namespace ulp::engine
