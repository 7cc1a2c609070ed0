#include "core/report/summary/summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

const SummaryCell& cell(const SummaryRow& row, std::string_view id) {
  const auto& columns = summaryColumns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].id == id) {
      return row.cells.at(i);
    }
  }
  ADD_FAILURE() << "no column " << id;
  return row.cells.front();
}

/// rms_rel of the sample by {row, pass}, in thousandths.
double thousandths(int layers, std::string_view name, Pass pass) {
  const auto sites = test::layerSites(layers);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (sites[i].name == name && sites[i].pass == pass) {
      return static_cast<double>(i + 1) / 1000;
    }
  }
  return std::nan("");
}

TEST(Summary, HasTheColumnsOfThePass) {
  std::vector<std::string> titles;
  for (const SummaryColumn& column : summaryColumns()) {
    titles.push_back(column.title);
  }
  EXPECT_THAT(titles,
              testing::ElementsAre("embeddings",
                                   "mid median",
                                   "mid max",
                                   "norm",
                                   "logits",
                                   "loss",
                                   "head",
                                   "logits",
                                   "mid median",
                                   "mid max",
                                   "decoder.0",
                                   "LM head",
                                   "linear median",
                                   "linear max",
                                   "norm median",
                                   "norm max",
                                   "bias median",
                                   "bias max",
                                   "embeddings",
                                   "state median",
                                   "state max",
                                   "update median",
                                   "update max"));
}

TEST(Summary, TakesEachCellFromItsRow) {
  const auto rows = summarise(test::sampleReport(6, {"bf16", "fp16"}), "rms_rel");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].run, "fp16");
  const SummaryRow& row = rows[0];
  EXPECT_EQ(cell(row, "forward.embeddings").value, thousandths(6, "embeddings", Pass::Forward));
  EXPECT_EQ(cell(row, "forward.norm").value, thousandths(6, "norm", Pass::Forward));
  EXPECT_EQ(cell(row, "forward.logits").value, thousandths(6, "logits", Pass::Forward));
  EXPECT_EQ(cell(row, "forward.loss").value, thousandths(6, "loss", Pass::Forward));
  EXPECT_EQ(cell(row, "backward.head").value, thousandths(6, "norm", Pass::Backward));
  EXPECT_EQ(cell(row, "backward.head").site.name, "norm");
  EXPECT_EQ(cell(row, "backward.logits").value, thousandths(6, "logits", Pass::Backward));
  EXPECT_EQ(cell(row, "backward.decoder.0").value, thousandths(6, "decoder.0", Pass::Backward));
}

TEST(Summary, MidLeavesOutTheFirstAndTheLastLayer) {
  const auto rows = summarise(test::sampleReport(6, {"bf16"}), "rms_rel");
  // Layers 1 to 4: an even number, so the median is the mean of the two middle ones.
  EXPECT_DOUBLE_EQ(
      cell(rows[0], "forward.mid_median").value,
      (thousandths(6, "decoder.2", Pass::Forward) + thousandths(6, "decoder.3", Pass::Forward)) /
          2);
  EXPECT_EQ(cell(rows[0], "forward.mid_median").site.name, "decoder.2");
  EXPECT_EQ(cell(rows[0], "forward.mid_max").site.name, "decoder.4");
  EXPECT_EQ(cell(rows[0], "backward.mid_max").site.name, "decoder.1");
}

TEST(Summary, AMedianAmongEqualValuesStandsInTheMiddleRow) {
  for (const auto& [layers, middle] : {std::pair(6, "decoder.2"), std::pair(7, "decoder.3")}) {
    Report report = test::sampleReport(layers, {"bf16"});
    for (Comparison& row : report.runs[1].comparisons) {
      std::ranges::fill(row.metrics, 0.5);
    }
    const auto rows = summarise(report, "rms_rel");
    EXPECT_EQ(cell(rows[0], "forward.mid_median").value, 0.5);
    EXPECT_EQ(cell(rows[0], "forward.mid_median").site.name, middle) << layers;
  }
}

