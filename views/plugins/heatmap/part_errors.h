#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <QtCore/QString>

#include "core/base/error.h"
#include "core/base/site.h"
#include "core/numerics/metrics/metric.h"
#include "views/framework/document/kept_tensors.h"
#include "views/plugins/heatmap/heatmap_data.h"

namespace ulp::views {

/// Which tokens or heads to compare, from tensors that a study has kept.
struct PartRequest {
  DocumentPtr document;
  QString reference;  ///< run names
  QString variant;
  HeatmapMode mode = HeatmapMode::Tokens;
  std::int64_t headSize = 0;  ///< in mode Heads
  numerics::Metric metric;
  std::vector<Site> sites;  ///< the columns
};

/// What one go of work found. Columns follow those of the goes before.
struct PartBatch {
  std::shared_ptr<KeptTensors> tensors;
  std::vector<PartColumn> columns;
  int sampled = 0;                ///< of these columns: only samples were kept
  std::vector<Error> unreadable;  ///< of these columns: why no elements of a dump could be read
  std::int64_t sequenceLength =
      0;                       ///< tokens in one sequence; 0: there is one sequence, or none known
  std::optional<Error> error;  ///< the tensors cannot be opened, or a tensor cannot be read
};

/// Compares columns from `first` on until a moment has passed, so that the picture fills in and
/// other background work is not kept waiting. `tensors`: those of an earlier batch, or null.
[[nodiscard]] PartBatch computeParts(const PartRequest& request,
                                     std::size_t first,
                                     std::shared_ptr<KeptTensors> tensors,
                                     const std::stop_token& stop);

}  // namespace ulp::views
