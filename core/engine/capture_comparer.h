#pragma once

#include <cstdint>
#include <string>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/engine/capture.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/comparison/top_agreement.h"

namespace ulp::engine {

/// Compares captures where they lie: on the CPU, or on the device of one of them, to which the
/// other is brought. The result is the same, bit for bit. Used by one thread at a time.
class CaptureComparer : public Interface {
 public:
  /// As numerics::Comparer::accumulate(). Errors: InvalidArgument when the shapes differ; Device,
  /// OutOfMemory. `total` is unchanged then.
  [[nodiscard]] virtual Result<> accumulate(numerics::Moments& total,
                                            const Capture& reference,
                                            const Capture& candidate) = 0;
  /// As numerics::topAgreement(). Errors: its own; Device, OutOfMemory.
  [[nodiscard]] virtual Result<numerics::TopAgreement> topAgreement(const Capture& reference,
                                                                    const Capture& candidate) = 0;
  /// Says why captures of a CUDA device are copied to the CPU to be compared: our kernels cannot be
  /// loaded, with the remedy, or gave other numbers there than the CPU. Empty: nothing is copied.
  [[nodiscard]] virtual std::string problem() const = 0;
  /// How many bytes of captures the device can keep beside a run that needs as much as the one that
  /// goes on, or went on last, has needed so far. 0 where comparisons are made on the CPU. Errors:
  /// Device.
  [[nodiscard]] virtual Result<std::uint64_t> roomOnDevice() const = 0;
};

}  // namespace ulp::engine
