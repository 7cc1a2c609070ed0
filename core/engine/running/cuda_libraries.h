#pragma once

#include "core/base/result.h"

namespace ulp::engine {

/// Opens LibTorch's CUDA half with what it needs: the libraries that Python's torch opens before,
/// out of the wheels beside LibTorch and in the same order, so that neither LD_LIBRARY_PATH nor a
/// CUDA toolkit of the machine decides which are used. Libraries that no wheel holds are left to
/// the dynamic linker. They stay in the process. Errors: Device, with the library, the reason and
/// the remedy.
[[nodiscard]] Result<> openCudaLibraries();

}  // namespace ulp::engine
