#pragma once

#include <string>
#include <vector>

#include "core/study/reading/study.h"
#include "core/study/schema/value_check.h"

namespace ulp::study {

/// Keys that contradict others, and such that say nothing beside them.
struct KeyConflicts {
  std::vector<ValueProblem> problems;
  std::vector<std::string> warnings;
};

/// Checks the keys of the backward pass and of the optimizer against each other.
[[nodiscard]] KeyConflicts checkGradientKeys(const Study& study);

/// The keys `optimizer.*`, checked.
[[nodiscard]] OptimizerSettings optimizerSettings(const Settings& settings);

}  // namespace ulp::study
