#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/report/model/report.h"

namespace ulp::test {

/// Site of a row of level Layer.
inline Site layerSite(const std::string& name, int layer, Pass pass) {
  std::string module = name;
  if (layer >= 0) {
    module = "model.layers." + std::to_string(layer);
  } else if (name == "embeddings") {
    module = "model.embed_tokens";
  } else if (name == "norm") {
    module = "model.norm";
  }
  return {name, module, layer, Level::Layer, pass};
}

/// The rows of a model at level Layer, in order of execution.
inline std::vector<Site> layerSites(int layers) {
  std::vector<Site> sites{layerSite("embeddings", -1, Pass::Forward)};
  for (int i = 0; i < layers; ++i) {
    sites.push_back(layerSite("decoder." + std::to_string(i), i, Pass::Forward));
  }
  for (const char* name : {"norm", "logits", "loss"}) {
    sites.push_back(layerSite(name, -1, Pass::Forward));
  }
  for (const char* name : {"logits", "norm"}) {
    sites.push_back(layerSite(name, -1, Pass::Backward));
  }
  for (int i = layers - 1; i >= 0; --i) {
    sites.push_back(layerSite("decoder." + std::to_string(i), i, Pass::Backward));
  }
  return sites;
}

inline report::Comparison comparisonOf(const Site& site, std::vector<double> metrics) {
  report::Comparison row;
  row.site = site;
  row.shape =
      site.name == "loss" ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{1, 8, 4};
  row.referenceDType = "float32";
  row.variantDType = "bfloat16";
  row.count = site.name == "loss" ? 1 : 32;
  row.compared = row.count;
  row.metrics = std::move(metrics);
  row.worst = {
      {site.name == "loss" ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{0, 5, 2},
       1.5,
       1.25}};
  return row;
}

inline report::Run runOf(std::string name, std::vector<report::Comparison> comparisons) {
  report::Run run;
  run.name = std::move(name);
  run.status = report::RunStatus::Finished;
  run.loss = 2.5;
  run.seconds = 1.25;
  run.peakBytes = 1 << 20;
  run.comparisons = std::move(comparisons);
  return run;
}

inline report::Provenance sampleProvenance(double seconds) {
  return {.ulpscopeVersion = "0.1.0",
          .torchVersion = "2.11.0",
          .device = "cpu",
          .threads = 2,
          .weightsDigest = "sha256:aa",
          .tokenDigest = "sha256:bb",
          .startedAt = "2026-01-31T12:00:00Z",
          .seconds = seconds};
}

/// A reference and the variants `names` of a model of `layers` layers, with the metrics rms_diff,
/// rms_rel and cosine. rms_rel of row i of variant k is (i + 1) * (k + 1) / 1000.
inline report::Report sampleReport(int layers, const std::vector<std::string>& names) {
  report::Report report;
  report.provenance = sampleProvenance(12.5);
  report.model = {"SmolLM2-135M", "llama", layers, 134515008};
  report.studyYaml = "model: {path: m}  # ours\n";
  report.effectiveJson =
      R"({"reference":{"precision.compute_dtype":{"value":"float32","origin":"default"}}})";
  report.metrics = {{"rms_diff"}, {"rms_rel"}, {"cosine"}, {"ulp.mean"}, {"ulp.max"}};
  report.reference = "reference";
  report.runs.push_back(runOf("reference", {}));
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<report::Comparison> rows;
    const std::vector<Site> sites = layerSites(layers);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const double error = static_cast<double>((i + 1) * (k + 1)) / 1000;
      rows.push_back(comparisonOf(sites[i], {error * 2, error, 1 - error, error * 10, error * 99}));
    }
    report.runs.push_back(runOf(names[k], std::move(rows)));
    report.runs.back().overrides = {{"precision.compute_dtype", "bfloat16"}};
  }
  return report;
}

/// Makes `row` one in which nothing can be compared.
inline void fillWithNan(report::Comparison& row) {
  row.compared = 0;
  row.variantNonFinite = {row.count - 2, 1, 1};
  for (double& value : row.metrics) {
    value = std::numeric_limits<double>::quiet_NaN();
  }
  row.worst.clear();
}

}  // namespace ulp::test
