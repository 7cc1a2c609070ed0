#pragma once

#include <cstdint>
#include <vector>

#include <QtCore/QString>

#include "core/base/site.h"

namespace ulp::views {

/// "1 × 128 × 576"; "scalar" for no dimensions.
[[nodiscard]] QString shapeText(const std::vector<std::int64_t>& shape);
/// "[0, 3, 511]".
[[nodiscard]] QString elementText(const std::vector<std::int64_t>& element);
/// In a sentence: "forward", "backward", "parameter gradient", "optimizer" in the user's language.
[[nodiscard]] QString passText(Pass pass);
/// "decoder.11 · backward": a tensor of a pass, on a line of its own.
[[nodiscard]] QString siteText(const Site& site);

/// Over the columns of a pass: "Forward", "Backward", "Parameter gradients", "Optimizer".
[[nodiscard]] QString passName(Pass pass);
/// Along the part of a depth axis that belongs to a pass; those that go through the model say in
/// which direction: "Forward →".
[[nodiscard]] QString passCaption(Pass pass);
/// The name of a run as tables of runs show it: what a run of the noise floor measures stands
/// behind its name, "floor.float64 (rounding of the reference itself)".
[[nodiscard]] QString runLabel(const QString& run);

}  // namespace ulp::views
