/// A heatmap of a million cells in a window of 1280 × 720, painted in software: how long until it
/// is first seen, and how many frames a second follow a drag of its colour range, with the counts
/// of its legend. QT_QPA_PLATFORM=offscreen unless another is named.

#include <benchmark/benchmark.h>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include <QtWidgets/QApplication>

#include "views/charts/raster/range_control.h"
#include "views/charts/raster/raster_widget.h"

namespace ulp::views::charts {
namespace {

/// 8192 tokens by 126 layers is the worst that users draw; a square is harder to aggregate.
constexpr int kSide = 1000;

RasterGridPtr makeGrid() {
  std::mt19937 random(1);
  std::lognormal_distribution<double> errors(-5, 2);
  auto grid = std::make_shared<RasterGrid>();
  grid->rows = kSide;
  grid->columns = kSide;
  for (int i = 0; i < kSide * kSide; ++i) {
    grid->values.push_back(i % 997 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : errors(random));
  }
  grid->missing.assign(grid->values.size(), 0);
  grid->nonFinite.assign(grid->values.size(), 0);
  return grid;
}

ColorScale scaleOf(const RasterGrid& grid) {
  return {.range = fittedRange(distributionOf(grid, ScaleKind::Logarithmic))};
}

void firstPaint(benchmark::State& state) {
  const RasterGridPtr grid = makeGrid();
  QImage picture(1280, 720, QImage::Format_RGB32);
  while (state.KeepRunning()) {
    RasterWidget raster;
    raster.resize(1280, 720);
    RasterContent content;
    content.grid = grid;
    raster.setScale(scaleOf(*grid));
    raster.setContent(std::move(content));
    raster.render(&picture);
    benchmark::DoNotOptimize(picture.constBits());
  }
}
BENCHMARK(firstPaint)->Unit(benchmark::kMillisecond);

void recolour(benchmark::State& state) {
  const RasterGridPtr grid = makeGrid();
  RasterWidget raster;
  RangeControl control;
  raster.resize(1280, 720);
  control.resize(1280, 80);
  QImage picture(1280, 720, QImage::Format_RGB32);
  QImage controlPicture(1280, 80, QImage::Format_RGB32);
  RasterContent content;
  content.grid = grid;
  ColorScale scale = scaleOf(*grid);
  const double high = scale.range.high;
  raster.setContent(std::move(content));
  control.setScale(scale);
  control.setDistribution(distributionOf(*grid, scale.kind));
  raster.render(&picture);
  double part = 1;
  while (state.KeepRunning()) {
    part = part < 0.1 ? 1 : part * 0.99;
    scale.range.high = high * part;
    control.setScale(scale);
    control.setCounts(countClasses(*grid, scale));
    raster.setScale(scale);
    control.render(&controlPicture);
    raster.render(&picture);
    benchmark::DoNotOptimize(picture.constBits());
  }
  state.counters["frames"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(recolour)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ulp::views::charts

int main(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  const QApplication application(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
