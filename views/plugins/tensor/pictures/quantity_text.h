#pragma once

#include <cstdint>
#include <vector>

#include <QtCore/QString>

#include "core/analysis/tensors/dimension_names.h"
#include "core/analysis/tensors/tensor_quantity.h"

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

}  // namespace ulp::views
