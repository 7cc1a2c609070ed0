#pragma once

#include <array>
#include <cstdint>

#include <QtCore/QList>
#include <QtGui/QColor>
#include <QtGui/QPalette>

namespace ulp::views {

enum class Severity : std::uint8_t { Fine, Look, Broken };

enum class MarkerShape : std::uint8_t {
  Circle,
  Square,
  Diamond,
  TriangleUp,
  TriangleDown,
  Plus,
  Cross,
  Star
};

/// How a variant is drawn everywhere, for the life of a report: no two of the first 64 are equal.
struct VariantStyle {
  QColor color;
  MarkerShape marker = MarkerShape::Circle;
  QList<qreal> dashes{};  ///< in pen widths; empty: solid
};

/// Index of the reference's style, for where it is a run among others: neutral and solid.
inline constexpr int kReferenceStyle = 1 << 20;

/// The one table of colours. Views take every colour from here or from the palette.
struct Theme {
  bool dark = false;
  bool highContrast = false;
  QPalette palette;
  QColor chartBackground;
  QColor grid;
  QColor gridStrong;
  QColor axisText;
  QColor reference;  ///< the reference and its scale: always neutral
  QColor noise;      ///< veil over what lies within the noise; lets curves through
  QColor nonFinite;
  QColor belowRange;   ///< beyond the harmless end of a colour scale: quiet
  QColor belowSigned;  ///< beyond the low end of a signed colour scale: as loud as aboveRange
  QColor aboveRange;   ///< beyond the bad end of a colour scale
  QColor dimText;      ///< missing values, values within the noise, secondary text
  QColor emphasis;     ///< background of the cell that matters most
  QColor fine;
  QColor look;
  QColor broken;
  std::array<QColor, 8> variants;

  /// `index`: from 0, or kReferenceStyle.
  [[nodiscard]] VariantStyle variantStyle(int index) const;
  [[nodiscard]] QColor severityColor(Severity severity) const;
};

[[nodiscard]] const Theme& lightTheme();
[[nodiscard]] const Theme& darkTheme();
/// Text at 7:1 and lines at 4.5:1 at least (WCAG 2.2, 1.4.6), on black.
[[nodiscard]] const Theme& highContrastTheme();

/// Contrast ratio of WCAG 2.2 (1.4.3), 1 … 21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

}  // namespace ulp::views
