#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/capture.h"

/// Between LibTorch's tensors and captures.
namespace ulp::engine {

/// The tensor as an observer sees it: where it lies, contiguous, cut off from the autograd graph.
/// Copies when it is strided.
[[nodiscard]] Capture captureOf(const at::Tensor& tensor);

/// Shares the elements of a capture, where they lie now. The result must not be written.
[[nodiscard]] at::Tensor tensorOf(const Capture& capture);

/// Gives the error that an exception of LibTorch is for whoever works on a device.
[[nodiscard]] Error deviceError(const c10::Error& error, std::string_view doing);

/// Runs `body`, which works on a device for `doing`, and turns what LibTorch throws into an error.
template <class Body>
[[nodiscard]] auto onDevice(std::string_view doing, Body&& body)
    -> Result<std::invoke_result_t<Body>> {
  try {
    return std::forward<Body>(body)();
  } catch (const c10::Error& error) {
    return tl::unexpected(deviceError(error, doing));
  }
}

}  // namespace ulp::engine
