#include "views/charts/depth/depth_raster.h"

#include <algorithm>
#include <cmath>

#include <QtGui/QPainter>

#include "views/charts/depth/depth_exhibit.h"
#include "views/charts/plot/painting.h"
#include "views/framework/look/variant_painter.h"

namespace ulp::views::charts {
namespace {

/// QPainter strokes so many points in a few milliseconds.
constexpr qsizetype kFewPoints = 1500;
constexpr int kQuarters = 4;

qsizetype pointCount(const DepthScene& scene) {
  qsizetype count = 0;
  for (const SceneCurve& curve : scene.curves) {
    for (const QList<QPointF>& points : curve.segments) {
      count += points.size();
    }
  }
  return count;
}

QRect pixelRect(const QRectF& rect, double ratio) {
  return QRectF(rect.topLeft() * ratio, rect.size() * ratio).toRect();
}

/// Puts a premultiplied picture on an opaque one, no further than `clip`.
void putStamp(QImage& image, const QRect& clip, const QImage& stamp, const QPoint& place) {
  const QRect area = QRect(place, stamp.size()) & clip;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    const auto* from = reinterpret_cast<const QRgb*>(  // NOLINT(*-reinterpret-cast)
                           stamp.constScanLine(y - place.y())) +
                       (area.left() - place.x());
    auto* to = reinterpret_cast<QRgb*>(image.scanLine(y)) +  // NOLINT(*-reinterpret-cast)
               area.left();
    for (int x = 0; x < area.width(); ++x) {
      const unsigned rest = 255 - qAlpha(from[x]);
      if (rest == 255) {
        continue;
      }
      // Channel by channel, two at a time.
      const unsigned redBlue = (to[x] & 0xff00ffU) * rest;
      const unsigned green = ((to[x] >> 8) & 0xffU) * rest;
      const unsigned below =
          (((redBlue + 0x800080U + ((redBlue >> 8) & 0xff00ffU)) >> 8) & 0xff00ffU) |
          ((green + 0x80U + (green >> 8)) & 0xff00U);
      to[x] = 0xff000000U | ((from[x] & 0xffffffU) + below);
    }
  }
}

void paintLines(QImage& image, const DepthDrawing& drawing, CurveRaster::Detail detail) {
  const auto& [frame, data, options, theme] = drawing;
  const double ratio = image.devicePixelRatio();
  CurveRaster raster(image, pixelRect(frame.map.plot, ratio), detail);
  const QColor reference = translucent(theme.reference, kReferenceAlpha);
  for (const QList<QPointF>& points : frame.reference) {
    raster.draw(pixelsOf(points, frame.referenceMap, ratio), {reference, ratio, {}});
  }
  for (const SceneCurve& curve : frame.scene.curves) {
    const VariantStyle style = theme.variantStyle(data.curve(curve.curve).style);
    const double width = curve.curve == options.currentCurve ? kCurrentLineWidth : kLineWidth;
    for (const QList<QPointF>& points : curve.segments) {
      raster.draw(pixelsOf(points, frame.map, ratio), {style.color, width * ratio, style.dashes});
    }
  }
}

}  // namespace

void DepthRaster::paint(QImage& image, const DepthDrawing& drawing, CurveRaster::Detail detail) {
  if (pointCount(drawing.frame.scene) <= kFewPoints) {
    QPainter painter(&image);
    paintCurves(painter, drawing, {.plain = kLineWidth, .current = kCurrentLineWidth});
  } else {
    paintLines(image, drawing, detail);
  }
  stampMarkers(image, drawing);
}

void DepthRaster::stampMarkers(QImage& image, const DepthDrawing& drawing) {
  const double ratio = image.devicePixelRatio();
  if (ratio != m_ratio) {
    m_ratio = ratio;
    m_stamps.clear();
  }
  const QRect clip = pixelRect(markerRoom(drawing.frame), ratio) & image.rect();
  forEachMarker(drawing, [&](const DrawnMarker& marker) {
    const QPointF pixel = marker.place * ratio;
    const QPoint whole(static_cast<int>(std::floor(pixel.x())),
                       static_cast<int>(std::floor(pixel.y())));
    const QPointF part = (pixel - whole) * kQuarters;
    const QImage& drawn = stamp({marker.style.color.rgba(),
                                 marker.style.marker,
                                 marker.fill.rgba(),
                                 marker.size,
                                 static_cast<int>(part.x()),
                                 static_cast<int>(part.y())},
                                ratio);
    putStamp(image, clip, drawn, whole - QPoint(drawn.width() / 2, drawn.height() / 2));
  });
}

const QImage& DepthRaster::stamp(const StampKey& key, double ratio) {
  const auto [found, isNew] = m_stamps.try_emplace(key);
  if (isNew) {
    const auto [color, shape, fill, size, right, down] = key;
    // A marker reaches a little beyond its size, and its outline beyond that.
    const int middle = static_cast<int>(std::ceil(size * ratio)) + 2;
    QImage image(2 * middle, 2 * middle, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(middle + ((right + 0.5) / kQuarters), middle + ((down + 0.5) / kQuarters));
    painter.scale(ratio, ratio);
    const VariantStyle style{.color = QColor::fromRgba(color), .marker = shape};
    drawMarker(painter, style, {}, size, QColor::fromRgba(fill));
    painter.end();
    found->second = std::move(image);
  }
  return found->second;
}

}  // namespace ulp::views::charts
