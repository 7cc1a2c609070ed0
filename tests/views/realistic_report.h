#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/numerics/metrics/metric.h"
#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"
#include "views/framework/document/report_document.h"

namespace ulp::test {

/// A report as a real study would leave it: errors that grow with depth, every metric of this
/// build, modules in every layer.
struct ReportShape {
  int layers = 30;
  std::vector<std::string> variants = {
      "bf16", "bf16_fp32_lm_head", "bf16_fp32_residual", "bf16_max_precision"};
  bool modules = true;
  bool parameterGradients = false;
  double nonFiniteShare = 0;  ///< of all tensors of all variants
  double missingShare = 0;    ///< of all rows
  int worst = 8;              ///< elements that a row names
  unsigned seed = 1;
};

inline const std::vector<std::string>& moduleNames() {
  static const std::vector<std::string> kNames{"input_layernorm",
                                               "self_attn.q_proj",
                                               "self_attn.k_proj",
                                               "self_attn.v_proj",
                                               "self_attn.o_proj",
                                               "self_attn",
                                               "post_attention_layernorm",
                                               "mlp.gate_proj",
                                               "mlp.up_proj",
                                               "mlp.down_proj",
                                               "mlp"};
  return kNames;
}

inline void addLayerSites(std::vector<Site>& sites,
                          const ReportShape& shape,
                          int layer,
                          Pass pass) {
  const std::string module = "model.layers." + std::to_string(layer);
  if (shape.modules) {
    for (const std::string& name : moduleNames()) {
      const std::string path = module + "." + name;
      sites.push_back({path, path, layer, Level::Module, pass});
    }
  }
  sites.push_back({"decoder." + std::to_string(layer), module, layer, Level::Layer, pass});
}

inline std::vector<Site> realisticSites(const ReportShape& shape) {
  std::vector<Site> sites{{"embeddings", "model.embed_tokens", -1, Level::Layer, Pass::Forward}};
  for (int layer = 0; layer < shape.layers; ++layer) {
    addLayerSites(sites, shape, layer, Pass::Forward);
  }
  sites.push_back({"norm", "model.norm", -1, Level::Layer, Pass::Forward});
  sites.push_back({"logits", "lm_head", -1, Level::Layer, Pass::Forward});
  sites.push_back({"loss", "loss", -1, Level::Layer, Pass::Forward});
  sites.push_back({"logits", "lm_head", -1, Level::Layer, Pass::Backward});
  sites.push_back({"norm", "model.norm", -1, Level::Layer, Pass::Backward});
  for (int layer = shape.layers - 1; layer >= 0; --layer) {
    addLayerSites(sites, shape, layer, Pass::Backward);
  }
  if (shape.parameterGradients) {
    for (int layer = 0; layer < shape.layers; ++layer) {
      for (const std::string& name : moduleNames()) {
        const std::string path = "model.layers." + std::to_string(layer) + "." + name + ".weight";
        sites.push_back({path, path, layer, Level::Module, Pass::ParameterGradient});
      }
    }
  }
  return sites;
}

inline double metricValue(const std::string& id, double relative, double scale) {
  if (id == "rms_rel") {
    return relative;
  }
  if (id == "rms_diff") {
    return relative * scale;
  }
  if (id == "mean_abs_diff") {
    return relative * scale * 0.7;
  }
  if (id == "max_diff") {
    return relative * scale * 9;
  }
  if (id == "max_rel") {
    return relative * 400;
  }
  if (id == "ref_scale") {
    return scale;
  }
  if (id == "cosine") {
    return 1 - relative * relative / 2;
  }
  if (id == "sqnr_db") {
    return -20 * std::log10(relative);
  }
  if (id == "equal_fraction") {
    return std::min(0.9, 1e-3 / relative);
  }
  return id == "ulp.max" ? relative * 9000 : relative * 130;
}

/// Makes everything about a row undefined or infinite, as an overflow does.
inline void breakRow(report::Comparison& row, std::mt19937& random) {
  const std::uint64_t broken = 1 + random() % row.count;
  row.variantNonFinite = {broken / 2, broken - broken / 2, 0};
  row.compared = row.count - broken;
  if (random() % 2 == 0) {
    row.compared = 0;
    row.variantNonFinite.nan += row.count - broken;
    for (double& value : row.metrics) {
      value = std::numeric_limits<double>::quiet_NaN();
    }
    row.worst.clear();
  }
}

inline report::Comparison realisticRow(const Site& site,
                                       const report::Report& report,
                                       const ReportShape& shape,
                                       double level,
                                       std::mt19937& random) {
  std::lognormal_distribution<double> noise(0, 0.18);
  const int depth = site.layer < 0 ? (site.name == "embeddings" ? 0 : shape.layers) : site.layer;
  const bool backward = site.pass != Pass::Forward;
  const double position = static_cast<double>(depth) / std::max(1, shape.layers);
  const double jump = site.layer > shape.layers * 2 / 3 ? 2.2 : 1;
  double relative = level * (0.25 + position) * jump * noise(random);
  if (backward) {
    relative = level * (1.2 + 2.5 * (1 - position)) * noise(random);
  }
  if (site.level == Level::Module) {
    relative *= 1.6;
  }
  const double scale =
      (backward ? 1e-5 : 0.2) * std::exp(position * (backward ? 1.5 : 4)) * noise(random);
  report::Comparison row;
  row.site = site;
  row.shape =
      site.name == "loss" ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{1, 128, 576};
  row.referenceDType = "float32";
  row.variantDType = "bfloat16";
  row.count = site.name == "loss" ? 1 : 73728;
  row.compared = row.count;
  for (const report::MetricColumn& metric : report.metrics) {
    row.metrics.push_back(metricValue(metric.id, relative, scale));
  }
  for (int i = 0; i < shape.worst && !row.shape.empty(); ++i) {
    const double reference = scale * (8 - i) * (i % 2 == 0 ? 1 : -1);
    row.worst.push_back({{0, static_cast<std::int64_t>(random() % 128), 64 * i + 5},
                         reference,
                         reference * (1 + relative * (9 - i))});
  }
  return row;
}

inline report::Report realisticReport(const ReportShape& shape) {
  std::mt19937 random(shape.seed);
  report::Report report;
  report.provenance = sampleProvenance(62);
  report.model = {"SmolLM2-135M-Instruct", "llama", shape.layers, 134515008};
  report.studyYaml =
      "model:\n  path: SmolLM2-135M-Instruct.gguf   # as shipped\nvariants:\n"
      "  bf16: {precision.compute_dtype: bfloat16}\noutput_dir: runs/smollm2\n";
  report.effectiveJson = "{}";
  const numerics::MetricRegistry registry = numerics::elementMetrics();
  for (const numerics::Metric& metric : registry.all()) {
    report.metrics.push_back({metric.id});
  }
  report.reference = "reference";
  const auto runOf = [](const std::string& name, double loss, double seconds) {
    report::Run run;
    run.name = name;
    run.status = report::RunStatus::Finished;
    run.loss = loss;
    run.seconds = seconds;
    run.peakBytes = 1'600'000'000;
    return run;
  };
  report.runs.push_back(runOf("reference", 13.74727, 9.01));
  const std::vector<Site> sites = realisticSites(shape);
  std::uniform_real_distribution<double> chance(0, 1);
  double level = 0.02;
  for (const std::string& name : shape.variants) {
    report::Run run = runOf(name, 13.74727 + level, 7.4 + level * 20);
    run.overrides = {{"precision.compute_dtype", "bfloat16"}};
    for (const Site& site : sites) {
      if (chance(random) < shape.missingShare) {
        continue;
      }
      report::Comparison row = realisticRow(site, report, shape, level, random);
      if (row.count > 1 && chance(random) < shape.nonFiniteShare) {
        breakRow(row, random);
      }
      run.comparisons.push_back(std::move(row));
    }
    report.runs.push_back(std::move(run));
    level *= 0.62;
  }
  return report;
}

inline views::DocumentPtr documentOf(report::Report report) {
  return views::ReportDocument::build(
      {.report = std::make_shared<const report::Report>(std::move(report)),
       .file = "runs/smollm2/precision_report.json",
       .folder = "runs/smollm2"});
}

}  // namespace ulp::test
