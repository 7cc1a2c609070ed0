#pragma once

namespace ulp::views {

/// Ids of what this view draws without a window, for the help of the command line, which knows no
/// Qt: the build reads this header.
inline constexpr const char* kExpertsSubjects[]{"expert-flips", "expert-tokens", "expert-layers"};

}  // namespace ulp::views
