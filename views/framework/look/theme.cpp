#include "views/framework/look/theme.h"

#include <algorithm>
#include <cmath>

namespace ulp::views {
namespace {

/// The tones from which a palette is made.
struct Tones {
  QColor window;
  QColor base;
  QColor alternate;
  QColor button;
  QColor text;
  QColor dim;
  QColor accent;
  QColor accentText;
  QColor link;
  QColor edge;
};

QPalette makePalette(const Tones& tones) {
  QPalette palette(tones.button, tones.window);
  palette.setColor(QPalette::Window, tones.window);
  palette.setColor(QPalette::WindowText, tones.text);
  palette.setColor(QPalette::Base, tones.base);
  palette.setColor(QPalette::AlternateBase, tones.alternate);
  palette.setColor(QPalette::Text, tones.text);
  palette.setColor(QPalette::Button, tones.button);
  palette.setColor(QPalette::ButtonText, tones.text);
  palette.setColor(QPalette::BrightText, tones.accentText);
  palette.setColor(QPalette::ToolTipBase, tones.base);
  palette.setColor(QPalette::ToolTipText, tones.text);
  palette.setColor(QPalette::PlaceholderText, tones.dim);
  palette.setColor(QPalette::Highlight, tones.accent);
  palette.setColor(QPalette::HighlightedText, tones.accentText);
  palette.setColor(QPalette::Link, tones.link);
  palette.setColor(QPalette::LinkVisited, tones.link);
  palette.setColor(QPalette::Light, tones.button.lighter(115));
  palette.setColor(QPalette::Midlight, tones.button);
  palette.setColor(QPalette::Mid, tones.edge);
  palette.setColor(QPalette::Dark, tones.edge);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, tones.dim);
  }
  palette.setColor(QPalette::Disabled, QPalette::Highlight, tones.edge);
  return palette;
}

std::array<QColor, 8> colors(const std::array<QRgb, 8>& values) {
  std::array<QColor, 8> made;
  std::ranges::transform(values, made.begin(), [](QRgb value) { return QColor(value); });
  return made;
}

Theme makeLight() {
  Theme theme;
  theme.palette = makePalette({.window = QColor(0xf3f4f6),
                               .base = QColor(0xffffff),
                               .alternate = QColor(0xf8f9fa),
                               .button = QColor(0xf6f7f8),
                               .text = QColor(0x1b1f24),
                               .dim = QColor(0x646b73),
                               .accent = QColor(0x2563ad),
                               .accentText = QColor(0xffffff),
                               .link = QColor(0x1f5fae),
                               .edge = QColor(0xc3c8ce)});
  theme.chartBackground = QColor(0xffffff);
  theme.grid = QColor(0xebedf0);
  theme.gridStrong = QColor(0xd3d7dc);
  theme.axisText = QColor(0x4c535b);
  theme.reference = QColor(0x757b83);
  theme.noise = QColor(0xd3, 0xd8, 0xdf, 165);
  theme.nonFinite = QColor(0xc2139e);
  theme.belowRange = QColor(0xd3dde8);
  theme.belowSigned = QColor(0x00b8d4);
  theme.aboveRange = QColor(0xff7f0e);
  theme.dimText = QColor(0x646b73);
  theme.emphasis = QColor(0xffe3b8);
  theme.fine = QColor(0x1a7f4b);
  theme.look = QColor(0xa35c00);
  theme.broken = QColor(0xb3261e);
  theme.variants =
      colors({0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x6a51a3, 0x7f7f7f});
  return theme;
}

