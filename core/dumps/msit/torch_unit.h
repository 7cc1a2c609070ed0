#pragma once

#include <filesystem>
#include <stop_token>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msit/layout.h"

namespace ulp::dumps::msit {

/// What was recorded of one token of a PyTorch model: modules and calls in the order in which they
/// ended, by the times of their files; where these cannot tell, with a note, in the order of the
/// model's structure, those within a module before it, then what else has a folder. Error:
/// Cancelled.
[[nodiscard]] Result<DumpUnitPtr> readTorchToken(const Process& process,
                                                 const TokenFolder& token,
                                                 const UnitAxes& axes,
                                                 const std::stop_token& stop,
                                                 const Progress& progress);

/// Parameters that were dumped beside the tokens, a module's together. Error: Cancelled.
[[nodiscard]] Result<DumpUnitPtr> readWeights(const std::filesystem::path& folder,
                                              const UnitAxes& axes,
                                              const std::stop_token& stop,
                                              const Progress& progress);

}  // namespace ulp::dumps::msit
