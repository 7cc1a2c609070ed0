#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/numerics/rounding/operation_formats.h"
#include "core/study/reading/study.h"
#include "core/study/schema/precision_rules.h"

namespace ulp::study {

/// What the kernels of a run bring along.
[[nodiscard]] numerics::KernelDefaults kernelDefaults(const Settings& settings);

/// The formats of a run (effectiveSettings()) at a module in a pass: what it sets, and what its
/// rules make of them there. Errors: of a rule's expression.
[[nodiscard]] Result<numerics::OperationFormats> formatsAt(const Settings& settings,
                                                           std::string_view module,
                                                           RulePass pass);

}  // namespace ulp::study
