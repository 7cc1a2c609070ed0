#pragma once

#include <cstddef>
#include <vector>

#include "core/comparing/measure/unit_comparison.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// The entries of a unit as they ran: forward, backward, gradients of parameters, each in its
/// order, since some tools list gradients beside the forward call of their module. Communication
/// knows no passes: what of it stands behind the first backward call ran among those.
[[nodiscard]] std::vector<std::size_t> executionOrder(const dumps::DumpUnit& unit);

/// The same of what two units have in common: positions in matching.entries, as the baseline ran.
/// Of a call whose rows the mapping pairs with those of several calls, the first pair stands for
/// all.
[[nodiscard]] std::vector<std::size_t> pairsInOrder(const UnitComparison& units);

/// The rows of each of these pairs: positions in matching.rows. Parallel to matching.entries, and
/// empty for pairs that another one stands for.
[[nodiscard]] std::vector<std::vector<std::size_t>> rowsOfPairs(const UnitComparison& units);

}  // namespace ulp::analysis
