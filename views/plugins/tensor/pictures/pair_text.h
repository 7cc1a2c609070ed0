#pragma once

#include <optional>
#include <span>

#include <QtCore/QString>

#include "core/analysis/tensors/pair_statistics.h"

namespace ulp::views {

/// A pair in one line: shape, formats, and what is known of all its elements. `statistics` may be
/// null: not known, because they are being read or because that was stopped.
[[nodiscard]] QString pairText(const analysis::TensorPair& pair,
                               const analysis::PairStatistics* statistics,
                               bool wasStopped);

/// "0, 5, 17", with or without brackets; negative positions count from the end. Nothing when it is
/// no element of a tensor of this shape.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parseElement(
    QString text, std::span<const std::int64_t> shape);

}  // namespace ulp::views
