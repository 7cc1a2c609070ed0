#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/sources/run_pair.h"
#include "core/analysis/depth/divergence.h"
#include "core/json/writer.h"

/// What `diverge` writes of studies: the course of errors, and two runs compared number by number.
namespace ulp::cli {

/// A variant with the course of its error.
struct RunDivergence {
  const report::Run* run = nullptr;
  std::string format;  ///< coarsest of its tensors; empty: unknown
  analysis::DivergenceLimits limits;
  analysis::Divergence trace;
};

/// The first divergence of every variant, then the layers after it and the tensors that make more.
void printDivergence(std::ostream& out, const std::vector<RunDivergence>& traced);
/// The same with every tensor from the first divergence on, as one JSON object.
[[nodiscard]] std::string divergenceJson(const std::vector<RunDivergence>& traced);

/// Where they differ first, what still agreed there, and what becomes of it.
void printDifference(std::ostream& out,
                     const RunPair& pair,
                     const analysis::ExactDivergence& divergence);
/// The same as fields of the object that is open.
void writeDifference(json::Writer& json,
                     const RunPair& pair,
                     const analysis::ExactDivergence& divergence);

/// Finds the row of a tensor; null: the run has none.
[[nodiscard]] const report::Comparison* findRow(const report::Run& run,
                                                std::string_view name,
                                                Pass pass);
/// Gives a metric of a row; NaN where the report does not hold the metric.
[[nodiscard]] double metricOf(const report::Report& report,
                              const report::Comparison& row,
                              std::string_view id);
/// Whether the row stands for samples of its tensor alone.
[[nodiscard]] bool isOfSamples(const report::Comparison& row);
/// "0.61 %", or "inf" and "nan" without the sign.
[[nodiscard]] std::string percentText(double ratio);
/// Of a share of equal elements: "35.7 %"; never "100 %" of what is not equal.
[[nodiscard]] std::string equalShare(double share);

}  // namespace ulp::cli
