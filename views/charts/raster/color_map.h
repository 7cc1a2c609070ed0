#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <QtCore/QString>
#include <QtGui/QRgb>

namespace ulp::views::charts {

/// Perceptually uniform maps that people with a colour-vision deficiency can read: equal steps of
/// the value look equally large. Diverging is for signed values; its middle is zero.
enum class ColorMap : std::uint8_t { Cividis, Viridis, Grey, Diverging };

inline constexpr std::size_t kMapColors = 256;
using ColorTable = std::array<QRgb, kMapColors>;

/// Opaque colours from the lowest value to the highest. `dark`: for a dark background, where the
/// diverging map has a dark middle instead of a light one; the others are the same on both.
[[nodiscard]] const ColorTable& colorTable(ColorMap map, bool dark);

/// "cividis" | "viridis" | "grey" | "diverging", not translated.
[[nodiscard]] QString toText(ColorMap map);
[[nodiscard]] std::optional<ColorMap> parseColorMap(const QString& text);

}  // namespace ulp::views::charts
