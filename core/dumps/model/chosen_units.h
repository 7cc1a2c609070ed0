#pragma once

#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/base/unit_axes.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// Error: InvalidArgument, naming the units that `dump` has, where `choice` fits none of them.
[[nodiscard]] Result<> checkChoice(const std::filesystem::path& dump,
                                   std::span<const UnitAxes> units,
                                   const UnitAxes& choice);

/// The dump with the units alone that `choice` fits. Errors: those of checkChoice().
[[nodiscard]] Result<DumpPtr> chooseUnits(DumpPtr dump, const UnitAxes& choice);

}  // namespace ulp::dumps
