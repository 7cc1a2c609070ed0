#include "views/plugins/heatmap/heatmap_data.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"
#include "tests/views/realistic_report.h"
#include "views/plugins/heatmap/heatmap_content.h"

namespace ulp::views {
namespace {

using test::kNan;

DocumentPtr document(const test::ReportShape& shape) {
  return test::documentOf(test::realisticReport(shape));
}

int metricOf(const ReportDocument& report) {
  return report.findMetric(QStringLiteral("rms_rel"));
}

Heatmap variants(const DocumentPtr& report, PassFilter shown = PassFilter::ForwardBackward) {
  return variantsByLayer(*report, {.shown = shown, .metric = metricOf(*report)});
}

std::vector<QString> labels(const Heatmap& heatmap) {
  std::vector<QString> result;
  for (const HeatmapRow& row : heatmap.rows) {
    result.push_back(row.label);
  }
  return result;
}

/// Three rows a, b, c of two columns, as tokens.
Heatmap parts(std::vector<PartColumn> columns) {
  charts::DepthAxis axis;
  for (int i = 0; i < 2; ++i) {
    axis.positions.push_back({.site = i, .layer = i, .name = QString::number(i)});
  }
  axis.fold = 2;
  MetricInfo metric;
  metric.id = QStringLiteral("rms_rel");
  return partsByLayer(HeatmapMode::Tokens, metric, 0, axis, columns, 0);
}

TEST(Heatmap, VariantsByLayerHoldsTheReportsValues) {
  const DocumentPtr report = document({.layers = 3});
  const Heatmap heatmap = variants(report);
  EXPECT_EQ(heatmap.rowCount(), 4);
  // embeddings, 3 layers, norm, logits; back without the embeddings.
  EXPECT_EQ(heatmap.columns.size(), 6 + 5);
  EXPECT_EQ(heatmap.columns.fold, 6);
  for (const int column : {0, 2, 7}) {
    const int site = heatmap.siteAt(1, column);
    EXPECT_EQ(heatmap.grid->value(1, column), report->value(1, site, metricOf(*report)));
  }
  EXPECT_EQ(variants(report, PassFilter::Forward).columns.size(), 6);
  EXPECT_EQ(variants(report, PassFilter::Backward).columns.size(), 5);
}

TEST(Heatmap, MissingIsAGapAndNonFiniteIsNot) {
  report::Report report = test::realisticReport({.layers = 3});
  report::Run& run = report.runs[1];
  run.comparisons.erase(run.comparisons.begin());  // embeddings
  report::Comparison& broken = run.comparisons[11];
  ASSERT_EQ(broken.site.name, "decoder.0");
  broken.variantNonFinite = {7, 0, 1};
  for (double& value : broken.metrics) {
    value = kNan;
  }
  const DocumentPtr document = test::documentOf(report);
  const Heatmap heatmap = variants(document);
  const auto columnOf = [&](const char* name) {
    for (int i = 0; i < heatmap.columns.size(); ++i) {
      if (heatmap.columns.at(i).name == QLatin1String(name)) {
        return i;
      }
    }
    return -1;
  };
  EXPECT_TRUE(heatmap.grid->isMissing(0, columnOf("embeddings")));
  EXPECT_FALSE(heatmap.grid->isMissing(1, columnOf("embeddings")));
  const int column = columnOf("decoder.0");
  EXPECT_FALSE(heatmap.grid->isMissing(0, column));
  EXPECT_EQ(heatmap.grid->nonFinite[heatmap.grid->at(0, column)], 8U);
  const charts::ClassCounts counts =
      charts::countClasses(*heatmap.grid, fittedScale(heatmap, charts::ColorMap::Cividis));
  EXPECT_EQ(counts.missing, 1U);
  EXPECT_EQ(counts.nonFinite, 1U);
  EXPECT_EQ(counts.below + counts.above, 0U);
  const auto read =
      heatmapContent(std::make_shared<const Heatmap>(heatmap), document, 0).readout(0, column);
  EXPECT_EQ(read.lines.front().second, QStringLiteral("NaN")) << "as the cell says";
}

TEST(Heatmap, ModulesByLayerKeepsTheOrderOfExecution) {
  const DocumentPtr report = document({.layers = 3});
  const Heatmap heatmap = modulesByLayer(*report, {.variant = 2, .metric = metricOf(*report)});
  EXPECT_EQ(labels(heatmap).front(), QStringLiteral("input_layernorm"));
  EXPECT_EQ(labels(heatmap).back(), QStringLiteral("layer output"));
  EXPECT_EQ(heatmap.rowCount(), 12);
  ASSERT_EQ(heatmap.columns.size(), 6);
  EXPECT_EQ(heatmap.columns.at(0).layer, 0);
  EXPECT_EQ(heatmap.columns.at(3).layer, 2);  // back from the last layer
  EXPECT_EQ(heatmap.columns.at(3).pass, Pass::Backward);
  const int site = report->findSite("model.layers.2.mlp.down_proj", Pass::Backward);
  EXPECT_EQ(heatmap.siteAt(9, 3), site);
  EXPECT_EQ(heatmap.grid->value(9, 3), report->value(2, site, metricOf(*report)));
}

TEST(Heatmap, ColoursMeanTheSameForEveryVariant) {
  const DocumentPtr report = document({.layers = 3});
  const auto scaleOf = [&](int variant) {
    return fittedScale(modulesByLayer(*report, {.variant = variant, .metric = metricOf(*report)}),
                       charts::ColorMap::Cividis);
  };
  EXPECT_EQ(scaleOf(0), scaleOf(3));
}

TEST(Heatmap, PartsFillInColumnByColumn) {
  const Heatmap started = parts({analysis::PartErrors{{0.1, 0.2, 0.3}, {0, 0, 0}}});
  EXPECT_EQ(started.rowCount(), 3);
  EXPECT_FALSE(started.grid->isMissing(2, 0));
  EXPECT_TRUE(started.grid->isMissing(0, 1));
  const Heatmap whole = parts({analysis::PartErrors{{0.1, 0.2, 0.3}, {0, 0, 0}},
                               analysis::PartErrors{{0.5, kNan}, {0, 2}}});
  EXPECT_EQ(whole.grid->value(0, 1), 0.5);
  EXPECT_EQ(whole.grid->nonFinite[whole.grid->at(1, 1)], 2U);
  EXPECT_TRUE(whole.grid->isMissing(2, 1));
}

TEST(Heatmap, NamesTokensOfSeveralSequences) {
  charts::DepthAxis axis;
  axis.positions.push_back({.site = 0});
  const Heatmap heatmap = partsByLayer(HeatmapMode::Tokens,
                                       {},
                                       0,
                                       axis,
                                       {analysis::PartErrors{{0.1, 0.2, 0.3, 0.4}, {0, 0, 0, 0}}},
                                       2);
  EXPECT_EQ(labels(heatmap),
            (std::vector<QString>{QStringLiteral("0:0"),
                                  QStringLiteral("0:1"),
                                  QStringLiteral("1:0"),
                                  QStringLiteral("1:1")}));
}

TEST(HeatmapOrder, PutsTheWorstFirstAndWhatIsMissingLast) {
  // Rows: 0 small but broken in the second column, 1 missing, 2 large mean, 3 largest cell.
  const Heatmap heatmap = parts({analysis::PartErrors{{0.1, kNan, 0.5, 0.01}, {0, 0, 0, 0}},
                                 analysis::PartErrors{{kNan, kNan, 0.5, 0.8}, {3, 0, 0, 0}}});
  const auto order = [&](RowOrder by, int column = -1) {
    return labels(sorted(heatmap, by, column));
  };
  const auto rows = [](const char* text) {
    std::vector<QString> result;
    for (const char* digit = text; *digit != 0; ++digit) {
      result.emplace_back(QLatin1Char(*digit));
    }
    return result;
  };
  EXPECT_EQ(order(RowOrder::Execution), rows("0123"));
  EXPECT_EQ(order(RowOrder::Mean), rows("0231"));
  EXPECT_EQ(order(RowOrder::Maximum), rows("0321"));
  EXPECT_EQ(order(RowOrder::Column, 0), rows("2031"));
  EXPECT_EQ(order(RowOrder::Column, 1), rows("0321"));
  const Heatmap moved = sorted(heatmap, RowOrder::Maximum, -1);
  EXPECT_EQ(moved.grid->value(1, 1), 0.8);
  EXPECT_EQ(moved.grid->nonFinite[moved.grid->at(0, 1)], 3U);
  EXPECT_TRUE(moved.grid->isMissing(3, 0));
}

TEST(HeatmapOrder, HigherIsWorseOnlyWhereLowerIsBetter) {
  Heatmap heatmap = parts({analysis::PartErrors{{0.9, 0.5}, {0, 0}}});
  heatmap.metric.better = numerics::Better::Higher;
  EXPECT_EQ(labels(sorted(heatmap, RowOrder::Mean, -1)).front(), QStringLiteral("1"));
}

TEST(HeatmapContent, ReadsACellInWords) {
  const DocumentPtr report = document({.layers = 12});
  const auto heatmap = std::make_shared<const Heatmap>(variants(report));
  const charts::RasterContent content = heatmapContent(heatmap, report, 0);
  const int site = report->findSite("decoder.11", Pass::Forward);
  const int column = heatmap->columns.find(site);
  const charts::RasterReadout readout = content.readout(0, column);
  EXPECT_EQ(readout.title, QStringLiteral("bf16 · forward · decoder.11"));
  ASSERT_EQ(readout.lines.size(), 1U);
  EXPECT_EQ(readout.lines[0].first, QStringLiteral("RMS rel"));
  EXPECT_EQ(readout.lines[0].second,
            metricTextWithUnit(report->value(0, site, metricOf(*report)), heatmap->metric));
}

TEST(HeatmapContent, TableTwinHoldsEveryCellWithItsCounts) {
  report::Report report = test::realisticReport({.layers = 2, .variants = {"a", "b"}});
  report.runs[2].comparisons[0].variantNonFinite = {0, 5, 0};
  report.runs[1].comparisons.erase(report.runs[1].comparisons.begin());
  const DocumentPtr built = test::documentOf(report);
  const Heatmap heatmap = variants(built);
  const report::DataTable table = heatmapTable(heatmap, *built);
  ASSERT_EQ(table.rows.size(), 2U * static_cast<std::size_t>(heatmap.columns.size()));
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.columns[3].unit, "%");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(table.rows[0][3]));  // a: no embeddings
  const auto& b = table.rows[static_cast<std::size_t>(heatmap.columns.size())];
  EXPECT_EQ(std::get<std::string>(b[0]), "b");
  EXPECT_EQ(std::get<std::string>(b[2]), "embeddings");
  EXPECT_DOUBLE_EQ(std::get<double>(b[3]), 100 * heatmap.grid->value(1, 0));
  EXPECT_EQ(std::get<double>(b[4]), 5);
}

}  // namespace
}  // namespace ulp::views
