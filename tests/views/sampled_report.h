#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/tensors/hdf5/sample_store.h"
#include "tests/views/realistic_report.h"

namespace ulp::test {

/// What sample `sample` of `samples` gives where their mean is `mean`: 10 % apart, around it.
inline double sampleValue(double mean, std::uint64_t sample, std::uint64_t samples) {
  const double step = static_cast<double>(sample) - static_cast<double>(samples - 1) / 2;
  return mean * (1 + 0.1 * step);
}

inline report::Spread sampledSpread(double mean, std::uint64_t samples) {
  double value = sampleValue(mean, 0, samples);
  report::Spread spread = report::spreadOf(value);
  for (std::uint64_t i = 1; i < samples; ++i) {
    report::addSample(value, spread, i, sampleValue(mean, i, samples));
  }
  return spread;
}

/// Of several samples: every number gets a spread, every row a gain error, which is systematic in
/// the rows of the forward pass alone.
inline void addSpreads(report::Report& report, std::uint64_t samples) {
  report.provenance.samples = samples;
  report.provenance.sequences = samples;
  report.provenance.sequenceLength = 47;
  for (report::Run& run : report.runs) {
    run.samples = samples;
    run.lossSpread = sampledSpread(run.loss, samples);
    for (report::Comparison& row : run.comparisons) {
      for (const double value : row.metrics) {
        row.spread.push_back(sampledSpread(value, samples));
      }
      row.gainError = row.site.pass == Pass::Forward ? -0.02 : 0.0001;
      row.gainSpread = {.sd = 0.004, .minimum = -0.03, .maximum = 0.005};
    }
  }
}

inline void scaleErrors(const report::Report& report, report::Comparison& row, double factor) {
  for (const char* id : {"rms_rel", "rms_diff", "mean_abs_diff", "max_diff", "max_rel"}) {
    const auto metric = static_cast<std::size_t>(report.metricIndex(id));
    row.metrics[metric] *= factor;
    if (!row.spread.empty()) {
      row.spread[metric].sd *= factor;
    }
  }
}

/// Runs of a noise floor whose errors are `share` of those of the first variant; the metrics that
/// are not proportional to the error stay as they are.
inline void addFloors(report::Report& report,
                      const std::vector<std::string>& names,
                      double share = 0.5) {
  for (const std::string& name : names) {
    report::Run run = report.runs[1];
    run.name = name;
    run.role = report::RunRole::Floor;
    run.overrides.clear();
    for (report::Comparison& row : run.comparisons) {
      scaleErrors(report, row, share);
    }
    report.runs.push_back(std::move(run));
  }
}

/// A realistic report of eight samples and a noise floor of two runs.
inline report::Report sampledReport(const ReportShape& shape) {
  report::Report report = realisticReport(shape);
  addSpreads(report, 8);
  addFloors(report, {"floor.repeat", "floor.float64"});
  return report;
}

/// The metrics of a run on one sample, row by row.
inline std::vector<double> valuesOn(const report::Run& run,
                                    std::uint64_t sample,
                                    std::uint64_t samples) {
  std::vector<double> values;
  for (const report::Comparison& row : run.comparisons) {
    for (const double value : row.metrics) {
      values.push_back(sampleValue(value, sample, samples));
    }
  }
  return values;
}

/// samples.h5 beside a report of addSpreads().
inline void writeSamples(const std::filesystem::path& folder, const report::Report& report) {
  tensors::SampleLayout layout;
  layout.samples = report.provenance.samples;
  layout.tokenDigest = report.provenance.tokenDigest;
  for (const report::Run& run : report.runs) {
    layout.runs.push_back(run.name);
  }
  for (const report::Comparison& row : report.runs[1].comparisons) {
    layout.rows.push_back(row.site);
  }
  for (const report::MetricColumn& metric : report.metrics) {
    layout.metrics.push_back(metric.id);
  }
  auto store = tensors::SampleStore::create(folder, layout);
  ASSERT_TRUE(store) << store.error().message();
  for (std::size_t i = 1; i < report.runs.size(); ++i) {
    for (std::uint64_t sample = 0; sample < layout.samples; ++sample) {
      const std::vector<double> values = valuesOn(report.runs[i], sample, layout.samples);
      const std::vector<double> gains(layout.rows.size(), 0.01);
      const auto written = (*store)->write(
          report.runs[i].name, sample, {.loss = 1, .metrics = values, .gainErrors = gains});
      ASSERT_TRUE(written) << written.error().message();
    }
  }
  ASSERT_TRUE((*store)->sync());
}

}  // namespace ulp::test
