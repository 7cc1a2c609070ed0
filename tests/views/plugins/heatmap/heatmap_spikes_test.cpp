#include <gtest/gtest.h>

#include "tests/support/data/dump_files.h"
#include "tests/support/data/one_dump_report.h"
#include "tests/support/machine/temp_dir.h"
#include "views/plugins/heatmap/heatmap_content.h"
#include "views/plugins/heatmap/heatmap_units.h"

namespace ulp::views {
namespace {

/// Four steps of two layers; at step 3 the norm of the second is a hundred times as large.
DocumentPtr spikingSteps(const test::TempDir& folder) {
  for (int step = 0; step < 4; ++step) {
    test::writeStatisticsDump(
        folder.path() / ("step" + std::to_string(step)) / "rank0",
        {{"model.layers.0", 1}, {"model.layers.1", 1, step == 3 ? 200.0 : 2.0}});
  }
  return ReportDocument::build(
      {.report = std::make_shared<const report::Report>(test::reportOfOneDump(folder.path()))});
}

Heatmap heatmapOf(const ReportDocument& document, HeatmapMode mode, const char* metric) {
  auto heatmap = makeHeatmap(document,
                             {.mode = mode,
                              .shown = PassFilter::Forward,
                              .metric = document.findMetric(QLatin1String(metric))});
  EXPECT_TRUE(heatmap);
  return *heatmap;
}

TEST(HeatmapSpikes, TheCellIsMarkedWhereASpikeBegins) {
  const test::TempDir folder;
  const DocumentPtr document = spikingSteps(folder);
  for (const HeatmapMode mode : {HeatmapMode::Steps, HeatmapMode::Variants}) {
    const Heatmap heatmap = heatmapOf(*document, mode, "recorded.norm");
    ASSERT_EQ(heatmap.rowCount(), 4);
    ASSERT_EQ(heatmap.columns.size(), 2);
    EXPECT_EQ(heatmap.spikes, (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 1}));
    const Heatmap turned = sorted(heatmap, RowOrder::Maximum, -1);
    EXPECT_EQ(turned.spikes, (std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0, 0, 0}))
        << "marks move with their rows";
  }
}

TEST(HeatmapSpikes, AreMarkedFromTheThresholdInForceOn) {
  const test::TempDir folder;
  const DocumentPtr document = spikingSteps(folder);
  HeatmapRequest request{.mode = HeatmapMode::Steps,
                         .shown = PassFilter::Forward,
                         .metric = document->findMetric(QStringLiteral("recorded.norm"))};
  request.spikeFactor = 99;
  EXPECT_FALSE(makeHeatmap(*document, request)->spikes.empty());
  request.spikeFactor = 101;
  EXPECT_TRUE(makeHeatmap(*document, request)->spikes.empty());
}

TEST(HeatmapSpikes, AnotherMetricHasMarksOfItsOwn) {
  const test::TempDir folder;
  const DocumentPtr document = spikingSteps(folder);
  EXPECT_TRUE(heatmapOf(*document, HeatmapMode::Steps, "recorded.largest").spikes.empty());
}

TEST(HeatmapSpikes, TheReadOutSaysThatItBeginsThere) {
  const test::TempDir folder;
  const DocumentPtr document = spikingSteps(folder);
  const auto heatmap =
      std::make_shared<const Heatmap>(heatmapOf(*document, HeatmapMode::Steps, "recorded.norm"));
  const charts::RasterContent content = heatmapContent(heatmap, document, 0);
  EXPECT_EQ(content.marks, heatmap->spikes);
  const auto saysSpike = [&](int row) {
    return std::ranges::any_of(content.readout(row, 1).lines, [](const auto& line) {
      return line.first == QStringLiteral("Spike");
    });
  };
  EXPECT_TRUE(saysSpike(3));
  EXPECT_FALSE(saysSpike(2));
}

}  // namespace
}  // namespace ulp::views
