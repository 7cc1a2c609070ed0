#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/compat/comparator.h"

namespace ulp::compat::msprobe {

/// `overflow_check -i` of 26.x on one step: the first call of each process whose outputs hold NaN
/// or infinities while its inputs do not, as `anomaly_analyze_{suffix}.json`; no file where there
/// is none. Calls are taken in the order of the dump; the links between ranks that communicate are
/// not followed. What a dump that breaks off does not hold is a note; a process that cannot be read
/// is a failure, and the others are searched. Errors: NotFound, CorruptData (nothing of any is
/// complete), InvalidArgument (several steps), Io, Cancelled.
[[nodiscard]] Result<CompareOutcome> findOverflow(const std::filesystem::path& dump,
                                                  const std::filesystem::path& output,
                                                  const std::string& suffix,
                                                  const std::stop_token& stop);

}  // namespace ulp::compat::msprobe
