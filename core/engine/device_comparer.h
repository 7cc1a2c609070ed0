#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "core/base/dtype.h"
#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::engine {

/// Two tensors of the same shape, contiguous, in the memory of one CUDA device. Fastest where both
/// addresses are multiples of 16.
struct DevicePair {
  const void* reference = nullptr;
  DType referenceDType = DType::Float32;
  const void* candidate = nullptr;
  DType candidateDType = DType::Float32;
  std::uint64_t count = 0;
  int device = 0;
  void* stream = nullptr;  ///< cudaStream_t that both tensors are ready on
};

/// Where a comparer gets memory from: of the process's allocator, so that two do not compete for a
/// device. The last owner of a pointer frees the memory. Errors: OutOfMemory, Device.
struct ComparerMemory {
  /// On the device, aligned to 256 bytes, to be used on `stream`.
  std::function<Result<std::shared_ptr<void>>(std::size_t bytes, int device, void* stream)>
      onDevice;
  /// On the host, pinned.
  std::function<Result<std::shared_ptr<void>>(std::size_t bytes)> pinned;
};

/// A comparison under way. Both tensors must stay until it has finished or is destroyed, which
/// waits for the device.
class PendingComparison : public Interface {
 public:
  /// Waits for the result and adds it, as numerics::Comparer::accumulate() does. Called once.
  /// Errors: Device; `total` is then unchanged.
  [[nodiscard]] virtual Result<> addTo(numerics::Moments& total) = 0;
  /// addTo() nothing.
  [[nodiscard]] Result<numerics::Moments> finish() {
    numerics::Moments total;
    ULP_TRY(addTo(total));
    return total;
  }
};

/// numerics::compare() where the tensors lie: the same Moments, bit for bit (which NaN a sum is, if
/// it is one, excepted). The rest of what reports count of a pair, RelativeShares and TopAgreement,
/// is on the CPU alone.
class DeviceComparer : public Interface {
 public:
  /// Enqueues the comparison on the pair's stream and returns at once: two kernels and a copy.
  /// float64, float32, float16 and bfloat16 in any combination; anything else is Unsupported.
  /// Any number of comparisons may be under way. Of `options`, worstCount counts. Errors:
  /// InvalidArgument, Unsupported, Device, OutOfMemory.
  [[nodiscard]] virtual Result<std::unique_ptr<PendingComparison>> start(
      const DevicePair& pair, const numerics::CompareOptions& options) = 0;

  /// Compares a few numbers on the device and on the CPU. Errors: those of start(), and Device
  /// where the results differ.
  [[nodiscard]] virtual Result<> prove(int device) = 0;

  /// As numerics::Comparer has them, where the tensors lie.
  [[nodiscard]] Result<> accumulate(numerics::Moments& total,
                                    const DevicePair& pair,
                                    const numerics::CompareOptions& options) {
    const auto pending = ULP_TRY(start(pair, options));
    return pending->addTo(total);
  }
  [[nodiscard]] Result<numerics::Moments> compare(const DevicePair& pair,
                                                  const numerics::CompareOptions& options) {
    numerics::Moments total;
    ULP_TRY(accumulate(total, pair, options));
    return total;
  }
};

/// Opens the CUDA plug-in (libulpscope_cuda.so beside the engine). `memory` is asked for a few
/// kilobytes, and 56 bytes for each 16,384 pairs, of each comparison. Errors: Unsupported with the
/// reason when this build has none or it cannot be loaded; tensors are then compared on the CPU.
[[nodiscard]] Result<std::unique_ptr<DeviceComparer>> makeDeviceComparer(ComparerMemory memory);

}  // namespace ulp::engine
