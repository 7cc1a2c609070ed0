#include "views/charts/raster/raster.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"
#include "tests/support/window/golden.h"

namespace ulp::views::charts {
namespace {

using test::kInfinity;
using test::kNan;

RasterGrid filled(int rows, int columns, double value) {
  return {.rows = rows,
          .columns = columns,
          .values = std::vector<double>(static_cast<std::size_t>(rows) * columns, value)};
}

Range all(int count) {
  return {0, static_cast<double>(count)};
}

ColorScale logScale() {
  return {.kind = ScaleKind::Logarithmic, .map = ColorMap::Cividis, .range = {1e-3, 1}};
}

QImage picture(const RasterGrid& grid,
               const QSize& pixels,
               const ColorScale& scale,
               const Theme& theme = lightTheme()) {
  return colorize(
      aggregate(grid, all(grid.columns), all(grid.rows), pixels, scale.kind, Prefer::Magnitude),
      scale,
      scaleColors(scale, theme),
      1);
}

TEST(AxisBins, OneCellABinWhereCellsAreWide) {
  const AxisBins bins = axisBins({0, 3}, 3, 10);
  EXPECT_EQ(bins.cells, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(bins.binOfPixel, (std::vector<int>{0, 0, 0, 1, 1, 1, 1, 2, 2, 2}));
}

TEST(AxisBins, EveryVisibleCellIsInExactlyOneBin) {
  for (const Range visible : {Range{0, 1000}, Range{13.4, 911.9}, Range{500.5, 999.99}}) {
    const AxisBins bins = axisBins(visible, 1000, 37);
    EXPECT_EQ(bins.size(), 37);
    EXPECT_EQ(bins.cells.front(), static_cast<int>(visible.low));
    EXPECT_EQ(bins.cells.back(), static_cast<int>(std::ceil(visible.high)));
    for (int bin = 0; bin < bins.size(); ++bin) {
      EXPECT_LT(bins.cells[static_cast<std::size_t>(bin)],
                bins.cells[static_cast<std::size_t>(bin) + 1]);
    }
  }
}

int pixelsOf(QRgb colour, const QImage& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      count += image.pixel(x, y) == colour ? 1 : 0;
    }
  }
  return count;
}

TEST(Raster, APixelShowsTheLargestMagnitude) {
  RasterGrid grid = filled(1, 8, 0.1);
  grid.values[3] = -0.7;
  grid.values[6] = 0.4;
  const auto shown = [&](Prefer prefer) {
    return aggregate(grid, all(8), all(1), {2, 1}, ScaleKind::Linear, prefer).positions;
  };
  EXPECT_EQ(shown(Prefer::Magnitude), (std::vector<double>{-0.7, 0.4}));
  EXPECT_EQ(shown(Prefer::Largest), (std::vector<double>{0.1, 0.4}));
  EXPECT_EQ(shown(Prefer::Smallest), (std::vector<double>{-0.7, 0.1}));
}

TEST(Raster, NoNonFiniteCellIsLostAtAnyZoom) {
  constexpr int kSide = 600;
  std::mt19937 random(7);
  const QRgb magenta = lightTheme().nonFinite.rgb();
  for (const double broken : {kNan, kInfinity, -kInfinity}) {
    RasterGrid grid = filled(kSide, kSide, 0.5);
    const int row = static_cast<int>(random() % kSide);
    const int column = static_cast<int>(random() % kSide);
    grid.values[grid.at(row, column)] = broken;
    for (const QSize& size : {QSize(17, 13), QSize(100, 250), QSize(599, 599), QSize(900, 700)}) {
      EXPECT_GE(pixelsOf(magenta, picture(grid, size, logScale())), 1)
          << size.width() << ' ' << row << ' ' << column;
    }
  }
}

TEST(Raster, ACellWithBrokenElementsIsNonFiniteWhateverItsValue) {
  RasterGrid grid = filled(1, 4, 0.5);
  grid.nonFinite = {0, 0, 12, 0};
  const QImage image = picture(grid, {4, 1}, logScale());
  EXPECT_EQ(image.pixel(2, 0), lightTheme().nonFinite.rgb());
  EXPECT_NE(image.pixel(1, 0), lightTheme().nonFinite.rgb());
  // Where there is room the hatching lets the value's colour through.
  const QImage large = picture(grid, {160, 40}, logScale());
  const ScaleColors colors = scaleColors(logScale(), lightTheme());
  const QRgb value = flatColor(logScale(), colors, 0.5);
  int hatched = 0;
  int ground = 0;
  for (int x = 80; x < 120; ++x) {
    hatched += large.pixel(x, 20) == colors.nonFinite ? 1 : 0;
    ground += large.pixel(x, 20) == value ? 1 : 0;
  }
  EXPECT_GT(hatched, 10);
  EXPECT_EQ(hatched + ground, 40);
}

TEST(Raster, MissingIsAGapOnlyWhereNothingElseIs) {
  RasterGrid grid = filled(1, 4, 0);
  grid.values = {0.5, 0.5, 0.9, 0.9};
  grid.missing = {1, 0, 1, 1};
  const RasterAggregate gathered =
      aggregate(grid, all(4), all(1), {2, 1}, ScaleKind::Linear, Prefer::Magnitude);
  EXPECT_EQ(gathered.flags, (std::vector<std::uint8_t>{RasterAggregate::HasNumber, 0}));
  EXPECT_EQ(gathered.positions[0], 0.5);
  const QImage image = picture(grid, {4, 1}, logScale());
  EXPECT_EQ(image.pixel(0, 0), lightTheme().chartBackground.rgb());
  EXPECT_NE(image.pixel(1, 0), lightTheme().chartBackground.rgb());
}

TEST(Raster, AutoFittedExtremesAreInRange) {
  RasterGrid grid = filled(1, 3, 0.37);
  grid.values = {3.3e-7, 0.02, 41.7};
  ColorScale scale = logScale();
  scale.range = fittedRange(distributionOf(grid, scale.kind));
  const QImage image = picture(grid, {3, 1}, scale);
  const ScaleColors colors = scaleColors(scale, lightTheme());
  EXPECT_EQ(image.pixel(0, 0), colors.map->front());
  EXPECT_EQ(image.pixel(2, 0), colors.map->back());
}

TEST(Raster, OnlyVisibleCellsAreGathered) {
  RasterGrid grid = filled(10, 10, 0.1);
  grid.values[grid.at(2, 3)] = kNan;
  const auto flagsOf = [&](const Range& x, const Range& y) {
    const RasterAggregate seen =
        aggregate(grid, x, y, {50, 50}, ScaleKind::Linear, Prefer::Magnitude);
    return std::count_if(seen.flags.begin(), seen.flags.end(), [](std::uint8_t flags) {
      return (flags & RasterAggregate::HasNonFinite) != 0;
    });
  };
  EXPECT_EQ(flagsOf({3, 5}, {2, 4}), 1);
  EXPECT_EQ(flagsOf({4, 6}, {2, 4}), 0);
  EXPECT_EQ(flagsOf({3.9, 6}, {2.9, 4}), 1);
}

TEST(Raster, EmptyGridsMakeEmptyPictures) {
  const RasterGrid none;
  const RasterAggregate gathered =
      aggregate(none, {0, 1}, {0, 1}, {20, 20}, ScaleKind::Linear, Prefer::Magnitude);
  EXPECT_TRUE(gathered.flags.empty());
  EXPECT_TRUE(colorize(gathered, logScale(), scaleColors(logScale(), lightTheme()), 1).isNull());
}

TEST(Raster, LooksAsItShould) {
  RasterGrid grid = filled(6, 8, 0);
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      grid.values[grid.at(row, column)] = std::pow(10.0, -3.2 + 0.08 * (row * 8 + column));
    }
  }
  grid.missing.assign(48, 0);
  grid.nonFinite.assign(48, 0);
  grid.missing[10] = grid.missing[11] = 1;
  grid.nonFinite[20] = 4;
  grid.values[29] = kNan;
  for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
    test::expectGolden(picture(grid, {320, 180}, logScale(), *theme),
                       QStringLiteral(ULP_SOURCE_DIR "/tests/views/charts/golden/raster_%1.png")
                           .arg(theme->dark ? QStringLiteral("dark") : QStringLiteral("light")),
                       0.002);
  }
}

}  // namespace
}  // namespace ulp::views::charts
