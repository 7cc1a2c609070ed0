#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/analysis/depth/divergence.h"
#include "core/analysis/depth/run_difference.h"
#include "core/analysis/reports/run_pair.h"
#include "core/json/writer.h"

/// What `diverge` writes of studies: the course of errors, and two runs compared number by number.
namespace ulp::cli {

/// A variant with the course of its error.
struct RunDivergence {
  const report::Report* report = nullptr;
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
                     const analysis::RunPair& pair,
                     const analysis::RunDifference& difference);
/// The same as fields of the object that is open.
void writeDifference(json::Writer& json,
                     const analysis::RunPair& pair,
                     const analysis::RunDifference& difference);

}  // namespace ulp::cli
