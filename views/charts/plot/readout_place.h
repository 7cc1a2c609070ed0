#pragma once

class QPainter;

namespace ulp::views::charts {

/// Left edge of a box that is to stand at `left`, moved so that it can be seen as a whole, or from
/// its left edge on where the device is too narrow for it.
[[nodiscard]] double leftWithin(const QPainter& painter, double left, double width);

}  // namespace ulp::views::charts
