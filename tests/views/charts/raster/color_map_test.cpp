#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "views/charts/raster/color_scale.h"

namespace ulp::views::charts {
namespace {

struct Lab {
  double l = 0;
  double a = 0;
  double b = 0;
};

/// CIE L*a*b* of an sRGB colour under D65.
Lab labOf(QRgb color) {
  const auto linear = [](int channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double r = linear(qRed(color));
  const double g = linear(qGreen(color));
  const double b = linear(qBlue(color));
  const auto f = [](double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  };
  const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(ColorMap, MeetsThePublishedEndsAndMiddles) {
  const ColorTable& cividis = colorTable(ColorMap::Cividis, false);
  EXPECT_EQ(cividis.front(), qRgb(0x00, 0x22, 0x4e));
  EXPECT_EQ(cividis.back(), qRgb(0xfe, 0xe8, 0x38));
  const ColorTable& viridis = colorTable(ColorMap::Viridis, true);
  EXPECT_EQ(viridis.front(), qRgb(0x44, 0x01, 0x54));
  EXPECT_EQ(viridis.back(), qRgb(0xfd, 0xe7, 0x25));
  // Entry 64 of matplotlib's table, which is none of our control points.
  EXPECT_NEAR(qRed(viridis[64]), 0x3b, 2);
  EXPECT_NEAR(qGreen(viridis[64]), 0x52, 2);
  EXPECT_NEAR(qBlue(viridis[64]), 0x8b, 2);
}

TEST(ColorMap, SequentialMapsOnlyGetLighter) {
  for (const ColorMap map : {ColorMap::Cividis, ColorMap::Viridis, ColorMap::Grey}) {
    const ColorTable& table = colorTable(map, false);
    for (std::size_t i = 8; i < table.size(); i += 8) {
      EXPECT_GT(labOf(table[i]).l, labOf(table[i - 8]).l) << toText(map).toStdString() << i;
    }
    EXPECT_GT(labOf(table.back()).l - labOf(table.front()).l, 70) << toText(map).toStdString();
  }
}

TEST(ColorMap, LightnessGrowsEvenly) {
  for (const ColorMap map : {ColorMap::Cividis, ColorMap::Viridis, ColorMap::Grey}) {
    const ColorTable& table = colorTable(map, false);
    const double whole = labOf(table.back()).l - labOf(table.front()).l;
    for (std::size_t i = 0; i < 8; ++i) {
      const double step = labOf(table[(i + 1) * 255 / 8]).l - labOf(table[i * 255 / 8]).l;
      EXPECT_NEAR(step / whole, 1.0 / 8, 0.045) << toText(map).toStdString() << ' ' << i;
    }
  }
}

TEST(ColorMap, DivergingIsNeutralInTheMiddleAndEvenOnBothSides) {
  for (const bool dark : {false, true}) {
    const ColorTable& table = colorTable(ColorMap::Diverging, dark);
    const Lab middle = labOf(table[128]);
    EXPECT_LT(std::hypot(middle.a, middle.b), 10) << dark;
    EXPECT_EQ(middle.l < 50, dark);
    EXPECT_NEAR(labOf(table.front()).l, labOf(table.back()).l, 12) << dark;
    EXPECT_LT(labOf(table[40]).b, 0) << dark;   // blue below zero
    EXPECT_GT(labOf(table[215]).a, 0) << dark;  // red above
  }
}

TEST(ColorMap, NamesAreReadBack) {
  for (const ColorMap map :
       {ColorMap::Cividis, ColorMap::Viridis, ColorMap::Grey, ColorMap::Diverging}) {
    EXPECT_EQ(parseColorMap(toText(map)), map);
  }
  EXPECT_EQ(parseColorMap(QStringLiteral("jet")), std::nullopt);
}

}  // namespace
}  // namespace ulp::views::charts
