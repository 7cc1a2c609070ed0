#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/comparing/verdict/dump_comparison.h"

namespace ulp::analysis {

/// A culprit at a communication whose own inputs agree came from another rank: it becomes
/// CulpritKind::Received, and its `remote` the rank (of the same step and token) whose input of the
/// same communication differs, with the call where that rank's error starts; through several
/// communications, where need be. Where every rank's inputs agree, the communication itself made
/// the error, and the culprit says so. Those of a token (TokenOrigin) are followed likewise: to
/// ranks of which the same position is known at that position, to others as they are.
void followRanks(std::vector<UnitOutcome>& units);

/// Of the units with a culprit the earliest step and token; among their ranks the one whose culprit
/// did not come from another rank, and then the one that stands first in the order of execution.
/// Nothing: there is no culprit.
[[nodiscard]] std::optional<std::size_t> earliestCulprit(const std::vector<UnitOutcome>& units);

}  // namespace ulp::analysis
