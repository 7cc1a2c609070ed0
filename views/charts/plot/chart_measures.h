#pragma once

/// What all charts measure with, in device-independent pixels where nothing else is said.
namespace ulp::views::charts {

/// Between the parts of a chart, and between its edge and them.
inline constexpr double kGap = 8;
/// Between two labels of an axis.
inline constexpr double kLabelGap = 6;
/// Pixels of a file for one of a screen: pictures in files may be enlarged.
inline constexpr double kFileRatio = 2;
/// Of a filled band of values.
inline constexpr float kBandAlpha = 0.18F;

}  // namespace ulp::views::charts
