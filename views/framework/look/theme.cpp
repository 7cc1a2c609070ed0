#include "views/framework/look/theme.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace ulp::views {
namespace {

enum class ThemeKind : std::uint8_t { Light, Dark, HighContrast };

/// A colour (0xAARRGGBB) in each theme. In that of high contrast it is as in the dark one where
/// that needs no more contrast.
struct Shades {
  QRgb light;
  QRgb dark;
  QRgb highContrast;

  [[nodiscard]] QColor in(ThemeKind kind) const {
    return QColor::fromRgba(kind == ThemeKind::Light  ? light
                            : kind == ThemeKind::Dark ? dark
                                                      : highContrast);
  }
};

constexpr Shades kWindow{0xfff3f4f6, 0xff24272b, 0xff000000};
constexpr Shades kBase{0xffffffff, 0xff1b1d20, 0xff000000};
constexpr Shades kButton{0xfff6f7f8, 0xff2d3136, 0xff141414};
constexpr Shades kText{0xff1b1f24, 0xffe4e7ea, 0xffffffff};
constexpr Shades kDim{0xff646b73, 0xff979ea7, 0xffc9c9c9};
constexpr Shades kAccent{0xff2563ad, 0xff3d7cc9, 0xffffe14d};
constexpr Shades kAccentText{0xffffffff, 0xffffffff, 0xff000000};
constexpr Shades kLink{0xff1f5fae, 0xff7db4f2, 0xff8cc8ff};
constexpr Shades kEdge{0xffc3c8ce, 0xff454b52, 0xff9a9a9a};
constexpr std::pair<QPalette::ColorRole, Shades> kRoles[] = {
    {QPalette::Window, kWindow},
    {QPalette::WindowText, kText},
    {QPalette::Base, kBase},
    {QPalette::AlternateBase, {0xfff8f9fa, 0xff202327, 0xff101010}},
    {QPalette::Text, kText},
    {QPalette::Button, kButton},
    {QPalette::ButtonText, kText},
    {QPalette::BrightText, kAccentText},
    {QPalette::ToolTipBase, kBase},
    {QPalette::ToolTipText, kText},
    {QPalette::PlaceholderText, kDim},
    {QPalette::Highlight, kAccent},
    {QPalette::HighlightedText, kAccentText},
    {QPalette::Link, kLink},
    {QPalette::LinkVisited, kLink},
    {QPalette::Midlight, kButton},
    {QPalette::Mid, kEdge},
    {QPalette::Dark, kEdge}};
constexpr std::pair<QColor Theme::*, Shades> kColors[] = {
    {&Theme::chartBackground, kBase},
    {&Theme::grid, {0xffebedf0, 0xff2a2e33, 0xff5e5e5e}},
    {&Theme::gridStrong, {0xffd3d7dc, 0xff3c4147, 0xff8a8a8a}},
    {&Theme::axisText, {0xff4c535b, 0xffb4bac1, 0xfff0f0f0}},
    {&Theme::reference, {0xff757b83, 0xff9aa1a9, 0xffc4c4c4}},
    {&Theme::noise, {0xa5d3d8df, 0xaf3a4047, 0x964a4a4a}},
    {&Theme::nonFinite, {0xffc2139e, 0xffff6fdc, 0xffff8ae6}},
    {&Theme::belowRange, {0xffd3dde8, 0xff07080a, 0xff07080a}},
    {&Theme::belowSigned, {0xff00b8d4, 0xff18ffff, 0xff18ffff}},
    {&Theme::aboveRange, {0xffff7f0e, 0xffff8c1a, 0xffff8c1a}},
    {&Theme::dimText, kDim},
    {&Theme::emphasis, {0xffffe3b8, 0xff5a4212, 0xff3d2d00}},
    {&Theme::fine, {0xff1a7f4b, 0xff4fc38a, 0xff62e3a3}},
    {&Theme::look, {0xffa35c00, 0xfff0a63c, 0xffffbf5e}},
    {&Theme::broken, {0xffb3261e, 0xffff7a70, 0xffff9a92}}};
constexpr std::array<Shades, 8> kVariants{{{0xff0072b2, 0xff4ba3df, 0xff5fb4ff},
                                           {0xffd55e00, 0xfff58b45, 0xffff9a4d},
                                           {0xff009e73, 0xff35c49a, 0xff3fe0ad},
                                           {0xffcc79a7, 0xffe29cc4, 0xfff4a8d6},
                                           {0xffe69f00, 0xfff2bb45, 0xffffd23f},
                                           {0xff56b4e9, 0xff8fd0f7, 0xffa8e4ff},
                                           {0xff6a51a3, 0xffa694dc, 0xffc3b0ff},
                                           {0xff7f7f7f, 0xffb0b0b0, 0xffd0d0d0}}};

QPalette makePalette(ThemeKind kind) {
  QPalette palette(kButton.in(kind), kWindow.in(kind));
  for (const auto& [role, shades] : kRoles) {
    palette.setColor(role, shades.in(kind));
  }
  palette.setColor(QPalette::Light, kButton.in(kind).lighter(115));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, kDim.in(kind));
  }
  palette.setColor(QPalette::Disabled, QPalette::Highlight, kEdge.in(kind));
  if (kind == ThemeKind::HighContrast) {
    // Fusion takes the outlines of controls from darkened buttons, which are lost on black.
    palette.setColor(QPalette::Light, Qt::white);
    palette.setColor(QPalette::Dark, Qt::white);
  }
  return palette;
}

Theme makeTheme(ThemeKind kind) {
  Theme theme{.dark = kind != ThemeKind::Light,
              .highContrast = kind == ThemeKind::HighContrast,
              .palette = makePalette(kind)};
  for (const auto& [color, shades] : kColors) {
    theme.*color = shades.in(kind);
  }
  std::ranges::transform(
      kVariants, theme.variants.begin(), [kind](const Shades& shades) { return shades.in(kind); });
  return theme;
}

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

}  // namespace

VariantStyle Theme::variantStyle(int index) const {
  constexpr int kCount = 8;
  static const std::array<QList<qreal>, kCount> kDashes{
      {{}, {7, 3}, {2, 2}, {8, 3, 2, 3}, {12, 4}, {8, 3, 2, 3, 2, 3}, {4, 2}, {1, 3}}};
  if (index == kReferenceStyle) {
    return {.color = reference, .marker = MarkerShape::Circle};
  }
  // Beyond eight variants colours repeat; marker and dash then shift, so that pairs stay distinct.
  const int round = index / kCount;
  const auto place = static_cast<std::size_t>(index % kCount);
  const auto shifted = static_cast<std::size_t>((index + 3 * round) % kCount);
  return {.color = variants.at(place),
          .marker = static_cast<MarkerShape>(shifted),
          .dashes = kDashes.at(shifted)};
}

QColor Theme::severityColor(Severity severity) const {
  return severity == Severity::Fine ? fine : severity == Severity::Look ? look : broken;
}

const Theme& lightTheme() {
  static const Theme kTheme = makeTheme(ThemeKind::Light);
  return kTheme;
}

const Theme& darkTheme() {
  static const Theme kTheme = makeTheme(ThemeKind::Dark);
  return kTheme;
}

const Theme& highContrastTheme() {
  static const Theme kTheme = makeTheme(ThemeKind::HighContrast);
  return kTheme;
}

double contrastRatio(const QColor& a, const QColor& b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace ulp::views
