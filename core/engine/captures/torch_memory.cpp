#include "core/engine/captures/torch_memory.h"

#include <cstdint>
#include <memory>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/engine/captures/torch_captures.h"

namespace ulp::engine {
namespace {

Result<std::shared_ptr<void>> bytesOf(std::size_t bytes, const at::TensorOptions& options) {
  return onDevice("allocating memory for a comparison", [&] {
    auto owner = std::make_shared<at::Tensor>(
        at::empty({static_cast<std::int64_t>(bytes)}, options.dtype(at::kByte)));
    void* const memory = owner->mutable_data_ptr();
    return std::shared_ptr<void>(std::move(owner), memory);
  });
}

Result<std::shared_ptr<void>> allocate(std::size_t bytes, int device, void* stream) {
  const at::Device on(at::kCUDA, static_cast<at::DeviceIndex>(device));
  const auto isCurrent = ULP_TRY(onDevice("asking for the current stream", [&] {
    return c10::impl::VirtualGuardImpl(at::kCUDA).getStream(on).native_handle() == stream;
  }));
  if (!isCurrent) {
    return fail(ErrorCode::Device,
                "CUDA: a comparison was started on another stream than the current");
  }
  return bytesOf(bytes, at::TensorOptions().device(on));
}

}  // namespace

ComparerMemory torchMemory() {
  return {.onDevice = allocate, .pinned = [](std::size_t bytes) {
            return bytesOf(bytes, at::TensorOptions().pinned_memory(true));
          }};
}

}  // namespace ulp::engine
