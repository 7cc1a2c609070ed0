#include "views/plugins/tensor/pictures/pane_colors.h"

#include <algorithm>

#include "views/plugins/tensor/pictures/tile_store.h"

namespace ulp::views {
namespace {

using analysis::Quantity;

Quantity groupOf(Quantity quantity) {
  return quantity == Quantity::Variant ? Quantity::Reference : quantity;
}

/// As if all values were of one picture.
charts::ValueDistribution merged(const charts::ValueDistribution& a,
                                 const charts::ValueDistribution& b) {
  if (a.isEmpty() || b.isEmpty()) {
    return a.isEmpty() ? b : a;
  }
  charts::ValueDistribution result;
  result.kind = a.kind;
  result.extent = {std::min(a.extent.low, b.extent.low), std::max(a.extent.high, b.extent.high)};
  result.bins.assign(a.bins.size(), 0);
  const auto pour = [&result](const charts::ValueDistribution& from) {
    const auto size = static_cast<double>(from.bins.size());
    for (std::size_t bin = 0; bin < from.bins.size(); ++bin) {
      const double middle =
          from.extent.low + from.extent.span() * (static_cast<double>(bin) + 0.5) / size;
      const double span = result.extent.span();
      const double part = span > 0 ? (middle - result.extent.low) / span : 0;
      const auto place =
          static_cast<std::size_t>(std::clamp(part * static_cast<double>(result.bins.size()),
                                              0.0,
                                              static_cast<double>(result.bins.size() - 1)));
      result.bins[place] += from.bins[bin];
    }
  };
  pour(a);
  pour(b);
  return result;
}

}  // namespace

void PaneColors::clear() {
  for (auto& [quantity, group] : m_groups) {
    group = {.colors = {.shared = group.colors.shared}};
  }
}

bool PaneColors::fit(Quantity quantity, const TileStore& tiles) {
  Group& group = m_groups[groupOf(quantity)];
  if (group.colors.isChosen || tiles.distribution(quantity).isEmpty()) {
    return false;
  }
  const bool isPair = groupOf(quantity) == Quantity::Reference;
  const charts::Range fitted = usualRange(isPair ? merged(tiles.distribution(Quantity::Reference),
                                                          tiles.distribution(Quantity::Variant))
                                                 : tiles.distribution(quantity));
  const bool isNew = !group.isFitted || group.colors.fitted != fitted;
  group.isFitted = true;
  group.colors.id = QStringLiteral("colors/%1").arg(static_cast<int>(groupOf(quantity)));
  group.colors.fitted = fitted;
  group.scale = scaleOf(quantity);
  group.scale->range = group.colors.automatic();
  return isNew;
}

void PaneColors::choose(Quantity quantity, const charts::Range& range) {
  setRange(quantity, range);
  m_groups[groupOf(quantity)].colors.isChosen = true;
}

bool PaneColors::setRange(Quantity quantity, const charts::Range& range) {
  charts::ColorScale scale = scaleOf(quantity);
  const bool isNew = scale.range != range;
  scale.range = range;
  m_groups[groupOf(quantity)].scale = scale;
  return isNew;
}

void PaneColors::share(const std::vector<AxisExtent>& extents) {
  for (auto& [quantity, group] : m_groups) {
    group.colors.share(group.isFitted ? extents : std::vector<AxisExtent>());
  }
}

charts::ColorScale PaneColors::scaleOf(Quantity quantity) const {
  const auto found = m_groups.find(groupOf(quantity));
  if (found != m_groups.end() && found->second.scale) {
    return *found->second.scale;
  }
  const bool isSigned = analysis::isSigned(quantity);
  return {.kind = scaleKindOf(quantity),
          .map = isSigned ? charts::ColorMap::Diverging : charts::ColorMap::Cividis,
          .range = isSigned ? charts::Range{-1, 1} : charts::Range{1e-3, 1}};
}

const charts::SharedColors* PaneColors::find(Quantity quantity) const {
  const auto found = m_groups.find(groupOf(quantity));
  return found != m_groups.end() && found->second.isFitted ? &found->second.colors : nullptr;
}

charts::SharedColors* PaneColors::find(Quantity quantity) {
  const auto found = m_groups.find(groupOf(quantity));
  return found != m_groups.end() && found->second.isFitted ? &found->second.colors : nullptr;
}

std::optional<charts::Range> PaneColors::sharedFit(Quantity quantity) const {
  const auto found = m_groups.find(groupOf(quantity));
  return found == m_groups.end() ? std::nullopt : found->second.colors.shared;
}

}  // namespace ulp::views