Theme makeDark() {
  Theme theme;
  theme.dark = true;
  theme.palette = makePalette({.window = QColor(0x24272b),
                               .base = QColor(0x1b1d20),
                               .alternate = QColor(0x202327),
                               .button = QColor(0x2d3136),
                               .text = QColor(0xe4e7ea),
                               .dim = QColor(0x979ea7),
                               .accent = QColor(0x3d7cc9),
                               .accentText = QColor(0xffffff),
                               .link = QColor(0x7db4f2),
                               .edge = QColor(0x454b52)});
  theme.chartBackground = QColor(0x1b1d20);
  theme.grid = QColor(0x2a2e33);
  theme.gridStrong = QColor(0x3c4147);
  theme.axisText = QColor(0xb4bac1);
  theme.reference = QColor(0x9aa1a9);
  theme.noise = QColor(0x3a, 0x40, 0x47, 175);
  theme.nonFinite = QColor(0xff6fdc);
  theme.belowRange = QColor(0x07080a);
  theme.belowSigned = QColor(0x18ffff);
  theme.aboveRange = QColor(0xff8c1a);
  theme.dimText = QColor(0x979ea7);
  theme.emphasis = QColor(0x5a4212);
  theme.fine = QColor(0x4fc38a);
  theme.look = QColor(0xf0a63c);
  theme.broken = QColor(0xff7a70);
  theme.variants =
      colors({0x4ba3df, 0xf58b45, 0x35c49a, 0xe29cc4, 0xf2bb45, 0x8fd0f7, 0xa694dc, 0xb0b0b0});
  return theme;
}

/// Starts from the dark theme: what has no need of more contrast stays as it is there.
Theme makeHighContrast() {
  Theme theme = makeDark();
  theme.highContrast = true;
  theme.palette = makePalette({.window = QColor(Qt::black),
                               .base = QColor(Qt::black),
                               .alternate = QColor(0x101010),
                               .button = QColor(0x141414),
                               .text = QColor(0xffffff),
                               .dim = QColor(0xc9c9c9),
                               .accent = QColor(0xffe14d),
                               .accentText = QColor(Qt::black),
                               .link = QColor(0x8cc8ff),
                               .edge = QColor(0x9a9a9a)});
  // Fusion takes the outlines of controls from darkened buttons, which are lost on black.
  theme.palette.setColor(QPalette::Light, QColor(0xffffff));
  theme.palette.setColor(QPalette::Dark, QColor(0xffffff));
  theme.chartBackground = QColor(Qt::black);
  theme.grid = QColor(0x5e5e5e);
  theme.gridStrong = QColor(0x8a8a8a);
  theme.axisText = QColor(0xf0f0f0);
  theme.reference = QColor(0xc4c4c4);
  theme.noise = QColor(0x4a, 0x4a, 0x4a, 150);
  theme.nonFinite = QColor(0xff8ae6);
  theme.dimText = QColor(0xc9c9c9);
  theme.emphasis = QColor(0x3d2d00);
  theme.fine = QColor(0x62e3a3);
  theme.look = QColor(0xffbf5e);
  theme.broken = QColor(0xff9a92);
  theme.variants =
      colors({0x5fb4ff, 0xff9a4d, 0x3fe0ad, 0xf4a8d6, 0xffd23f, 0xa8e4ff, 0xc3b0ff, 0xd0d0d0});
  return theme;
}

const std::array<QList<qreal>, 8>& dashPatterns() {
  static const std::array<QList<qreal>, 8> kPatterns{
      {{}, {7, 3}, {2, 2}, {8, 3, 2, 3}, {12, 4}, {8, 3, 2, 3, 2, 3}, {4, 2}, {1, 3}}};
  return kPatterns;
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
  if (index == kReferenceStyle) {
    return {.color = reference, .marker = MarkerShape::Circle};
  }
  // Beyond eight variants colours repeat; marker and dash then shift, so that pairs stay distinct.
  const int round = index / kCount;
  const auto place = static_cast<std::size_t>(index % kCount);
  const auto shifted = static_cast<std::size_t>((index + 3 * round) % kCount);
  return {.color = variants.at(place),
          .marker = static_cast<MarkerShape>(shifted),
          .dashes = dashPatterns().at(shifted)};
}

QColor Theme::severityColor(Severity severity) const {
  return severity == Severity::Fine ? fine : severity == Severity::Look ? look : broken;
}

const Theme& lightTheme() {
  static const Theme kTheme = makeLight();
  return kTheme;
}

const Theme& darkTheme() {
  static const Theme kTheme = makeDark();
  return kTheme;
}

const Theme& highContrastTheme() {
  static const Theme kTheme = makeHighContrast();
  return kTheme;
}

double contrastRatio(const QColor& a, const QColor& b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace ulp::views
