#pragma once

#include <span>
#include <stop_token>

#include "core/base/result.h"
#include "core/json/value.h"
#include "core/remote/protocol/numbers.h"
#include "core/tensors/archive/tensor_archive.h"

namespace ulp::analysis {

/// What this machine answers when it is asked as a host (remote::NumbersAnswer): by the functions
/// that compute the same here, so that the numbers are those of a tensor that lies here, bit for
/// bit. Errors: Unsupported, nothing answers such a question; those of computing.
[[nodiscard]] Result<remote::Numbers> answerNumbers(const json::Value& question,
                                                    std::span<const tensors::Tensor> tensors,
                                                    const std::stop_token& stop);

}  // namespace ulp::analysis