TEST(Summary, MidTakesAllLayersOfASmallModel) {
  const auto two = summarise(test::sampleReport(2, {"bf16"}), "rms_rel");
  EXPECT_EQ(cell(two[0], "forward.mid_max").site.name, "decoder.1");
  const auto three = summarise(test::sampleReport(3, {"bf16"}), "rms_rel");
  EXPECT_EQ(cell(three[0], "forward.mid_max").site.name, "decoder.1");
}

TEST(Summary, IgnoresRowsOfModules) {
  Report report = test::sampleReport(3, {"bf16"});
  Comparison module = report.runs[1].comparisons[2];
  module.site = {"model.layers.1.mlp", "model.layers.1.mlp", 1, Level::Module, Pass::Forward};
  module.metrics.assign(5, 100);
  report.runs[1].comparisons.push_back(module);
  EXPECT_LT(cell(summarise(report, "rms_rel")[0], "forward.mid_max").value, 1);
}

TEST(Summary, CountsNonFiniteElementsOfTheRowsItStandsFor) {
  Report report = test::sampleReport(4, {"bf16"});
  test::fillWithNan(report.runs[1].comparisons[2]);  // decoder.1
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_EQ(cell(row, "forward.mid_max").nonFinite, 32U);
  EXPECT_EQ(cell(row, "forward.logits").nonFinite, 0U);
}

/// Row `layer` of the forward pass in a report of sampleReport.
Comparison& layerRow(Report& report, int layer) {
  const auto found = std::ranges::find_if(report.runs[1].comparisons, [&](const Comparison& row) {
    return row.site.name == "decoder." + std::to_string(layer) && row.site.pass == Pass::Forward;
  });
  return *found;
}

/// A tensor that is nothing but NaN is worse than any number, not a reason to leave it out.
TEST(Summary, ARowWithoutAFiniteElementIsTheWorst) {
  Report report = test::sampleReport(7, {"bf16"});  // five rows in the middle, 1 to 5
  const auto expect = [&report](double median, const std::string& at, const std::string& worst) {
    const SummaryRow row = summarise(report, "rms_rel")[0];
    EXPECT_TRUE(std::isnan(cell(row, "forward.mid_max").value));
    EXPECT_EQ(cell(row, "forward.mid_max").site.name, worst);
    if (std::isnan(median)) {
      EXPECT_TRUE(std::isnan(cell(row, "forward.mid_median").value));
    } else {
      EXPECT_EQ(cell(row, "forward.mid_median").value, median);
    }
    EXPECT_EQ(cell(row, "forward.mid_median").site.name, at);
  };
  const double fourth = thousandths(7, "decoder.4", Pass::Forward);
  test::fillWithNan(layerRow(report, 1));
  expect(fourth, "decoder.4", "decoder.1");
  test::fillWithNan(layerRow(report, 2));
  expect(thousandths(7, "decoder.5", Pass::Forward), "decoder.5", "decoder.1");
  test::fillWithNan(layerRow(report, 3));
  expect(std::nan(""), "decoder.1", "decoder.1");
}

TEST(Summary, AMedianBetweenANumberAndARowWithoutOneIsNan) {
  Report report = test::sampleReport(4, {"bf16"});  // two rows in the middle
  test::fillWithNan(layerRow(report, 2));
  for (const auto* const metric : {"rms_rel", "cosine"}) {
    const SummaryRow row = summarise(report, metric)[0];
    EXPECT_TRUE(std::isnan(cell(row, "forward.mid_median").value)) << metric;
    EXPECT_EQ(cell(row, "forward.mid_max").site.name, "decoder.2") << metric;
  }
}

/// Of a metric that is better when it is higher the median moves down.
TEST(Summary, ARowWithoutAFiniteElementIsTheLowestOfAMetricThatShouldBeHigh) {
  Report report = test::sampleReport(7, {"bf16"});
  const int metric = report.metricIndex("cosine");
  ASSERT_GE(metric, 0);
  for (int layer = 1; layer <= 5; ++layer) {
    layerRow(report, layer).metrics[static_cast<std::size_t>(metric)] = 0.1 * layer;
  }
  test::fillWithNan(layerRow(report, 5));
  const SummaryRow row = summarise(report, "cosine")[0];
  EXPECT_EQ(cell(row, "forward.mid_median").value, 0.1 * 2);
  EXPECT_TRUE(std::isnan(cell(row, "forward.mid_max").value));
}

