#pragma once

#include <memory>

#include <ATen/ATen.h>

#include "core/engine/capture_comparer.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::engine {

/// Makes what compares the captures of runs on `device`. Where the CUDA plug-in cannot be loaded,
/// or does not read an element type, captures of a CUDA device are brought to the host.
[[nodiscard]] std::unique_ptr<CaptureComparer> makeCaptureComparer(
    at::Device device, const numerics::CompareOptions& options);

}  // namespace ulp::engine
