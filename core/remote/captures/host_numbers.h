#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/remote/protocol/numbers.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::remote {

/// The host's answer, where all tensors lie on one host, not all of their elements are here, and
/// the host knows the question. Nothing: they are to be read here, and all of their elements are
/// here now. Errors: of the way to the host and of its answer, which checkIntact() of the tensors
/// tells as well; Cancelled (`stop`, currentStop()).
[[nodiscard]] Result<std::optional<Numbers>> numbersThere(
    std::span<const tensors::Tensor* const> tensors,
    const json::Object& question,
    const std::stop_token& stop = {});

}  // namespace ulp::remote
