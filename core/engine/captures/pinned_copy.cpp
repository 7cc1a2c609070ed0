#include "core/engine/captures/pinned_copy.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace ulp::engine {
namespace {

/// Large enough that the bus is idle for a hundredth of the time.
constexpr std::int64_t kPieceBytes = std::int64_t{8} << 20;

/// LibTorch keeps freed pinned memory, so that two pieces of it cost nothing after the first time.
class PinnedPiece {
 public:
  PinnedPiece(std::int64_t bytes, at::Device device)
      : m_memory(at::empty({bytes}, at::TensorOptions().dtype(at::kByte).pinned_memory(true))),
        m_arrived(device.type()) {}

  [[nodiscard]] at::Tensor bytes(std::int64_t count) const { return m_memory.narrow(0, 0, count); }
  [[nodiscard]] void* data() const { return m_memory.mutable_data_ptr(); }
  /// Behind what the stream has been given so far.
  void mark(const c10::Stream& stream) {
    m_arrived.record(stream);
    m_isMarked = true;
  }
  /// Waits until the stream is where it was marked.
  void wait() {
    if (std::exchange(m_isMarked, false)) {
      m_arrived.synchronize();
    }
  }

 private:
  at::Tensor m_memory;
  c10::Event m_arrived;
  bool m_isMarked = false;
};

at::Tensor bytesOf(const at::Tensor& tensor) {
  return tensor.reshape({tensor.numel()}).view(at::kByte);
}

/// Calls `body(piece, offset, size)` for all bytes, with the two pieces in turn.
template <class Body>
void withPinnedPieces(std::int64_t bytes, at::Device device, Body&& body) {
  const std::int64_t size = std::min(bytes, kPieceBytes);
  std::array<PinnedPiece, 2> pieces{PinnedPiece(size, device), PinnedPiece(size, device)};
  std::size_t turn = 0;
  for (std::int64_t offset = 0; offset < bytes; offset += size) {
    body(pieces.at(turn), offset, std::min(size, bytes - offset));
    turn = 1 - turn;
  }
}

}  // namespace

at::Tensor copyToHost(const at::Tensor& tensor) {
  at::Tensor host = at::empty(tensor.sizes(), at::TensorOptions().dtype(tensor.scalar_type()));
  const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
  if (bytes == 0) {
    return host;
  }
  const at::Tensor from = bytesOf(tensor);
  const at::Device device = tensor.device();
  const c10::Stream stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device);
  auto* const to = static_cast<std::byte*>(host.mutable_data_ptr());
  struct Underway {
    PinnedPiece* piece = nullptr;
    std::int64_t offset = 0;
    std::int64_t size = 0;
  } before;
  const auto take = [to](const Underway& one) {
    if (one.piece != nullptr) {
      one.piece->wait();
      std::memcpy(to + one.offset, one.piece->data(), static_cast<std::size_t>(one.size));
    }
  };
  withPinnedPieces(bytes, device, [&](PinnedPiece& piece, std::int64_t offset, std::int64_t size) {
    piece.bytes(size).copy_(from.narrow(0, offset, size), true);
    piece.mark(stream);
    take(std::exchange(before, {&piece, offset, size}));
    if (offset + size == bytes) {
      take(before);
    }
  });
  return host;
}

at::Tensor copyToDevice(const at::Tensor& tensor, at::Device device) {
  at::Tensor there =
      at::empty(tensor.sizes(), at::TensorOptions().dtype(tensor.scalar_type()).device(device));
  const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
  if (bytes == 0) {
    return there;
  }
  const at::Tensor to = bytesOf(there);
  const c10::Stream stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device);
  const auto* const from = static_cast<const std::byte*>(tensor.const_data_ptr());
  withPinnedPieces(bytes, device, [&](PinnedPiece& piece, std::int64_t offset, std::int64_t size) {
    piece.wait();
    std::memcpy(piece.data(), from + offset, static_cast<std::size_t>(size));
    to.narrow(0, offset, size).copy_(piece.bytes(size), true);
    piece.mark(stream);
  });
  return there;
}

at::Tensor broughtTo(const at::Tensor& tensor, at::Device device) {
  return tensor.is_cpu() && !device.is_cpu() ? copyToDevice(tensor, device) : tensor.to(device);
}

}  // namespace ulp::engine
