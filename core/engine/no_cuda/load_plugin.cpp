#include <string>

#include "core/engine/device_comparer.h"
#include "core/engine/remedy.h"

namespace ulp::engine {

Result<std::unique_ptr<DeviceComparer>> makeDeviceComparer(ComparerMemory /*memory*/) {
  return fail(
      ErrorCode::Unsupported,
      std::string("CUDA plug-in: built without a CUDA compiler; ") + kNoPluginRemedy.text());
}

}  // namespace ulp::engine
