#pragma once

#include <string>
#include <vector>

namespace ulp::cli {

/// Lists what views draw without a window, by the name of the view (generated from their
/// subjects.h).
[[nodiscard]] std::vector<std::string> viewSubjects();

}  // namespace ulp::cli
