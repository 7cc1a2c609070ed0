#pragma once

#include <cstddef>
#include <vector>

#include "core/report/model/report.h"

namespace ulp::analysis {

/// Indices in Run::comparisons of the rows of a pass, in order of execution. Gradients of
/// parameters stand in reports in the order of the model's parameters; they are made in the reverse
/// of the order in which their modules, or the layers that hold these, made their last forward row;
/// those of one module at once.
[[nodiscard]] std::vector<std::size_t> executionOrder(const report::Run& run, Pass pass);

}  // namespace ulp::analysis
