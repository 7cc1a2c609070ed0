#include "views/charts/depth/curve_raster.h"

#include <algorithm>
#include <cmath>

namespace ulp::views::charts {
namespace {

/// Points closer than this go up and down too fast for dashes along the line to be seen.
constexpr double kDensePixels = 3;

/// `part` of 255 of a over b, channel by channel, two at a time.
QRgb mixed(QRgb a, QRgb b, unsigned part) {
  const unsigned rest = 255 - part;
  const unsigned redBlue = ((a & 0xff00ffU) * part) + ((b & 0xff00ffU) * rest);
  const unsigned green = (((a >> 8) & 0xffU) * part) + (((b >> 8) & 0xffU) * rest);
  const unsigned roundedRedBlue = ((redBlue + 0x800080U + ((redBlue >> 8) & 0xff00ffU)) >> 8);
  const unsigned roundedGreen = (green + 0x80U + (green >> 8)) & 0xff00U;
  return 0xff000000U | (roundedRedBlue & 0xff00ffU) | roundedGreen;
}

/// Half of each of two opaque colours.
QRgb middle(QRgb a, QRgb b) {
  return (a & b) + (((a ^ b) & 0xfefefefeU) >> 1);
}

/// Rows of pixels that a stretch of a column touches, and those that it covers from edge to edge.
struct Rows {
  int first = 0;
  int end = 0;
  int wholeFirst = 0;
  int wholeEnd = 0;

  [[nodiscard]] bool isWhole(int row) const { return row >= wholeFirst && row < wholeEnd; }
  [[nodiscard]] bool isOutside(int row) const { return row < first || row >= end; }
};

Rows rowsOf(float low, float high, float clipTop, float clipBottom) {
  const float top = std::clamp(low, clipTop, clipBottom);
  const float bottom = std::clamp(high, clipTop, clipBottom);
  return {.first = static_cast<int>(std::floor(top)),
          .end = static_cast<int>(std::ceil(bottom)),
          .wholeFirst = static_cast<int>(std::ceil(top)),
          .wholeEnd = static_cast<int>(std::floor(bottom))};
}

/// How much of the row of pixels from `row` to `row` + 1 lies between low and high.
float overlap(float low, float high, float row) {
  return std::clamp(std::min(high, row + 1) - std::max(low, row), 0.0F, 1.0F);
}

}  // namespace

CurveRaster::CurveRaster(QImage& image, const QRect& clip, Detail detail)
    : m_image(image), m_clip(clip & image.rect()), m_perColumn(detail == Detail::Fine ? 2 : 1) {
  m_halves.resize(static_cast<std::size_t>(std::max(0, m_clip.width())) *
                  static_cast<std::size_t>(m_perColumn));
  m_wide.resize(m_halves.size());
}

void CurveRaster::draw(std::span<const QPointF> points, const CurvePen& pen) {
  if (points.size() < 2 || m_halves.empty()) {
    return;
  }
  trace(points, pen);
  if (m_first > m_last) {
    return;
  }
  // Half a column is half a pixel wide already; what is missing to the width is added on both
  // sides.
  const int reach =
      std::max(0, static_cast<int>(std::lround((pen.width * m_perColumn / 2) - 0.75)));
  widen(reach);
  grow(static_cast<float>(pen.width),
       static_cast<float>((2 * reach) + 1) / static_cast<float>(m_perColumn));
  fill(pen);
}

void CurveRaster::trace(std::span<const QPointF> points, const CurvePen& pen) {
  m_first = static_cast<int>(m_halves.size());
  m_last = -1;
  m_dashes.clear();
  double end = 0;
  for (const qreal dash : pen.dashes) {
    end += dash * pen.width;
    m_dashes.push_back(end);
  }
  const double across = points.back().x() - points.front().x();
  m_countsAcross = across < kDensePixels * static_cast<double>(points.size());
  double place = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const QPointF step = points[i] - points[i - 1];
    addSegment(points[i - 1], points[i], place);
    place += m_countsAcross ? step.x() : std::hypot(step.x(), step.y());
  }
}

void CurveRaster::addSegment(const QPointF& from, const QPointF& to, double dashPlace) {
  const double left = (from.x() - m_clip.left()) * m_perColumn;
  const double right = (to.x() - m_clip.left()) * m_perColumn;
  const auto count = static_cast<double>(m_halves.size());
  if (right < 0 || left >= count) {
    return;
  }
  const double width = right - left;
  const double slope = width > 0 ? (to.y() - from.y()) / width : 0;
  const double step = 1.0 / m_perColumn;
  const double length = width > 0 ? (m_countsAcross ? step : std::hypot(step, slope)) : 0;
  const int first = static_cast<int>(std::clamp(std::floor(left), 0.0, count - 1));
  const int last = static_cast<int>(std::clamp(std::floor(right), 0.0, count - 1));
  m_first = std::min(m_first, first);
  m_last = std::max(m_last, last);
  for (int i = first; i <= last; ++i) {
    const double begin = std::clamp<double>(i, left, right);
    const double end = std::clamp<double>(i + 1, left, right);
    Half& half = m_halves[static_cast<std::size_t>(i)];
    if (half.isEmpty()) {
      half.isOn = isDashOn(dashPlace + ((begin - left) * length));
    }
    half.add(static_cast<float>(from.y() + ((begin - left) * slope)));
    half.add(static_cast<float>(width > 0 ? from.y() + ((end - left) * slope) : to.y()));
  }
}

