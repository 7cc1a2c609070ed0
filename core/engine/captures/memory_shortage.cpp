#include "core/engine/captures/memory_shortage.h"

#include <string>

namespace ulp::engine {

Shortage shortageOf(const c10::Error& e) {
  constexpr int kMemoryAllocation = 2;  // cudaErrorMemoryAllocation
  const std::string message = e.what_without_backtrace();
  if (dynamic_cast<const c10::OutOfMemoryError*>(&e) != nullptr ||
      message.find("STATUS_ALLOC_FAILED") != std::string::npos) {
    return Shortage::Device;
  }
  if (message.find("can't allocate memory") != std::string::npos) {
    return Shortage::Host;
  }
  // LibTorch's allocator of the device has an exception of its own.
  const auto* refused = dynamic_cast<const c10::AcceleratorError*>(&e);
  const bool isDrivers = refused != nullptr && refused->get_error_code() == kMemoryAllocation;
  return isDrivers ? Shortage::DeviceOrPinned : Shortage::None;
}

}  // namespace ulp::engine
