#pragma once

#include <optional>
#include <string>

#include "core/numerics/rounding/number_format.h"

/// Part of engine.h.
namespace ulp::engine {

/// Levers of the Python engine alone (python_engine.h).
struct PythonPlan {
  std::optional<numerics::NumberFormat> autocast{};  ///< torch.autocast of forward pass and loss
  std::string prepare{};  ///< "FILE.py:FUNCTION", called with the module before the run
};

}  // namespace ulp::engine
