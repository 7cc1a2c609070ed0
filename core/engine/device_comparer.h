#pragma once

#include <cstdint>
#include <memory>

#include "core/base/dtype.h"
#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::engine {

/// Two tensors of the same shape, contiguous, in the memory of one CUDA device.
struct DevicePair {
  const void* reference = nullptr;
  DType referenceDType = DType::Float32;
  const void* candidate = nullptr;
  DType candidateDType = DType::Float32;
  std::uint64_t count = 0;
  int device = 0;
  void* stream = nullptr;  ///< cudaStream_t that both tensors are ready on
};

/// The fused comparison where the tensors lie. Counts, extremes, histogram and worst elements equal
/// those of numerics::compare(); sums are added in another fixed order, so they differ in the last
/// bits and are the same at every call. Not thread-safe: it owns scratch memory on the device.
class DeviceComparer : public Interface {
 public:
  /// float64, float32, float16 and bfloat16 in any combination; anything else is Unsupported.
  /// Returns when the result has arrived. Errors: Device, OutOfMemory.
  [[nodiscard]] virtual Result<numerics::Moments> compare(
      const DevicePair& pair, const numerics::CompareOptions& options) = 0;
};

/// Opens the CUDA plug-in (libulpscope_cuda.so beside the engine). Errors: Unsupported with the
/// reason when this build has none or it cannot be loaded; tensors are then compared on the CPU.
[[nodiscard]] Result<std::unique_ptr<DeviceComparer>> makeDeviceComparer();

}  // namespace ulp::engine
