#pragma once

#include <vector>

#include <QtCore/QRectF>
#include <QtGui/QFont>

#include "views/charts/plot/ticks.h"
#include "views/charts/plot/viewport.h"
#include "views/framework/look/theme.h"
#include "views/plugins/experts/flip_data.h"

class QPainter;

namespace ulp::views {

/// A point of the chart. `isMargin`: in the panel of margins.
struct FlipSpot {
  int line = -1;
  int point = -1;
  bool isMargin = false;

  [[nodiscard]] bool isValid() const { return line >= 0 && point >= 0; }
  friend bool operator==(const FlipSpot&, const FlipSpot&) = default;
};

struct FlipPanel {
  charts::PlotMap map;
  std::vector<charts::Tick> x;
  std::vector<charts::Tick> y;

  [[nodiscard]] QPointF pixelOf(const FlipPoint& point) const {
    return {map.pixelX(point.x), map.pixelY(point.share())};
  }
};

/// Where everything of the chart goes.
struct FlipFrame {
  QRectF legend;
  FlipPanel layers;
  FlipPanel margins;

  [[nodiscard]] const FlipPanel& panel(bool isMargin) const { return isMargin ? margins : layers; }
};

[[nodiscard]] FlipFrame flipFrame(const FlipData& data, const QRectF& area, const QFont& font);
/// The nearest point within reach of the mouse; an invalid one: none.
[[nodiscard]] FlipSpot spotAt(const FlipData& data, const FlipFrame& frame, const QPointF& at);
/// Null: there is no such point.
[[nodiscard]] const FlipPoint* pointAt(const FlipData& data, const FlipSpot& spot);

/// Two panels: the share of flipped tokens by layer, and by the margin that tokens have in the
/// reference; where fewer than ten tokens have it, the marker is hollow. `current` is outlined; its
/// line is drawn above the others.
void paintFlips(QPainter& painter,
                const QRectF& area,
                const FlipData& data,
                const FlipSpot& current,
                const Theme& theme);

}  // namespace ulp::views
