#pragma once

namespace ulp::views {

/// Ids of what this view draws without a window, for the help of the command line, which knows no
/// Qt: the build reads this header.
inline constexpr const char* kHeatmapSubjects[]{"heatmap",
                                                "heatmap-modules",
                                                "heatmap-samples",
                                                "heatmap-steps",
                                                "heatmap-ranks",
                                                "heatmap-positions"};

}  // namespace ulp::views
