#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/engine/capture.h"
#include "core/numerics/tensor_view.h"

/// Part of engine.h.
namespace ulp::engine {

struct RunOutcome;

/// The loss of one step whose logits are made elsewhere, micro-batch by micro-batch, with the
/// operations of the runs of a Model. Used by one thread at a time.
class StepLosses : public Interface {
 public:
  /// Evaluates the next micro-batch. `logits`: [batch, length, vocabulary] in host memory. Unless
  /// `gradient` is empty, it gets the gradient of the loss with respect to them, in their format
  /// and of their size. Errors: InvalidArgument (another shape), OutOfMemory.
  [[nodiscard]] virtual Result<> evaluate(const numerics::TensorView& logits,
                                          std::span<std::byte> gradient) = 0;
  /// Position of each input token of a micro-batch, [length], from 0 in each document.
  [[nodiscard]] virtual std::span<const std::int64_t> positions(std::size_t microBatch) const = 0;
  /// Gives the loss of the micro-batches evaluated so far, a scalar on the host.
  [[nodiscard]] virtual Capture value() const = 0;
  /// Fills in loss, terms, tokens and what was counted.
  virtual void describe(RunOutcome& outcome) const = 0;
};

}  // namespace ulp::engine
