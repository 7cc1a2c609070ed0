#pragma once

#include <functional>
#include <vector>

#include <QtCore/QList>
#include <QtCore/QPointF>
#include <QtCore/QString>
#include <QtGui/QFont>
#include <QtGui/QPolygonF>

#include "views/charts/depth/depth_scene.h"
#include "views/charts/plot/ticks.h"
#include "views/charts/plot/viewport.h"
#include "views/framework/look/theme.h"

class QPainter;

namespace ulp::views::charts {

/// What the user set a depth chart to.
struct DepthOptions {
  std::vector<bool> visible;  ///< one a curve
  bool referenceShown = true;
  bool directLabels = true;  ///< names at the lines' ends, for as many variants as stay readable
  bool titlesShown = true;   ///< captions of the axes above the plot
  bool jumpsShown = true;
  bool guideShown = false;
  bool intervalsShown = true;  ///< of means over several samples
  int pinnedSlot = -1;         ///< the second cursor; -1: none
  int currentSlot = -1;
  QString inCurrentSlot{};  ///< what is selected of that layer and not drawn; empty: the row itself
  int currentCurve = -1;
};

/// A variant's name at the end of its line.
struct DirectLabel {
  int curve = 0;
  double lineY = 0;   ///< pixels
  double labelY = 0;  ///< pixels, after labels were moved apart
  QString text;
  bool isFinite = true;  ///< where the line ends
};

/// Everything that one picture of a depth chart consists of, in pixels where it says so.
/// Computed without a window; painted by the functions below.
struct DepthFrame {
  PlotMap map;
  DepthScale scale;
  DepthScene scene;
  std::vector<Tick> xTicks;
  std::vector<Tick> yTicks;
  PlotMap referenceMap;
  DepthScale referenceScale;
  std::vector<QList<QPointF>> reference;
  std::vector<Tick> referenceTicks;
  std::vector<QList<QPointF>> guide;                 ///< axis units
  std::vector<QList<QPointF>> noise;                 ///< the edge of the noise, axis units
  std::vector<std::vector<QList<QPointF>>> samples;  ///< pieces of each, axis units
  std::vector<DirectLabel> labels;
  double labelLeft = 0;      ///< pixels
  double nonFiniteBand = 0;  ///< height of the marks above the plot; 0: there are none
};

inline constexpr int kMaxDirectLabels = 6;

[[nodiscard]] DepthFrame makeFrame(const DepthData& data,
                                   const DepthOptions& options,
                                   const Viewport& viewport,
                                   const DepthScale& scale,
                                   const QSizeF& size,
                                   const QFont& font);

/// The curve whose direct label, of a line of this height, is at a point; -1: none.
[[nodiscard]] int labelAt(const DepthFrame& frame, const QPointF& point, double height);

/// A line in axis units, such as a segment of the frame, in pixels; `ratio` of them to a pixel of
/// the map.
[[nodiscard]] QPolygonF pixelsOf(const QList<QPointF>& line, const PlotMap& map, double ratio = 1);

/// What the functions below paint; lives no longer than the call.
struct DepthDrawing {
  const DepthFrame& frame;
  const DepthData& data;
  const DepthOptions& options;
  const Theme& theme;
};

/// A marker of a curve, in pixels; lives no longer than the call that it is handed to.
struct DrawnMarker {
  QPointF place;
  const VariantStyle& style;
  double size = 0;
  QColor fill;
};
/// Calls `visit` with every marker of the curves that stands within markerRoom().
void forEachMarker(const DepthDrawing& drawing,
                   const std::function<void(const DrawnMarker&)>& visit);
/// The plot, and around it how far markers may reach.
[[nodiscard]] QRectF markerRoom(const DepthFrame& frame);

/// Paints grid, axes, captions, the band of the current row: what lies below the curves.
void paintBelow(QPainter& painter, const DepthDrawing& drawing);
/// Paints jumps, non-finite marks and labels: what lies above the curves and their markers.
void paintMarks(QPainter& painter, const DepthDrawing& drawing);
/// Paints the markers of the curves and what lies above them.
void paintAbove(QPainter& painter, const DepthDrawing& drawing);
/// Paints crosshair and read-out at a slot, beside the values at the pinned one if there is one. A
/// slot of -1: the pinned cursor alone.
void paintHover(QPainter& painter, const DepthDrawing& drawing, int slot);
/// Paints the table of values at a slot, worst first, beside the crosshair: with those at the
/// pinned slot and their ratio where a second cursor is pinned.
void paintReadout(QPainter& painter, const DepthDrawing& drawing, int slot);

/// 12, 3.4k, 1.2M: counts where there is little room.
[[nodiscard]] QString shortCount(std::uint64_t count);

}  // namespace ulp::views::charts
