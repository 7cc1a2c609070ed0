#pragma once

#include <iosfwd>
#include <span>

#include "app/cli/sources/inspect_source.h"
#include "core/analysis/tensors/tensor_slice.h"
#include "core/analysis/tensors/tensor_statistics.h"
#include "core/numerics/comparison/comparison.h"

/// The text that `inspect` writes.
namespace ulp::cli {

void printListing(std::ostream& out,
                  const InspectSource& source,
                  std::span<const std::size_t> items);
void printStatistics(std::ostream& out,
                     const InspectItem& item,
                     const analysis::TensorStatistics& statistics);
/// Rows of the last dimension, under the position of their matrix where there are more than two
/// dimensions.
void printSlice(std::ostream& out, const analysis::SlicedTensor& slice);
void printHistogram(std::ostream& out, const analysis::Histogram& histogram);
/// `shape` is that of the whole tensor, and `stride` the distance of its stored elements.
void printWorst(std::ostream& out,
                std::span<const numerics::WorstElement> worst,
                const InspectItem& item);

}  // namespace ulp::cli
