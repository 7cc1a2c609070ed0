#pragma once

#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/engine/precision/numerics.h"

namespace ulp::engine {

/// An operation of a module: what it makes of its inputs in given formats. Undefined inputs stay
/// undefined.
using ModuleOperation =
    std::function<at::Tensor(const std::vector<at::Tensor>&, const PassFormats&)>;

/// The operation in the formats of a site. Where those of the passes differ, the result is that of
/// the forward formats, and its derivative that of the operation in the backward formats, computed
/// anew from the same inputs.
[[nodiscard]] at::Tensor inFormats(const SiteFormats& site,
                                   const std::vector<at::Tensor>& inputs,
                                   const ModuleOperation& operation);

}  // namespace ulp::engine
