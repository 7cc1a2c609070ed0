#pragma once

#include <QtCore/QString>

namespace ulp::views {

/// The name of a run as tables of runs show it: what a run of the noise floor measures stands
/// behind its name, "floor.float64 (rounding of the reference itself)".
[[nodiscard]] QString runLabel(const QString& run);

}  // namespace ulp::views
