#pragma once

#include <cstdint>
#include <vector>

#include <QtCore/QLineF>
#include <QtGui/QPolygonF>

#include "views/charts/depth/depth_frame.h"

class QPainter;

namespace ulp::views::charts {

/// How the interval of a curve is drawn.
enum class IntervalForm : std::uint8_t { None, Whiskers, Band };

/// Bands where few curves are visible and for the selected one; whiskers for the others as long as
/// they can be told apart. None where there is no interval, or where they are switched off.
[[nodiscard]] IntervalForm intervalForm(const DepthData& data,
                                        const DepthOptions& options,
                                        int curve);

/// The band between the ends of a curve's intervals, in pixels, broken where there is none and at
/// the fold. What reaches 0 on a logarithmic axis ends at the edge of the plot.
[[nodiscard]] std::vector<QPolygonF> intervalBands(const DepthFrame& frame,
                                                   const DepthData& data,
                                                   int curve);
/// Vertical lines with ends, in pixels, at the slots in view whose markers have room.
[[nodiscard]] std::vector<QLineF> intervalWhiskers(const DepthFrame& frame,
                                                   const DepthData& data,
                                                   int curve);

/// Paints intervals and single samples: what lies between the grid and the curves.
void paintIntervals(QPainter& painter, const DepthDrawing& drawing);

}  // namespace ulp::views::charts
