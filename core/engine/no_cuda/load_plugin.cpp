#include "core/engine/device_comparer.h"

namespace ulp::engine {

Result<std::unique_ptr<DeviceComparer>> makeDeviceComparer() {
  return fail(
      ErrorCode::Unsupported,
      "built without a CUDA compiler: tensors are compared on the CPU; `make setup-cuda` and a new "
      "build add the CUDA plug-in");
}

}  // namespace ulp::engine
