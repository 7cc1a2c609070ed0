#pragma once

#include <optional>
#include <string>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/report/model/finding.h"

namespace ulp::analysis {

/// Rule "token_culprit": where the error of the first token of the unit that fails starts, in its
/// own part of the network, as a finding of the report's run `run`. Nothing: no token fails, the
/// unit holds that token alone (its culprit is the unit's), or its own culprit is not known.
[[nodiscard]] std::optional<report::Finding> findingOfToken(const UnitOutcome& unit,
                                                            const std::string& run);

}  // namespace ulp::analysis
