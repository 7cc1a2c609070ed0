#pragma once

#include <vector>

#include "core/study/reading/study.h"
#include "core/study/schema/value_check.h"

namespace ulp::study {

/// Fills the typed members of a study from its settings, and looks at keys together: adds a warning
/// for each that has no effect beside the others, and returns what contradicts. The members are of
/// use where nothing does.
[[nodiscard]] std::vector<ValueProblem> fillStudy(Study& study);

}  // namespace ulp::study
