#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msit/layout.h"
#include "core/dumps/msit/recorded_unit.h"

namespace ulp::dumps::msit {

/// Top-level operations by number: those from `first` on, up to `end`.
struct OrderRange {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> end{};
};

/// What lies in `{order}_{type}/…/{before,after}/` below a folder, in order of execution: what an
/// operation consists of stands before it. A tensor that is written both before and after stands
/// in the row of the one that the operation read or made; the other is a value. Error: Cancelled.
[[nodiscard]] Result<std::shared_ptr<RecordedUnit>> readOperations(
    const std::filesystem::path& folder,
    const OrderRange& range,
    const UnitAxes& axes,
    const std::stop_token& stop,
    const Progress& progress);

/// Operations of one token; of two tokens in one folder those of the token's own model.
[[nodiscard]] Result<DumpUnitPtr> readAtbToken(const Process& process,
                                               const TokenFolder& token,
                                               const UnitAxes& axes,
                                               const std::stop_token& stop,
                                               const Progress& progress);

}  // namespace ulp::dumps::msit
