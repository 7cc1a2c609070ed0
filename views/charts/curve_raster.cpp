#include "views/charts/curve_raster.h"

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

/// How much of the row of pixels from `row` to `row` + 1 lies between low and high.
float overlap(float low, float high, float row) {
  return std::clamp(std::min(high, row + 1) - std::max(low, row), 0.0F, 1.0F);
}

}  // namespace

void CurveRaster::Half::add(float y) {
  if (isEmpty()) {
    low = y;
    high = y;
  } else {
    low = std::min(low, y);
    high = std::max(high, y);
  }
}

CurveRaster::CurveRaster(QImage& image, const QRect& clip)
    : m_image(image), m_clip(clip & image.rect()) {
  m_halves.resize(static_cast<std::size_t>(std::max(0, m_clip.width()) * 2));
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
  widen(std::max(0, static_cast<int>(std::lround(pen.width - 0.5))));
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
  const double left = (from.x() - m_clip.left()) * 2;
  const double right = (to.x() - m_clip.left()) * 2;
  const auto count = static_cast<double>(m_halves.size());
  if (right < 0 || left >= count) {
    return;
  }
  const double width = right - left;
  const double slope = width > 0 ? (to.y() - from.y()) / width : 0;
  const double length = width > 0 ? (m_countsAcross ? 0.5 : std::hypot(0.5, slope)) : 0;
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

void CurveRaster::fill(const CurvePen& pen) {
  m_color = pen.color.rgb();
  m_alpha = static_cast<float>(pen.color.alphaF());
  const auto grow = static_cast<float>(std::max(pen.width, 1.0) / 2);
  for (int i = m_first; i <= m_last; ++i) {
    Half& half = m_wide[static_cast<std::size_t>(i)];
    if (half.isEmpty() || !half.isOn) {
      half = {};
    } else {
      half.low -= grow;
      half.high += grow;
    }
  }
  const Half nothing;
  for (int column = m_first / 2; column <= m_last / 2; ++column) {
    const int left = column * 2;
    const auto at = [&](int i) -> const Half& {
      return i < m_first || i > m_last ? nothing : m_wide[static_cast<std::size_t>(i)];
    };
    fillColumn(m_clip.left() + column, at(left), at(left + 1));
  }
}

void CurveRaster::fillColumn(int column, const Half& left, const Half& right) {
  if (left.isEmpty() && right.isEmpty()) {
    return;
  }
  const float top = left.isEmpty()    ? right.low
                    : right.isEmpty() ? left.low
                                      : std::min(left.low, right.low);
  const float bottom = left.isEmpty()    ? right.high
                       : right.isEmpty() ? left.high
                                         : std::max(left.high, right.high);
  const auto clipTop = static_cast<float>(m_clip.top());
  const auto clipBottom = static_cast<float>(m_clip.bottom() + 1);
  const int first = static_cast<int>(std::floor(std::clamp(top, clipTop, clipBottom)));
  const int end = static_cast<int>(std::ceil(std::clamp(bottom, clipTop, clipBottom)));
  // Rows that both halves cover need no arithmetic.
  const bool isWhole = !left.isEmpty() && !right.isEmpty() && m_alpha >= 1;
  const float wholeTop = isWhole ? std::ceil(std::max(left.low, right.low)) : 0;
  const float wholeBottom = isWhole ? std::floor(std::min(left.high, right.high)) : -1;
  if (first >= end) {
    return;
  }
  const qsizetype stride = m_image.bytesPerLine() / 4;
  auto* pixel =
      reinterpret_cast<QRgb*>(m_image.scanLine(first)) + column;  // NOLINT(*-reinterpret-cast)
  for (int row = first; row < end; ++row, pixel += stride) {
    const auto y = static_cast<float>(row);
    if (y >= wholeTop && y < wholeBottom) {
      *pixel = m_color;
      continue;
    }
    const float covered = (left.isEmpty() ? 0 : overlap(left.low, left.high, y)) +
                          (right.isEmpty() ? 0 : overlap(right.low, right.high, y));
    *pixel = mixed(m_color, *pixel, static_cast<unsigned>((covered * 127.5F * m_alpha) + 0.5F));
  }
}

}  // namespace ulp::views::charts
