#pragma once

#include "views/charts/depth/depth_frame.h"

class QPainter;

namespace ulp::views::charts {

/// The table of values at a slot, worst first, beside the crosshair: with those at the pinned slot
/// and their ratio where a second cursor is pinned.
void drawReadout(QPainter& painter,
                 const DepthFrame& frame,
                 const DepthData& data,
                 const DepthOptions& options,
                 const Theme& theme,
                 int slot);

}  // namespace ulp::views::charts
