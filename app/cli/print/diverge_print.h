#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "core/analysis/depth/divergence.h"

/// What `diverge` writes.
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

}  // namespace ulp::cli
