#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/comparing/measure/finiteness.h"
#include "core/comparing/origin/overflow_origin.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// Why `row` is not finite, as far as the operation and what is recorded of its inputs tell, as the
/// rest of a sentence that begins with the name of its entry. `finiteness` is parallel to
/// `unit.rows`.
[[nodiscard]] std::string overflowReason(const dumps::DumpUnit& unit,
                                         const std::vector<Finiteness>& finiteness,
                                         const OverflowOrigin& origin,
                                         std::size_t row);

}  // namespace ulp::analysis
