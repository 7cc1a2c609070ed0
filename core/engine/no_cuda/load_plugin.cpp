#include "core/engine/device_comparer.h"

namespace ulp::engine {

Result<std::unique_ptr<DeviceComparer>> makeDeviceComparer(ComparerMemory /*memory*/) {
  return fail(ErrorCode::Unsupported,
              "CUDA plug-in: built without a CUDA compiler; `make setup-cuda` installs one, and "
              "`make build` then adds the plug-in");
}

}  // namespace ulp::engine
