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

/// Both sides are one tensor, of a dump that is compared with none: there is no difference to look
/// at.
[[nodiscard]] bool isOneTensor(const analysis::TensorPair& pair);
/// What a button says: "A", "B − A", "ULP".
[[nodiscard]] QString quantitySymbol(analysis::Quantity quantity);
/// The runs that a pair of tensors is of, and in which format differences are counted in ULP.
struct PairRuns {
  QString baseline;  ///< A
  QString variant;   ///< B
  DType ulpFormat = DType::Float32;
};
/// In words, for titles: "A, reference", "B, bf16", "B − A, bf16 minus reference"; of a run without
/// a baseline its name.
[[nodiscard]] QString quantityTitle(analysis::Quantity quantity, const PairRuns& runs);
/// "token"; "dim 2" where it has no name.
[[nodiscard]] QString dimensionText(analysis::Dimension dimension, int position);
/// "[0, 5, 17]"; "scalar" without dimensions.
[[nodiscard]] QString indexText(const std::vector<std::int64_t>& index);
/// A value as it is written in cells and read-outs.
[[nodiscard]] QString valueText(double value, int significant = 7);
/// The error of an element in ULP, as metrics are written; NaN, "–": it says nothing.
[[nodiscard]] double ulpOf(const analysis::TensorPair& pair, double reference, double variant);
[[nodiscard]] QString ulpText(double ulp);

/// Why there are no statistics yet.
enum class ReadingState : std::uint8_t {
  Reading,
  Stopped,
  Elsewhere  ///< on another machine, and nobody asked for all
};

/// A pair in one line: shape, formats, and what is known of all its elements. `statistics` may be
/// null: not known, for the reason that `state` names.
[[nodiscard]] QString pairText(const analysis::TensorPair& pair,
                               const analysis::PairStatistics* statistics,
                               ReadingState state);

/// "0, 5, 17", with or without brackets; negative positions count from the end. Nothing when it is
/// no element of a tensor of this shape.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parseElement(
    QString text, std::span<const std::int64_t> shape);

}  // namespace ulp::views
