#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <QtCore/QString>

#include "core/analysis/tensors/dimension_names.h"
#include "core/analysis/tensors/pair_statistics.h"
#include "core/analysis/tensors/tensor_pair.h"

namespace ulp::views {

/// What a button says: "A", "A − B", "ULP".
[[nodiscard]] QString quantitySymbol(analysis::Quantity quantity);
/// In words, for titles and tool tips: "A, reference", "B, bf16", "relative difference |A − B| /
/// |A|".
[[nodiscard]] QString quantityTitle(analysis::Quantity quantity, const QString& variant);
/// "token"; "dim 2" where it has no name.
[[nodiscard]] QString dimensionText(analysis::Dimension dimension, int position);
/// "[0, 5, 17]"; "scalar" without dimensions.
[[nodiscard]] QString indexText(const std::vector<std::int64_t>& index);
/// A value as it is written in cells and read-outs.
[[nodiscard]] QString valueText(double value, int significant = 5);

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
