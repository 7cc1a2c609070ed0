#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/engine/losses/loss.h"

namespace ulp::engine {

/// See Engine::stepLosses(). `registry` must outlive the result.
[[nodiscard]] Result<std::unique_ptr<StepLosses>> makeHostLosses(const LossRegistry& registry,
                                                                 const RunRequest& request,
                                                                 std::int64_t vocabularySize);

}  // namespace ulp::engine
