#pragma once

#include <memory>

#include "core/engine/capture_comparer.h"
#include "core/engine/placement/layer_devices.h"
#include "core/numerics/comparison/comparison.h"

namespace ulp::engine {

/// Makes what compares the captures of runs on `devices`, each pair where its candidate lies. Where
/// the CUDA plug-in cannot be loaded, or does not read an element type, captures of a CUDA device
/// are brought to the host.
[[nodiscard]] std::unique_ptr<CaptureComparer> makeCaptureComparer(
    const LayerDevices& devices, const numerics::CompareOptions& options);

}  // namespace ulp::engine
