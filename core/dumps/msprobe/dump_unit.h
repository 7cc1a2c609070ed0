#pragma once

#include <stop_token>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msprobe/folder_layout.h"

namespace ulp::dumps::msprobe {

/// One process in one step: dump.json (or debug.json) with stack.json and construct.json beside it.
/// Errors: those of readDumpJson().
[[nodiscard]] Result<DumpUnitPtr> openProcess(const ProcessFolder& process,
                                              const std::stop_token& stop,
                                              const Progress& progress);

}  // namespace ulp::dumps::msprobe
