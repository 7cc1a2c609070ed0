#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/engine/capture.h"
#include "core/numerics/comparison/comparison.h"
#include "core/numerics/comparison/top_agreement.h"

namespace ulp::engine {

/// A comparison that was started. It keeps both captures, and does not outlive its comparer.
class StartedComparison : public Interface {
 public:
  /// Waits for the result and adds it as CaptureComparer::accumulate() does, with its errors.
  /// Called once.
  [[nodiscard]] virtual Result<> addTo(numerics::Moments& total) = 0;
};

/// Compares captures where they lie: on the CPU, or on the device of one of them, to which the
/// other is brought. The result is the same, bit for bit. Used by one thread at a time.
class CaptureComparer : public Interface {
 public:
  /// As numerics::Comparer::accumulate(). Errors: InvalidArgument when the shapes differ; Device,
  /// OutOfMemory. `total` is unchanged then.
  [[nodiscard]] virtual Result<> accumulate(numerics::Moments& total,
                                            const Capture& reference,
                                            const Capture& candidate) = 0;
  /// Begins an accumulate(). A device then works on while others are started; what the host
  /// compares is compared in addTo(). Errors: those of accumulate().
  [[nodiscard]] virtual Result<std::unique_ptr<StartedComparison>> start(const Capture& reference,
                                                                         const Capture& candidate);
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

inline Result<std::unique_ptr<StartedComparison>> CaptureComparer::start(const Capture& reference,
                                                                         const Capture& candidate) {
  class Later final : public StartedComparison {
   public:
    Later(CaptureComparer& comparer, Capture reference, Capture candidate)
        : m_comparer(comparer),
          m_reference(std::move(reference)),
          m_candidate(std::move(candidate)) {}
    Result<> addTo(numerics::Moments& total) override {
      return m_comparer.accumulate(total, m_reference, m_candidate);
    }

   private:
    CaptureComparer& m_comparer;
    Capture m_reference;
    Capture m_candidate;
  };
  return std::make_unique<Later>(*this, reference, candidate);
}

}  // namespace ulp::engine
