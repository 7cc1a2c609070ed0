#include <algorithm>

#include <QtCore/QCoreApplication>

#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {
namespace {

struct HeatmapModeWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::HeatmapView)
};

}  // namespace

std::vector<HeatmapModeInfo> heatmapModes() {
  using enum HeatmapMode;
  using Id = QLatin1StringView;
  return {{Variants,
           Id("variants"),
           Id("heatmap"),
           HeatmapModeWords::tr("Variants × layers"),
           HeatmapModeWords::tr("variants × layers"),
           {}},
          {Modules,
           Id("modules"),
           Id("heatmap-modules"),
           HeatmapModeWords::tr("Modules × layers"),
           HeatmapModeWords::tr("modules × layers of %1"),
           {}},
          {Tokens,
           Id("tokens"),
           {},
           HeatmapModeWords::tr("Tokens × layers"),
           HeatmapModeWords::tr("tokens × layers of %1"),
           HeatmapModeWords::tr("Token")},
          {Heads,
           Id("heads"),
           {},
           HeatmapModeWords::tr("Heads × layers"),
           HeatmapModeWords::tr("heads × layers of %1"),
           HeatmapModeWords::tr("Head")},
          {Samples,
           Id("samples"),
           Id("heatmap-samples"),
           HeatmapModeWords::tr("Samples × layers"),
           HeatmapModeWords::tr("samples × layers of %1"),
           HeatmapModeWords::tr("Sample")},
          {Steps,
           Id("steps"),
           Id("heatmap-steps"),
           HeatmapModeWords::tr("Steps × layers"),
           HeatmapModeWords::tr("steps × layers"),
           HeatmapModeWords::tr("Step")},
          {Ranks,
           Id("ranks"),
           Id("heatmap-ranks"),
           HeatmapModeWords::tr("Ranks × layers"),
           HeatmapModeWords::tr("ranks × layers"),
           HeatmapModeWords::tr("Rank")},
          {Positions,
           Id("positions"),
           Id("heatmap-positions"),
           HeatmapModeWords::tr("Positions × layers"),
           HeatmapModeWords::tr("positions × layers of %1"),
           HeatmapModeWords::tr("Position")}};
}

HeatmapModeInfo infoOf(HeatmapMode mode) {
  return heatmapModes()[static_cast<std::size_t>(mode)];
}

std::optional<HeatmapMode> parseHeatmapMode(const QString& id) {
  const std::vector<HeatmapModeInfo> modes = heatmapModes();
  const auto found = std::ranges::find(modes, id, &HeatmapModeInfo::id);
  return found == modes.end() ? std::nullopt : std::optional(found->mode);
}

}  // namespace ulp::views
