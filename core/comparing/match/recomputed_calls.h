#pragma once

#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// Which of the unit's entries are forward calls that ran a second time, in the backward pass,
/// because activation checkpointing had not kept what they made; one for each entry, or empty
/// where there are none. Told by the recording's own mark, by the call stack (torch's
/// checkpoint, or a backward() that autograd called), by an enclosing call that is one; without
/// any of them where a module has two forward calls for each backward one and the later of them
/// stands in the backward pass.
[[nodiscard]] std::vector<bool> recomputedCalls(const dumps::DumpUnit& unit);

}  // namespace ulp::analysis