bool CurveRaster::isDashOn(double place) const {
  if (m_dashes.empty()) {
    return true;
  }
  const double period = m_dashes.back();
  const double at = place - (period * std::floor(place / period));
  const auto dash = std::ranges::upper_bound(m_dashes, at);
  return (dash - m_dashes.begin()) % 2 == 0;
}

void CurveRaster::widen(int reach) {
  const int first = std::max(0, m_first - reach);
  const int last = std::min(static_cast<int>(m_halves.size()) - 1, m_last + reach);
  for (int i = first; i <= last; ++i) {
    Half& wide = m_wide[static_cast<std::size_t>(i)];
    wide = {};
    for (int near = std::max(m_first, i - reach); near <= std::min(m_last, i + reach); ++near) {
      const Half& half = m_halves[static_cast<std::size_t>(near)];
      if (!half.isEmpty()) {
        wide.add(half.low);
        wide.add(half.high);
      }
    }
    const Half& own = m_halves[static_cast<std::size_t>(std::clamp(i, m_first, m_last))];
    wide.isOn = own.isOn;
  }
  std::fill(m_halves.begin() + m_first, m_halves.begin() + m_last + 1, Half{});
  m_first = first;
  m_last = last;
}

void CurveRaster::grow(float width, float span) {
  for (int i = m_first; i <= m_last; ++i) {
    Half& half = m_wide[static_cast<std::size_t>(i)];
    if (half.isEmpty() || !half.isOn) {
      half = {};
      continue;
    }
    // A line is higher the steeper it is; part of that the neighbours have given already.
    const float given = half.high - half.low;
    const float slope = given / span;
    const float missing = (width * std::sqrt(1 + (slope * slope))) - given;
    const float part = std::clamp(missing / 2, 0.0F, width);
    half.low -= part;
    half.high += part;
  }
}

void CurveRaster::fill(const CurvePen& pen) {
  m_color = pen.color.rgb();
  m_alpha = static_cast<float>(pen.color.alphaF());
  const Half nothing;
  for (int column = m_first / m_perColumn; column <= m_last / m_perColumn; ++column) {
    const int left = column * m_perColumn;
    const auto at = [&](int i) -> const Half& {
      return i < m_first || i > m_last ? nothing : m_wide[static_cast<std::size_t>(i)];
    };
    fillColumn(m_clip.left() + column, at(left), at(left + m_perColumn - 1));
  }
}

void CurveRaster::fillColumn(int column, const Half& left, const Half& right) {
  const auto clipTop = static_cast<float>(m_clip.top());
  const auto clipBottom = static_cast<float>(m_clip.bottom() + 1);
  const Rows leftRows = rowsOf(left.low, left.high, clipTop, clipBottom);
  const Rows rightRows =
      &left == &right ? leftRows : rowsOf(right.low, right.high, clipTop, clipBottom);
  const int first = std::min(leftRows.first, rightRows.first);
  const int end = std::max(leftRows.end, rightRows.end);
  if (first >= end) {
    return;
  }
  const bool isOpaque = m_alpha >= 1;
  const qsizetype stride = m_image.bytesPerLine() / 4;
  auto* pixel =
      reinterpret_cast<QRgb*>(m_image.scanLine(first)) + column;  // NOLINT(*-reinterpret-cast)
  for (int row = first; row < end; ++row, pixel += stride) {
    const bool isLeft = leftRows.isWhole(row);
    const bool isRight = rightRows.isWhole(row);
    if (isOpaque && isLeft && isRight) {
      const int wholeEnd = std::min(leftRows.wholeEnd, rightRows.wholeEnd);
      for (; row + 1 < wholeEnd; ++row, pixel += stride) {
        *pixel = m_color;
      }
      *pixel = m_color;
    } else if (isOpaque &&
               ((isLeft && rightRows.isOutside(row)) || (isRight && leftRows.isOutside(row)))) {
      *pixel = middle(m_color, *pixel);
    } else {
      const auto y = static_cast<float>(row);
      const float covered = overlap(left.low, left.high, y) + overlap(right.low, right.high, y);
      const long weight = std::lround(covered * 127.5F * m_alpha);
      *pixel = mixed(m_color, *pixel, static_cast<unsigned>(weight));
    }
  }
}

}  // namespace ulp::views::charts
