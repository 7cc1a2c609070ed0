#pragma once

#include "core/base/result.h"
#include "core/base/unit_axes.h"
#include "core/dumps/dump.h"

namespace ulp::dumps {

/// The dump with the units alone that `choice` fits. Errors: InvalidArgument, naming the units that
/// there are, where none fits.
[[nodiscard]] Result<DumpPtr> chooseUnits(DumpPtr dump, const UnitAxes& choice);

}  // namespace ulp::dumps
