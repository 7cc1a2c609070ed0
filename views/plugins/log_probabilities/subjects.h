#pragma once

namespace ulp::views {

/// Ids of what this view draws without a window, for the help of the command line, which knows no
/// Qt: the build reads this header.
inline constexpr const char* kLogProbabilitiesSubjects[]{
    "log-probabilities", "log-probability-differences", "log-probability-tokens", "losses"};

}  // namespace ulp::views
