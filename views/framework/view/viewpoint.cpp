#include "views/framework/view/viewpoint.h"

#include <algorithm>
#include <cmath>

namespace ulp::views {
namespace {

/// Positions of an axis that belong together: the first and one behind the last.
struct Stretch {
  int first = 0;
  int end = 0;

  [[nodiscard]] bool isEmpty() const { return first >= end; }
  /// The edges lie half a position beyond the middles.
  [[nodiscard]] double partAt(double position) const {
    return (position + 0.5 - first) / (end - first);
  }
  [[nodiscard]] double at(double part) const { return first + (part * (end - first)) - 0.5; }
};

template <typename Belongs>
Stretch stretchOf(const NamedAxis& axis, const Belongs& belongs) {
  Stretch stretch;
  for (int i = 0; i < axis.count; ++i) {
    if (belongs(axis.at(i))) {
      stretch.first = stretch.isEmpty() ? i : stretch.first;
      stretch.end = i + 1;
    }
  }
  return stretch;
}

Stretch layerOf(const NamedAxis& axis, const AxisName& name) {
  return stretchOf(axis, [&name](const AxisName& here) {
    return here.layer == name.layer && here.pass == name.pass;
  });
}

Stretch passOf(const NamedAxis& axis, const AxisName& name) {
  return stretchOf(axis, [&name](const AxisName& here) { return here.pass == name.pass; });
}

template <typename Span>
const Span* findSpan(const std::vector<Span>& spans, const QString& id) {
  const auto found = std::ranges::find_if(spans, [&id](const Span& span) { return span.id == id; });
  return found == spans.end() ? nullptr : &*found;
}

}  // namespace

NamedPlace placeAt(const NamedAxis& axis, double position) {
  const int nearest = std::clamp(static_cast<int>(std::lround(position)), 0, axis.count - 1);
  NamedPlace place{.nearest = axis.at(nearest), .offset = position - nearest};
  place.partOfLayer = layerOf(axis, place.nearest).partAt(position);
  place.partOfPass = passOf(axis, place.nearest).partAt(position);
  return place;
}

std::optional<double> positionOf(const NamedAxis& axis, const NamedPlace& place) {
  for (int i = 0; i < axis.count; ++i) {
    if (axis.at(i) == place.nearest) {
      return i + place.offset;
    }
  }
  if (place.nearest.layer >= 0) {
    if (const Stretch layer = layerOf(axis, place.nearest); !layer.isEmpty()) {
      return layer.at(place.partOfLayer);
    }
  }
  const Stretch pass = passOf(axis, place.nearest);
  return pass.isEmpty() ? std::nullopt : std::optional(pass.at(place.partOfPass));
}

const NamedSpan* Viewpoint::findNames(const QString& id) const {
  return findSpan(names, id);
}

const NumberSpan* Viewpoint::findNumbers(const QString& id) const {
  return findSpan(numbers, id);
}

NamedSpan spanOf(const QString& id, const NamedAxis& axis, const AxisPart& seen, bool isWhole) {
  if (axis.count == 0) {
    return {.id = id};
  }
  return {.id = id,
          .low = placeAt(axis, seen.low),
          .high = placeAt(axis, seen.high),
          .isWhole = isWhole};
}

std::optional<AxisPart> partOf(const NamedAxis& axis, const NamedSpan& span) {
  const std::optional<double> low = positionOf(axis, span.low);
  const std::optional<double> high = positionOf(axis, span.high);
  if (!low || !high || *low >= *high) {
    return std::nullopt;
  }
  return AxisPart{.low = *low, .high = *high};
}

std::vector<AxisExtent> united(const std::vector<Viewpoint>& viewpoints) {
  std::vector<AxisExtent> result;
  for (const Viewpoint& viewpoint : viewpoints) {
    for (const AxisExtent& extent : viewpoint.extents) {
      const auto known = std::ranges::find(result, extent.id, &AxisExtent::id);
      if (known == result.end()) {
        result.push_back(extent);
      } else {
        known->low = std::min(known->low, extent.low);
        known->high = std::max(known->high, extent.high);
      }
    }
  }
  return result;
}

}  // namespace ulp::views
