#include "views/charts/raster/color_scale.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"
#include "views/charts/raster/raster.h"

namespace ulp::views::charts {
namespace {

using test::kInfinity;
using test::kNan;

RasterGrid row(std::vector<double> values) {
  const int columns = static_cast<int>(values.size());
  return {.rows = 1, .columns = columns, .values = std::move(values)};
}

TEST(ColorScale, TellsClassesApart) {
  const ColorScale scale{.kind = ScaleKind::Logarithmic, .range = {1e-3, 1}};
  EXPECT_EQ(scale.classOf(0.5), CellClass::InRange);
  EXPECT_EQ(scale.classOf(1e-3), CellClass::InRange);
  EXPECT_EQ(scale.classOf(1), CellClass::InRange);
  EXPECT_EQ(scale.classOf(1.0001), CellClass::AboveRange);
  EXPECT_EQ(scale.classOf(9e-4), CellClass::BelowRange);
  EXPECT_EQ(scale.classOf(0), CellClass::BelowRange);
  EXPECT_EQ(scale.classOf(kNan), CellClass::NonFinite);
  EXPECT_EQ(scale.classOf(-kInfinity), CellClass::NonFinite);
}

TEST(ColorScale, LogarithmicPositionsAreExactEnoughAndNeverFall) {
  const ColorScale scale{.kind = ScaleKind::Logarithmic};
  double before = -kInfinity;
  double value = 1e-310;
  while (value < 1e300) {
    EXPECT_NEAR(scale.position(value), std::log10(value), 1e-8) << value;
    EXPECT_GT(scale.position(value), before) << value;
    before = scale.position(value);
    value *= 1.37;
  }
  for (int i = 0; i < 10'000; ++i) {
    const double near = 0.7 + i * 1e-5;
    EXPECT_LE(scale.position(near), scale.position(std::nextafter(near, 2)));
  }
  EXPECT_EQ(scale.position(0), -kInfinity);
  EXPECT_EQ(scale.position(-1), -kInfinity);
  EXPECT_TRUE(std::isnan(scale.position(kNan)));
}

TEST(ColorScale, SpreadsDecadesEvenlyOverTheMap) {
  const ColorScale scale{.kind = ScaleKind::Logarithmic, .range = {1e-4, 1}};
  const ScaleColors colors = scaleColors(scale, lightTheme());
  EXPECT_EQ(flatColor(scale, colors, 1e-4), colors.map->front());
  EXPECT_EQ(flatColor(scale, colors, 1), colors.map->back());
  EXPECT_EQ(flatColor(scale, colors, 2e-2), (*colors.map)[147]);  // 2.30 of 4 decades
}

TEST(ColorScale, ReversedKeepsTheBrightEndForWhatIsBad) {
  const ColorScale scale{.kind = ScaleKind::Linear, .range = {0, 1}, .reversed = true};
  const ScaleColors colors = scaleColors(scale, lightTheme());
  EXPECT_EQ(flatColor(scale, colors, 0), colors.map->back());
  EXPECT_EQ(flatColor(scale, colors, 1), colors.map->front());
  EXPECT_EQ(flatColor(scale, colors, -1), lightTheme().aboveRange.rgb());
  EXPECT_EQ(flatColor(scale, colors, 2), lightTheme().belowRange.rgb());
}

TEST(ColorScale, SymmetricHasZeroInTheMiddle) {
  const ColorScale scale{
      .kind = ScaleKind::Symmetric, .map = ColorMap::Diverging, .range = {-4, 4}};
  const ScaleColors colors = scaleColors(scale, darkTheme());
  EXPECT_EQ(flatColor(scale, colors, 0), (*colors.map)[128]);
  EXPECT_EQ(flatColor(scale, colors, -5), darkTheme().belowSigned.rgb());
  EXPECT_EQ(flatColor(scale, colors, 5), darkTheme().aboveRange.rgb());
}

TEST(ColorScale, SpecialLooksAreNoColoursOfAnyMap) {
  const auto distance = [](QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) +
           std::abs(qBlue(a) - qBlue(b));
  };
  for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
    for (const ColorMap map : {ColorMap::Cividis, ColorMap::Viridis, ColorMap::Diverging}) {
      const bool isSigned = map == ColorMap::Diverging;
      const ColorScale scale{.kind = isSigned ? ScaleKind::Symmetric : ScaleKind::Linear,
                             .map = map};
      const ScaleColors colors = scaleColors(scale, *theme);
      for (const QRgb color : *colors.map) {
        EXPECT_GT(distance(color, colors.nonFinite), 70) << toText(map).toStdString();
        EXPECT_GT(distance(color, colors.above), 70) << toText(map).toStdString();
        EXPECT_GT(distance(color, colors.below), 50) << toText(map).toStdString();
      }
      EXPECT_GT(distance(colors.below, colors.background), 40);
    }
  }
}

TEST(ColorScale, CountsEveryCellOnce) {
  RasterGrid grid = row({0.5, 0, 2, kNan, -kInfinity, 0.1, 0.2, 0.3});
  grid.missing = {0, 0, 0, 0, 0, 0, 0, 1};
  grid.nonFinite = {0, 0, 0, 9, 1, 3, 0, 0};
  const ClassCounts counts = countClasses(grid, {.range = {1e-3, 1}});
  EXPECT_EQ(counts.inRange, 2U);    // 0.5, 0.2
  EXPECT_EQ(counts.below, 1U);      // 0
  EXPECT_EQ(counts.above, 1U);      // 2
  EXPECT_EQ(counts.nonFinite, 3U);  // NaN, -Inf, and 0.1 with three broken elements
  EXPECT_EQ(counts.missing, 1U);
}

TEST(ValueDistribution, LeavesOutWhatHasNoPlace) {
  RasterGrid grid = row({1e-3, 1, 0, -2, kNan, kInfinity, 50});
  grid.missing = {0, 0, 0, 0, 0, 0, 1};
  const ValueDistribution log = distributionOf(grid, ScaleKind::Logarithmic, 3);
  EXPECT_EQ(log.extent, (Range{1e-3, 1}));
  EXPECT_EQ(log.bins, (std::vector<std::uint64_t>{1, 0, 1}));
  const ValueDistribution linear = distributionOf(grid, ScaleKind::Linear, 3);
  EXPECT_EQ(linear.extent, (Range{-2, 1}));
  EXPECT_EQ(linear.bins, (std::vector<std::uint64_t>{1, 0, 3}));
}

TEST(ValueDistribution, FitsARangeToAnything) {
  const auto fitted = [](std::vector<double> values, ScaleKind kind) {
    return fittedRange(distributionOf(row(std::move(values)), kind));
  };
  EXPECT_EQ(fitted({0.01, 0.5, kNan}, ScaleKind::Logarithmic), (Range{0.01, 0.5}));
  EXPECT_EQ(fitted({-3, 2}, ScaleKind::Symmetric), (Range{-3, 3}));
  EXPECT_EQ(fitted({0, 0}, ScaleKind::Symmetric), (Range{-1, 1}));
  EXPECT_EQ(fitted({kNan}, ScaleKind::Logarithmic), (Range{1e-3, 1}));
  EXPECT_EQ(fitted({}, ScaleKind::Linear), (Range{0, 1}));
  EXPECT_EQ(fitted({4}, ScaleKind::Linear), (Range{2, 6}));
  const Range one = fitted({0.1}, ScaleKind::Logarithmic);
  EXPECT_NEAR(one.high / one.low, 10, 1e-9);
}

}  // namespace
}  // namespace ulp::views::charts
