#include "views/charts/raster/color_map.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <QtGui/QColor>

namespace ulp::views::charts {
namespace {

/// viridis of matplotlib 3.8 (S. van der Walt, N. Smith; CC0) at 33 equal steps; between them the
/// channels are interpolated linearly, which is never off by more than 2 of 255.
constexpr std::array<QRgb, 33> kViridis{
    0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453681, 0x424086, 0x3f4989, 0x3b528b,
    0x375a8d, 0x33638d, 0x2f6a8e, 0x2c728e, 0x297a8e, 0x26818e, 0x23898e, 0x21908c, 0x1f988b,
    0x1f9f88, 0x21a685, 0x28ae80, 0x31b57b, 0x3ebc74, 0x4cc26c, 0x5dc963, 0x6ece58, 0x82d34c,
    0x96d83f, 0xabdc32, 0xc0df24, 0xd5e21a, 0xeae51a, 0xfde725};

/// cividis of matplotlib 3.8 (J. Nuñez, C. Anderton, R. Renslow 2018, doi
/// 10.1371/journal.pone.0199239) at 33 equal steps.
constexpr std::array<QRgb, 33> kCividis{
    0x00224e, 0x00285b, 0x002e6a, 0x043371, 0x1a386f, 0x273e6e, 0x32436d, 0x3b496c, 0x434e6c,
    0x4b546c, 0x52596d, 0x5a5f6e, 0x61656f, 0x686a71, 0x6f7073, 0x757676, 0x7c7b78, 0x848179,
    0x8b8778, 0x938d78, 0x9b9376, 0xa39a75, 0xaba072, 0xb3a670, 0xbbad6c, 0xc3b469, 0xccba64,
    0xd4c15f, 0xddc958, 0xe6d051, 0xefd748, 0xf8df3c, 0xfee838};

/// vik and berlin of the Scientific colour maps 8 (F. Crameri, doi 10.5281/zenodo.1243862) at 17
/// equal steps: blue below zero, red above, a light and a dark middle.
constexpr std::array<QRgb, 17> kVik{0x001261,
                                    0x022b71,
                                    0x034481,
                                    0x0c5e92,
                                    0x2f7ca6,
                                    0x609dbc,
                                    0x92bdd2,
                                    0xc5dbe5,
                                    0xece5e1,
                                    0xe9cbb9,
                                    0xdcab8f,
                                    0xcf8e68,
                                    0xc37243,
                                    0xb3531f,
                                    0x932e06,
                                    0x741506,
                                    0x590008};
constexpr std::array<QRgb, 17> kBerlin{0x9eb0ff,
                                       0x79abed,
                                       0x529fd3,
                                       0x3686ad,
                                       0x286886,
                                       0x1d4b61,
                                       0x14313f,
                                       0x111a20,
                                       0x190c09,
                                       0x2a0e01,
                                       0x401201,
                                       0x5a1c07,
                                       0x7c331d,
                                       0x9c503d,
                                       0xbc6e61,
                                       0xdd8d86,
                                       0xffadad};

/// In the order of ColorMap.
constexpr std::array kMapNames{QLatin1StringView("cividis"),
                               QLatin1StringView("viridis"),
                               QLatin1StringView("grey"),
                               QLatin1StringView("diverging")};

ColorTable interpolated(std::span<const QRgb> points) {
  ColorTable table{};
  const auto last = static_cast<double>(points.size() - 1);
  for (std::size_t i = 0; i < kMapColors; ++i) {
    const double place = static_cast<double>(i) * last / (kMapColors - 1);
    const std::size_t from = std::min(static_cast<std::size_t>(place), points.size() - 2);
    const double part = place - static_cast<double>(from);
    const auto channel = [&](int (*of)(QRgb)) {
      return static_cast<int>(
          std::lround(of(points[from]) * (1 - part) + of(points[from + 1]) * part));
    };
    table.at(i) = qRgb(channel(qRed), channel(qGreen), channel(qBlue));
  }
  return table;
}

/// Grey of equal steps of CIE L*, from 8 to 97: neither end disappears in the background.
ColorTable greys() {
  constexpr double kDarkest = 8;
  constexpr double kLightest = 97;
  ColorTable table{};
  for (std::size_t i = 0; i < kMapColors; ++i) {
    const double lightness =
        kDarkest + (kLightest - kDarkest) * static_cast<double>(i) / (kMapColors - 1);
    const double f = (lightness + 16) / 116;
    const double linear = lightness > 8 ? f * f * f : lightness * 27 / 24389;
    const double encoded =
        linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    const int level = static_cast<int>(std::lround(255 * encoded));
    table.at(i) = qRgb(level, level, level);
  }
  return table;
}

}  // namespace

const ColorTable& colorTable(ColorMap map, bool dark) {
  // In the order of ColorMap; the diverging map for a light and for a dark background.
  static const ColorTable kTables[] = {interpolated(kCividis),
                                       interpolated(kViridis),
                                       greys(),
                                       interpolated(kVik),
                                       interpolated(kBerlin)};
  const bool isDark = map == ColorMap::Diverging && dark;
  return kTables[static_cast<std::size_t>(map) + (isDark ? 1 : 0)];
}

QString toText(ColorMap map) {
  return kMapNames.at(static_cast<std::size_t>(map));
}

std::optional<ColorMap> parseColorMap(const QString& text) {
  const auto* const found = std::ranges::find(kMapNames, text);
  return found == kMapNames.end() ? std::nullopt
                                  : std::optional(static_cast<ColorMap>(found - kMapNames.begin()));
}

}  // namespace ulp::views::charts
