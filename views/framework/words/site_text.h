#pragma once

#include <cstdint>
#include <vector>

#include <QtCore/QString>

#include "core/base/site.h"

namespace ulp::views {

/// "1 × 128 × 576"; "scalar" for no dimensions.
[[nodiscard]] QString shapeText(const std::vector<std::int64_t>& shape);
/// "forward", "backward", "parameter gradient", "optimizer" in the user's language.
[[nodiscard]] QString passText(Pass pass);

}  // namespace ulp::views
