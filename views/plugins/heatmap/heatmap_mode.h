#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QtCore/QLatin1StringView>
#include <QtCore/QString>

namespace ulp::views {

/// What the rows of a heatmap are; its columns are always layers.
enum class HeatmapMode : std::uint8_t { Variants, Modules, Tokens, Heads, Samples, Steps, Ranks };

/// How a mode is called.
struct HeatmapModeInfo {
  HeatmapMode mode;
  QLatin1StringView id;       ///< stable, for the settings
  QLatin1StringView subject;  ///< of DrawRequest; empty: it needs a window
  QString choice;             ///< in the list of modes: "Modules × layers"
  QString title;              ///< of a heatmap; %1: the variant that it is of, where it is of one
  QString part;               ///< what a row is a part of a variant as, "Token"; empty: no part
};
/// Returns every mode, in the order of HeatmapMode.
[[nodiscard]] std::vector<HeatmapModeInfo> heatmapModes();
[[nodiscard]] HeatmapModeInfo infoOf(HeatmapMode mode);
[[nodiscard]] std::optional<HeatmapMode> parseHeatmapMode(const QString& id);

/// Tells whether rows are units of a dump: runs of a report that compares two of them (Run::axes).
[[nodiscard]] constexpr bool isOfUnits(HeatmapMode mode) {
  return mode == HeatmapMode::Steps || mode == HeatmapMode::Ranks;
}
/// Tells whether rows are parts of tensors, which have to be read.
[[nodiscard]] constexpr bool isOfParts(HeatmapMode mode) {
  return mode == HeatmapMode::Tokens || mode == HeatmapMode::Heads;
}

}  // namespace ulp::views
