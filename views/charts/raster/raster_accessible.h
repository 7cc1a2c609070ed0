#pragma once

namespace ulp::views::charts {

class RasterWidget;

/// Makes every RasterWidget a table to assistive technology: its cells exist once somebody asks for
/// them. Calling it again does nothing.
void installRasterAccessibility();
/// Tells assistive technology that the current cell has changed.
void announceCurrentCell(RasterWidget& widget);

}  // namespace ulp::views::charts