/// As the relative error of a tensor that is zero in both.
TEST(Summary, LeavesOutRowsWhoseValueIsUndefined) {
  Report report = test::sampleReport(4, {"bf16"});
  Comparison& row = layerRow(report, 1);
  row.metrics.assign(row.metrics.size(), std::nan(""));
  const SummaryRow summary = summarise(report, "rms_rel")[0];
  const double other = thousandths(4, "decoder.2", Pass::Forward);
  EXPECT_EQ(cell(summary, "forward.mid_median").value, other);
  EXPECT_EQ(cell(summary, "forward.mid_max").value, other);
}

TEST(Summary, ShowsNanWithItsSiteWhenNothingIsLeft) {
  Report report = test::sampleReport(1, {"bf16"});
  for (Comparison& row : report.runs[1].comparisons) {
    test::fillWithNan(row);
  }
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_TRUE(std::isnan(cell(row, "forward.mid_median").value));
  EXPECT_EQ(cell(row, "forward.mid_median").site.name, "decoder.0");
}

TEST(Summary, LeavesOutWhatTheReportDoesNotHold) {
  Report report = test::sampleReport(4, {"bf16"});
  report.runs[1].comparisons.resize(3);
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_TRUE(std::isnan(cell(row, "backward.head").value));
  EXPECT_TRUE(cell(row, "backward.head").site.name.empty());
  EXPECT_TRUE(summarise(report, "none").empty());
}

TEST(Summary, HasNoRowForARunWithoutComparisons) {
  Report report = test::sampleReport(2, {"bf16", "failed"});
  report.runs[2].comparisons.clear();
  EXPECT_EQ(summarise(report, "rms_rel").size(), 1U);
}

/// The gradient of a parameter with an rms_rel in percent.
Comparison gradientOf(const std::string& name, int layer, std::size_t dimensions, double percent) {
  Comparison row = test::comparisonOf({name, name, layer, Level::Module, Pass::ParameterGradient},
                                      {1, percent / 100, 1, 1, 1});
  row.shape.assign(dimensions, 4);
  return row;
}

/// What Fast-LLM's evaluate_precision printed for its tiny model (bf16_max_precision), under the
/// names of Hugging Face: its summary reads 2.274, 2.690 | 2.345, 3.008 | 2.128.
void addGradientsOfFastLlm(Run& run) {
  constexpr double kLinear[3][5] = {{2.690, 1.984, 1.532, 2.195, 2.040},
                                    {2.645, 2.275, 2.211, 2.283, 2.015},
                                    {2.274, 2.395, 2.399, 2.387, 2.256}};
  constexpr double kNorm[3][2] = {{2.173, 2.278}, {3.008, 2.412}, {2.525, 2.131}};
  run.comparisons.push_back(gradientOf("model.norm.weight", -1, 1, 1.323));
  for (int layer = 2; layer >= 0; --layer) {
    const std::string prefix = "model.layers." + std::to_string(layer) + ".";
    const auto* const linear = kLinear[2 - layer];
    const auto* const norm = kNorm[2 - layer];
    run.comparisons.push_back(gradientOf(prefix + "input_layernorm.weight", layer, 1, norm[0]));
    run.comparisons.push_back(
        gradientOf(prefix + "post_attention_layernorm.weight", layer, 1, norm[1]));
    for (int i = 0; i < 5; ++i) {
      run.comparisons.push_back(
          gradientOf(prefix + "linear" + std::to_string(i) + ".weight", layer, 2, linear[i]));
    }
  }
  run.comparisons.push_back(gradientOf("model.embed_tokens.weight", -1, 2, 2.128));
}

