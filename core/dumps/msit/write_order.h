#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/dumps/model/dump.h"

namespace ulp::dumps::msit {

/// What was recorded of a call: msit fills the folder when the call ends.
struct CallFolder {
  std::filesystem::path path;
  std::size_t around = kNone;  ///< in the list: that of the call around it, which ends later
};

/// The order in which the calls ended, by the times of their files; those of the same time stay as
/// they are. Nothing where the times cannot be those of the recording, because a call would have
/// ended before one within it: the files were copied without their times. Nor where several calls
/// all have one time, which tells no order.
[[nodiscard]] std::optional<std::vector<std::size_t>> writeOrder(
    const std::vector<CallFolder>& calls);

}  // namespace ulp::dumps::msit
