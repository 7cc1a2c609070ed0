#pragma once

#include <stop_token>

#include "views/framework/document/report_document.h"
#include "views/framework/document/tensor_pair_source.h"

namespace ulp::views {

/// The elements of a tensor of a comparison of dumps, or why there are none to look at.
struct DumpTensorPair {
  analysis::TensorPairPtr pair;  ///< null: `problem` says why
  TensorPairProblem problem;
};

/// Opens the dumps where that has not been done; takes as long as that takes. `shown`: the tensor
/// as the document calls it.
[[nodiscard]] DumpTensorPair readDumpPair(const DumpPlace& place,
                                          const Site& shown,
                                          const std::stop_token& stop);

/// Why the dumps of a comparison cannot be asked, for people: what happened, where they were, and
/// what to do.
[[nodiscard]] TensorPairProblem dumpsProblem(const Error& error, const report::DumpOrigin& origin);

}  // namespace ulp::views
