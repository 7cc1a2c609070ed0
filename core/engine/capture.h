#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/numerics/tensor_view.h"

namespace ulp::engine {

struct Capture;

/// A tensor in the memory of a device, never written. Used by one thread at a time. Errors of every
/// call: Device, OutOfMemory.
class DeviceTensor : public Interface {
 public:
  /// Copies the elements to the host.
  [[nodiscard]] virtual Result<Capture> onHost() const = 0;
  /// Moves the elements to the host, for everybody who holds this tensor: the device gets their
  /// memory back, and a comparison there brings them in again.
  [[nodiscard]] virtual Result<> leaveDevice() = 0;
  /// Makes a tensor whose `blocks` blocks of equal size are in reverse order, each as it was.
  [[nodiscard]] virtual Result<Capture> withReversedBlocks(std::size_t blocks) const = 0;
};

/// A tensor that a run made at a site, contiguous, never written again as long as somebody holds
/// `owner`; holding it costs no copy.
struct Capture {
  /// Of host memory. Of a tensor on a device it tells type and shape; its `data` is null.
  numerics::TensorView view;
  std::shared_ptr<const void> owner;
  /// Makes the same tensor again, bit for bit, from others that are held anyway, so that nobody
  /// need hold this one; to be called while a run of the same model observes. Empty: nothing does.
  std::function<Capture()> again{};
  /// Null: the tensor is made on the host.
  std::shared_ptr<DeviceTensor> device{};
  /// Whose rows these are where the first dimension is not the tokens in order but those that an
  /// expert is given: number of the expert × tokens of the micro-batch + number of the token, each
  /// at most once. Null: the rows need no name.
  std::shared_ptr<const std::vector<std::int64_t>> keys{};

  /// Gives the same tensor in host memory. Copies one that lies on a device. Errors: Device,
  /// OutOfMemory.
  [[nodiscard]] Result<Capture> onHost() const;
};

inline Result<Capture> Capture::onHost() const {
  return device == nullptr ? Result<Capture>(*this) : device->onHost();
}

}  // namespace ulp::engine
