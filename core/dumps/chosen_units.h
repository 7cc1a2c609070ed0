#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/dumps/dump.h"

namespace ulp::dumps {

/// Which units of a dump are meant. Empty run, no number: all.
struct UnitChoice {
  std::string run{};
  std::optional<std::int64_t> step{};
  std::optional<std::int64_t> rank{};
  std::optional<std::int64_t> token{};

  [[nodiscard]] bool isEmpty() const { return run.empty() && !step && !rank && !token; }
};

/// The dump with these units alone. Errors: InvalidArgument, naming the units that there are, where
/// none fits.
[[nodiscard]] Result<DumpPtr> chooseUnits(DumpPtr dump, const UnitChoice& choice);

}  // namespace ulp::dumps
