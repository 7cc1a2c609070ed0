#include "views/charts/plot/viewport.h"

#include <algorithm>

namespace ulp::views::charts {
namespace {

Range clamped(Range wanted, const Range& full, double narrowest) {
  if (wanted.span() >= full.span()) {
    return full;  // to the last bit, so that everything counts as everything
  }
  const double span = std::clamp(wanted.span(), full.span() * narrowest, full.span());
  const double low = std::clamp(wanted.low, full.low, full.high - span);
  return {low, low + span};
}

Range zoomed(const Range& range, double factor, double anchor) {
  return {anchor - (anchor - range.low) * factor, anchor + (range.high - anchor) * factor};
}

}  // namespace

void Viewport::setFull(const Range& x, const Range& y) {
  const bool wholeX = m_x == m_fullX;
  const bool wholeY = m_y == m_fullY;
  m_fullX = x;
  m_fullY = y;
  m_x = wholeX ? x : clamped(m_x, x, m_narrowestX);
  m_y = wholeY ? y : clamped(m_y, y, m_narrowestY);
}

void Viewport::setNarrowest(double partX, double partY) {
  m_narrowestX = partX;
  m_narrowestY = partY;
}

void Viewport::reset() {
  m_x = m_fullX;
  m_y = m_fullY;
}

void Viewport::zoomX(double factor, double anchor) {
  m_x = clamped(zoomed(m_x, factor, anchor), m_fullX, m_narrowestX);
}

void Viewport::zoomY(double factor, double anchor) {
  m_y = clamped(zoomed(m_y, factor, anchor), m_fullY, m_narrowestY);
}

void Viewport::zoomTo(const Range& x, const Range& y) {
  m_x = clamped(x, m_fullX, m_narrowestX);
  m_y = clamped(y, m_fullY, m_narrowestY);
}

void Viewport::pan(double partX, double partY) {
  const auto moved = [](const Range& range, double part) {
    return Range{range.low + part * range.span(), range.high + part * range.span()};
  };
  m_x = clamped(moved(m_x, partX), m_fullX, m_narrowestX);
  m_y = clamped(moved(m_y, partY), m_fullY, m_narrowestY);
}

}  // namespace ulp::views::charts