TEST(Summary, TakesGradientsOfParametersByCategoryAsFastLlmDoes) {
  Report report = test::sampleReport(3, {"bf16"});
  addGradientsOfFastLlm(report.runs[1]);
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_DOUBLE_EQ(cell(row, "parameter_gradient.linear_median").value, 0.02274);
  EXPECT_DOUBLE_EQ(cell(row, "parameter_gradient.linear_max").value, 0.02690);
  EXPECT_EQ(cell(row, "parameter_gradient.linear_max").site.name, "model.layers.2.linear0.weight");
  EXPECT_DOUBLE_EQ(cell(row, "parameter_gradient.norm_median").value, 0.02345);
  EXPECT_EQ(cell(row, "parameter_gradient.norm_median").site.name,
            "model.layers.2.post_attention_layernorm.weight");
  EXPECT_DOUBLE_EQ(cell(row, "parameter_gradient.norm_max").value, 0.03008);
  EXPECT_DOUBLE_EQ(cell(row, "parameter_gradient.embeddings").value, 0.02128);
  EXPECT_TRUE(cell(row, "parameter_gradient.lm_head").site.name.empty()) << "tied";
  EXPECT_TRUE(cell(row, "parameter_gradient.bias_max").site.name.empty());
}

TEST(Summary, ShowsHeadAndBiasesOfModelsThatHaveThem) {
  Report report = test::sampleReport(3, {"bf16"});
  report.runs[1].comparisons.push_back(gradientOf("lm_head.weight", -1, 2, 4));
  report.runs[1].comparisons.push_back(gradientOf("model.layers.1.self_attn.q_proj.bias", 1, 1, 5));
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_DOUBLE_EQ(cell(row, "parameter_gradient.lm_head").value, 0.04);
  EXPECT_DOUBLE_EQ(cell(row, "parameter_gradient.bias_median").value, 0.05);
  EXPECT_EQ(cell(row, "parameter_gradient.bias_max").site.name,
            "model.layers.1.self_attn.q_proj.bias");
}

TEST(Summary, TellsTheOptimizersStateFromItsUpdates) {
  Report report = test::sampleReport(3, {"bf16"});
  const auto add = [&](const std::string& name, int hundredths) {
    Comparison row = gradientOf(name, 0, 2, hundredths);
    row.site.pass = Pass::Optimizer;
    report.runs[1].comparisons.push_back(row);
  };
  add("model.layers.0.mlp.up_proj.weight.exp_avg", 1);
  add("model.layers.0.mlp.up_proj.weight.exp_avg_sq", 3);
  add("model.layers.0.mlp.up_proj.weight.update", 5);
  const SummaryRow row = summarise(report, "rms_rel")[0];
  EXPECT_EQ(cell(row, "optimizer.state_max").site.name,
            "model.layers.0.mlp.up_proj.weight.exp_avg_sq");
  EXPECT_DOUBLE_EQ(cell(row, "optimizer.state_median").value, 0.02);
  EXPECT_DOUBLE_EQ(cell(row, "optimizer.update_median").value, 0.05);
  EXPECT_DOUBLE_EQ(cell(row, "optimizer.update_max").value, 0.05);
}

std::vector<std::string> shownIds(const Report& report) {
  std::vector<std::string> ids;
  for (const std::size_t i : shownColumns(summarise(report, "rms_rel"), &SummaryRow::cells)) {
    ids.push_back(summaryColumns()[i].id);
  }
  return ids;
}

TEST(Summary, ShowsTheColumnsThatSomeVariantHas) {
  Report report = test::sampleReport(3, {"bf16", "fp16"});
  EXPECT_EQ(shownIds(report).size(), 11U);
  EXPECT_EQ(shownIds(report).back(), "backward.decoder.0");
  report.runs[2].comparisons.push_back(gradientOf("model.embed_tokens.weight", -1, 2, 1));
  EXPECT_EQ(shownIds(report).size(), 12U);
  EXPECT_EQ(shownIds(report).back(), "parameter_gradient.embeddings");
  for (auto& run : report.runs) {
    run.comparisons.resize(std::min<std::size_t>(run.comparisons.size(), 1));
  }
  EXPECT_THAT(shownIds(report), testing::ElementsAre("forward.embeddings"));
}

TEST(Summary, ShowsBothPassesBeforeAnythingHasRun) {
  Report report = test::sampleReport(3, {"bf16"});
  report.runs[1].comparisons.clear();
  EXPECT_EQ(shownIds(report).size(), 11U);
}

}  // namespace
}  // namespace ulp::report
