#pragma once

#include <ATen/ATen.h>

/// Copies between host and device through two small pieces of pinned memory, one of which is filled
/// while the other is emptied: pageable memory copies at the bus's speed, and no tensor takes
/// pinned memory of its size. Everything runs on the device's current stream. Both throw what
/// LibTorch throws.
namespace ulp::engine {

/// Returns when the elements have arrived. `tensor` is contiguous and on a device.
[[nodiscard]] at::Tensor copyToHost(const at::Tensor& tensor);

/// Returns when the elements have left; work that the stream is given later finds them there.
/// `tensor` is contiguous and on the host.
[[nodiscard]] at::Tensor copyToDevice(const at::Tensor& tensor, at::Device device);

/// Gives a contiguous tensor on `device`: itself where it lies there.
[[nodiscard]] at::Tensor broughtTo(const at::Tensor& tensor, at::Device device);

}  // namespace ulp::engine
